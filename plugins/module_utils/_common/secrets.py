# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Masking secrets that a service echoes in the output of a run. ansible-core does so itself only up to 2.21.

A text is searched both as written and with its escapes decoded: those of URLs, JSON and HTML, in any combination and
nested in each other. It is searched for parts of a secret, too.
"""

from __future__ import annotations

import functools
import html
import itertools
import json
import operator
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

# What core writes, up to 2.21, for a text that is a secret, and for one that contains one.
WHOLE = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
PART = "********"

# Most keys of a result are fixed words, which a short secret, or a part of one, may equal.
SHORTEST_IN_KEYS = 8
WORDS = re.compile(r"[a-z_]+")

# How many consecutive characters of a secret count as a part of it; the second for a part that may be a plain word.
PART_SIZE = 8
LONGER_THAN_WORDS = 16
# Any PART_SIZE characters contain HINT_SIZE that start at a multiple of HINT_STEP: that rules out most texts quickly.
HINT_SIZE, HINT_STEP = 5, 4

LINE = 200
MOST_NESTED = 5  # escapes within escapes
MARK = re.compile(r"[%\\&]")
ESCAPE = re.compile(
    r"%[0-9a-fA-F]{2}"
    r"|[\\%]u(?:[dD][89abAB][0-9a-fA-F]{2}[\\%]u[dD][c-fC-F]|[0-9a-fA-F]{2})[0-9a-fA-F]{2}"
    r"|\\x[0-9a-fA-F]{2}"
    r"""|\\["'/\\bfnrt]"""
    r"|&(?:#[0-9]{1,32}|#[xX][0-9a-fA-F]{1,32}|[a-zA-Z][a-zA-Z0-9]{1,31});?"
)


def masked(value: Any, secrets: Iterable[Any]) -> Any:
    """The value without the secrets, whether they are a text, a part of one, a number or a key, escaped or not."""
    known = frozenset(str(secret) for secret in secrets if secret)
    return _masking(known).of(value) if known else value


class _Masking:
    def __init__(self, secrets: Collection[str]) -> None:
        self._in_values = _Finder(secrets)
        self._in_keys = _InKeys([secret for secret in secrets if len(secret) >= SHORTEST_IN_KEYS])

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._in_values.masked(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return WHOLE if self._in_values.is_whole_in(str(value)) else value
        if isinstance(value, dict):
            return self._of_object(value)
        if isinstance(value, (list, tuple)):
            return [self.of(item) for item in value]
        return value

    def _of_object(self, value: dict[Any, Any]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, item in value.items():
            name = self._in_keys.masked(key) if isinstance(key, str) else key
            while name in found:  # two masked keys in one object
                name += PART
            found[name] = self.of(item)
        return found


_masking = functools.lru_cache(maxsize=4)(_Masking)  # the results of a loop are searched for the same secrets


class _Finder:
    """Finds secrets, and parts of them, in readings of texts."""

    def __init__(self, secrets: Collection[str]) -> None:
        # Also with escapes decoded: decoding a text decodes whatever looks like an escape in the secret itself.
        self._secrets = {reading for secret in secrets for reading in _readings(secret) if reading}
        self._short = [secret for secret in self._secrets if len(secret) < PART_SIZE]
        self._hints = self._pieces(HINT_SIZE)
        parts = {part for part in self._pieces(PART_SIZE) if not _may_be_word(part)}
        self._parts = {PART_SIZE: parts, LONGER_THAN_WORDS: self._pieces(LONGER_THAN_WORDS)}
        is_ascii = all(map(str.isascii, self._secrets))
        self._shortest = min([PART_SIZE, *map(len, self._secrets)]) if is_ascii else 1
        self._masked_line = functools.lru_cache(maxsize=1024)(self._masked_text)  # results are repetitive

    def _pieces(self, size: int) -> set[str]:
        return {secret[start : start + size] for secret in self._secrets for start in range(len(secret) - size + 1)}

    def masked(self, text: str) -> str:
        if len(text) < self._shortest:
            return text
        return self._masked_line(text) if len(text) <= LINE else self._masked_text(text)

    def is_whole_in(self, text: str) -> bool:
        return any(secret in text for secret in self._secrets)

    def _masked_text(self, text: str) -> str:
        if not any(map(self._may_be_in, _readings(text))):
            return text
        is_hidden = [False] * len(text)
        # Where in the text each character of a reading comes from, and the end of the text.
        places = [place for place, character in enumerate(text) for _byte in _narrow(character)] + [len(text)]
        for reading in _readings(text):
            for start, end in self._found(reading):
                while places[end] == places[end - 1]:  # the rest of the characters of one escape
                    end += 1
                is_hidden[places[start] : places[end]] = [True] * (places[end] - places[start])
            places = _places_decoded(places, reading)
        if all(is_hidden):
            return WHOLE
        runs = itertools.groupby(zip(is_hidden, text), operator.itemgetter(0))
        return "".join(PART if hidden else "".join(character for _hidden, character in run) for hidden, run in runs)

    def _may_be_in(self, reading: str) -> bool:
        """Rule out quickly, for most texts, that there is anything to mask."""
        for start in range(0, len(reading) - HINT_SIZE + 1, HINT_STEP):
            if reading[start : start + HINT_SIZE] in self._hints:
                return True
        return bool(self._short) and any(secret in reading for secret in self._short)

    def _found(self, reading: str) -> Iterator[tuple[int, int]]:
        for secret in self._secrets:
            start = reading.find(secret)
            while start >= 0:
                yield start, start + len(secret)
                start = reading.find(secret, start + 1)
        for size, parts in self._parts.items():
            for start in range(len(reading) - size + 1):
                if reading[start : start + size] in parts:
                    yield start, start + size


class _InKeys(_Finder):
    """The same in keys, most of which are fixed words."""

    def _masked_text(self, text: str) -> str:
        is_word = WORDS.fullmatch(text) and not self.is_whole_in(text)
        return text if is_word else super()._masked_text(text)


def _may_be_word(text: str) -> bool:
    return text.isalpha() and (text.islower() or text.isupper() or text.istitle())


def _readings(text: str) -> Iterator[str]:
    """The text as written, then with its escapes decoded, then with those nested in them, and so on.

    In each, a character is a byte of UTF-8, and a + is a space.
    """
    reading = _narrow(text).replace("+", " ")
    for _nested in range(MOST_NESTED + 1):
        yield reading
        if not MARK.search(reading):
            return
        decoded = ESCAPE.sub(lambda escape: _meaning(escape[0]), reading).replace("+", " ")
        if decoded == reading:
            return
        reading = decoded


def _places_decoded(places: Sequence[int], reading: str) -> list[int]:
    """The places of a reading's characters after its escapes are decoded: what one stands for is where it begins."""
    decoded: list[int] = []
    done = 0
    for escape in ESCAPE.finditer(reading):
        decoded += [*places[done : escape.start()], *[places[escape.start()]] * len(_meaning(escape[0]))]
        done = escape.end()
    return [*decoded, *places[done:]]


def _narrow(text: str) -> str:
    # Python's own error for a lone surrogate would quote the secret.
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")


@functools.lru_cache(maxsize=1024)
def _meaning(written: str) -> str:
    if written[0] == "&":
        return _narrow(html.unescape(written))
    if written[1] == "u":
        return _narrow(json.loads('"' + written.replace("%", "\\") + '"'))
    if written[0] == "%" or written[1] == "x":
        return chr(int(written[-2:], 16))
    return "'" if written[1] == "'" else str(json.loads(f'"{written}"'))
