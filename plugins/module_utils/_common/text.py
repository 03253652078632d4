# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from the service, made safe to display."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

# Unicode's Default_Ignorable_Code_Point ranges: these characters are invisible, though Python calls some printable.
IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
# Not ignorable, but blank: a Braille pattern, Egyptian blanks, a Khitan filler, a musical null.
BLANK = "\u2800\U00013441\U00013442\U00016fe4\U0001d159"
INVISIBLE = frozenset(BLANK).union(*(map(chr, range(first, last + 1)) for first, last in IGNORABLE))


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
