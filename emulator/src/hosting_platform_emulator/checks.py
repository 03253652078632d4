# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strict parsing of query strings and bodies (§4, §7, §8): unknown or wrongly typed fields are
refused with 400.
"""

import abc
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from typing import Any
from urllib.parse import unquote_to_bytes

from .errors import Invalid, Refusal

LARGEST_INTEGER = 2**63 - 1
LARGEST_SETTING = 2**31 - 1
"""The largest number that switches and faults take."""
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Check(abc.ABC):
    """What a field may hold."""

    required: bool = False
    nullable: bool = False

    def read(self, field: str, given: object) -> object:
        return None if given is None and self.nullable else self._accepted(field, given)

    @abc.abstractmethod
    def _accepted(self, field: str, given: object) -> object:
        """The value that stands for what is given; raises what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Text(Check):
    """A string."""

    minimum: int = 0
    maximum: int | None = None
    allowed: tuple[str, ...] = ()
    pattern: str = ""
    form: str = ""
    """What a text of this pattern is called."""

    def _accepted(self, field: str, given: object) -> object:
        if not isinstance(given, str):
            raise Invalid(field, "must be a string")
        if not _is_encodable(given):
            raise Invalid(field, "is not valid Unicode text")
        if self.allowed and given not in self.allowed:
            raise Invalid(field, f"must be one of {', '.join(self.allowed)}")
        if len(given) < self.minimum:
            raise Invalid(field, f"must have at least {self.minimum} character(s)")
        if self.maximum is not None and len(given) > self.maximum:
            raise Invalid(field, f"must have at most {self.maximum} characters")
        if not re.search(self.pattern, given):
            raise Invalid(field, f"is no {self.form}")
        return given


@dataclass(frozen=True, slots=True)
class Number(Check):
    """A JSON number, in a body: an integer, like every number in this API."""

    minimum: int = -LARGEST_INTEGER
    largest: int = LARGEST_INTEGER
    allowed: tuple[int, ...] = ()

    def _accepted(self, field: str, given: object) -> object:
        if not isinstance(given, int) or isinstance(given, bool):
            raise Invalid(field, "must be an integer number")
        if self.allowed and given not in self.allowed:
            raise Invalid(field, f"must be one of {', '.join(map(str, self.allowed))}")
        smallest = max(self.minimum, -self.largest)
        if not smallest <= given <= self.largest:
            raise Invalid(field, f"must be at least {smallest} and at most {self.largest}")
        return given


class Integer(Number):
    """An integer, in a query string."""

    def _accepted(self, field: str, given: object) -> object:
        if not re.fullmatch("-?[0-9]{1,19}", str(given)):
            raise Invalid(field, "must be an integer")
        return Number._accepted(self, field, int(str(given)))


@dataclass(frozen=True, slots=True)
class Decimal(Check):
    """A non-negative number, in a control document; it may be given as text."""

    largest: int = LARGEST_SETTING

    def _accepted(self, field: str, given: object) -> object:
        number = _float_of(given)
        if number is None or not 0 <= number <= self.largest:
            raise Invalid(field, f"must be a number from 0 to {self.largest}; not {given!r}")
        return number


def _float_of(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        return None
    try:
        return float(given)
    except (ValueError, OverflowError):
        return None


class Flag(Check):
    """true or false, in a control document."""

    def _accepted(self, field: str, given: object) -> object:
        if not isinstance(given, bool):
            raise Invalid(field, "must be true or false")
        return given


class BearerToken(Check):
    """A token that fits in an Authorization header."""

    def _accepted(self, field: str, given: object) -> object:
        if not isinstance(given, str) or not re.fullmatch("[!-~]+", given):
            raise Invalid(field, "must be printable ASCII without spaces, at least one character")
        return given


Checks = Mapping[str, Check]


def read_fields(given: Mapping[str, object], checks: Checks, place: str) -> dict[str, Any]:
    """The given fields, each checked."""
    for field in given:
        if field not in checks:
            raise Invalid(field, f"is not known in the {place}")
    for field, check in checks.items():
        if check.required and field not in given:
            raise Invalid(field, f"is required in the {place}")
    return {field: checks[field].read(field, value) for field, value in given.items()}


def whole_number(given: object, minimum: int = 0) -> int | None:
    """A whole number for a switch or a fault, which may be given as text."""
    text = str(given)
    if not re.fullmatch("[0-9]{1,10}", text):
        return None
    number = int(text)
    return number if minimum <= number <= LARGEST_SETTING else None


def read_query(raw: bytes) -> dict[str, str]:
    """A query string, in which each name may occur only once."""
    query: dict[str, str] = {}
    for part in raw.split(b"&"):
        if not part:
            continue
        raw_name, _, raw_value = part.replace(b"+", b" ").partition(b"=")
        name = _unquote(raw_name, "query")
        value = _unquote(raw_value, "query")
        if name in query:
            raise Invalid(name, "is given more than once")
        query[name] = value
    return query


def read_segment(raw: str) -> str:
    """One segment of a raw path, decoded once."""
    return _unquote(raw.encode("latin-1"), "path")


def read_body(content: bytes, media_type: str) -> dict[str, object]:
    """A JSON object (§1: Content-Type application/json on requests that carry a body)."""
    if media_type.partition(";")[0].strip().lower() != "application/json":
        raise Invalid("Content-Type", "must be application/json on a request that carries a body")
    document = parse_json(content)
    if not isinstance(document, dict):
        raise Refusal("The request body is invalid: it must be a JSON object")
    return document


def parse_json(content: bytes) -> object:
    try:
        document = json.loads(
            content.decode(), parse_constant=_refuse_constant, parse_float=_finite
        )
    except (ValueError, RecursionError) as error:
        raise Refusal(f"The request body is invalid: it is not JSON ({error})") from error
    _require_shallow(document)
    return document


def _require_shallow(document: object) -> None:
    """Refuse nesting that would exhaust the stack when the document is serialized again."""
    level: Iterable[object] = [document]
    for _ in range(DEEPEST):
        level = list(chain.from_iterable(_children(node) for node in level))
        if not level:
            return
    raise Refusal(f"The request body is invalid: it is nested deeper than {DEEPEST} levels")


def _children(node: object) -> Iterable[object]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()


def _refuse_constant(text: str) -> float:
    """Refuse NaN and Infinity, which Python parses although they are not JSON."""
    raise ValueError(f"{text} is no JSON value")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse_constant(text)


def _unquote(raw: bytes, place: str) -> str:
    try:
        return unquote_to_bytes(raw).decode() if b"%" in raw else raw.decode()
    except UnicodeDecodeError as error:
        raise Refusal(
            f"The {place} of the request is invalid: it is not percent-encoded UTF-8"
        ) from error


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
