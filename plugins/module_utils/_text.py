# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from the service, made safe to display."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

# Python calls these printable, or may do so once Unicode assigns them: what Unicode lets everyone ignore, other than
# format characters, and blanks: a Braille pattern, two Egyptian ones, a Khitan filler, a musical null.
RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0\u2800\U00013441\U00013442\U00016fe4\U0001d159"
).union(*(map(chr, range(first, last + 1)) for first, last in RANGES))


def printable(text: object) -> str:
    """The text on one line, with everything invisible, or that acts on a terminal, escaped.

    Control characters, line breaks, marks of reading direction and invisible characters become ``\\u001b`` and so on.
    """
    text = str(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _is_visible(character) else escaped(character) for character in text)


def printable_lines(text: str) -> str:
    """The text with its line breaks, and everything else as in ``printable``."""
    return "\n".join(map(printable, text.split("\n")))


def escaped(character: str) -> str:
    """The character as a numeric escape, as in JSON, YAML and Python."""
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _is_visible(character: str) -> bool:
    return character.isprintable() and character not in INVISIBLE


def did_you_mean(word: object, words: Iterable[object]) -> str:
    """A sentence that suggests the closest of the words whatever their case, empty if none is close."""
    as_written = {str(known).lower(): known for known in words if known}
    near = difflib.get_close_matches(str(word).lower(), as_written, n=1, cutoff=0.6)
    return f" Did you mean {as_written[near[0]]}?" if near else ""


def nearest(word: object, words: Collection[str]) -> str:
    """A sentence that suggests the closest of the words, or lists them all."""
    return did_you_mean(word, words) or f" Known names: {', '.join(words)}."


def some_of(names: Collection[str], most: int = 10) -> str:
    """The first of the names, and how many more there are: ``a, b and 7 more``."""
    shown = ", ".join(list(names)[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
