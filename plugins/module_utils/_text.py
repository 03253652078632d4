# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from the service, as a person may safely see it."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

# Printable for Python, and yet they change how the text around them is shown, or show nothing at all.
DECEPTIVE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def printable(text: object) -> str:
    """The text on one line, with everything that acts on a terminal or cannot be seen as an escape sequence.

    Control characters, line breaks, marks of reading direction and invisible characters become ``\\u001b`` and so on.
    """
    text = str(text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _is_visible(character) else escaped(character) for character in text)


def printable_lines(text: str) -> str:
    """The text with its line breaks, and nothing else that acts."""
    return "\n".join(map(printable, text.split("\n")))


def escaped(character: str) -> str:
    """The character as JSON, YAML and Python write it: by its number."""
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _is_visible(character: str) -> bool:
    return character.isprintable() and character not in DECEPTIVE


def did_you_mean(word: object, words: Iterable[object]) -> str:
    """A sentence that names the nearest of the words, empty where none is near."""
    near = difflib.get_close_matches(str(word), [str(known) for known in words if known], n=1, cutoff=0.6)
    return f" Did you mean {near[0]}?" if near else ""


def nearest(word: object, words: Collection[str]) -> str:
    """A sentence that names the nearest of the words, or all of them."""
    return did_you_mean(word, words) or f" Known names: {', '.join(words)}."


def some_of(names: Collection[str], most: int = 10) -> str:
    """The first of the names, and how many more there are: ``a, b and 7 more``."""
    shown = ", ".join(list(names)[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
