# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets that a service repeats, taken out of what leaves a run. ansible-core does so by itself only up to 2.21."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote, quote_plus

# As core writes them, up to 2.21, for a text that is a secret, and for one that holds one.
WHOLE = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
PART = "********"

# Most keys of a result are its own words, and a short secret may be one of them.
SHORTEST_IN_KEYS = 8


def masked(value: Any, secrets: Iterable[Any]) -> Any:
    """The value without the secrets, be they a text, a part of one, a number or a key; also where they are escaped."""
    known = frozenset(str(secret) for secret in secrets if secret)
    return _masking(known).of(value) if known else value


@functools.lru_cache(maxsize=4)  # the results of a loop are searched for the same secrets
def _masking(secrets: frozenset[str]) -> _Masking:
    return _Masking(_pattern(secrets), _pattern(secret for secret in secrets if len(secret) >= SHORTEST_IN_KEYS))


def _pattern(secrets: Iterable[str]) -> re.Pattern[str]:
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, forms)) or "(?!)")


def _forms(secret: str) -> Iterator[str]:
    # Python's own error for what is no character would quote the secret.
    passing = {"errors": "surrogatepass"}
    yield from (secret, quote(secret, **passing), quote(secret, safe="", **passing), quote_plus(secret, **passing))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])


def _masked_text(text: str, secrets: re.Pattern[str]) -> str:
    return WHOLE if secrets.fullmatch(text) else secrets.sub(PART, text)


class _Masking:
    def __init__(self, in_values: re.Pattern[str], in_keys: re.Pattern[str]) -> None:
        self._in_values = in_values
        self._in_keys = in_keys

    def of(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _masked_text(value, self._in_values)
        if isinstance(value, (int, float)):
            return WHOLE if self._in_values.search(str(value)) else value
        if isinstance(value, dict):
            return self._of_object(value)
        if isinstance(value, (list, tuple)):
            return [self.of(item) for item in value]
        return value

    def _of_object(self, value: dict[Any, Any]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, item in value.items():
            name = _masked_text(key, self._in_keys) if isinstance(key, str) else key
            while name in found:  # two secrets of one object
                name += PART
            found[name] = self.of(item)
        return found
