# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from the service, made safe to display."""

from __future__ import annotations

import heapq
import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

# How the runners of a forge recognize a command in a line of output: the first also in its middle.
COMMAND = re.compile(r"##(?=\[|vso\[)|::(?=[a-z])", re.IGNORECASE)
# Unicode's Default_Ignorable_Code_Point.
IGNORABLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Printable for Python, yet nothing to see: these, the blank Braille pattern, and a space after
# another.
INVISIBLE = re.compile(rf"{IGNORABLE.pattern}|\u2800|(?<= ) ")
# What YAML reads as the text that it is, wherever it stands, but for these words.
PLAIN_YAML = re.compile(r"[^\W\d_][\w.@/*-]*( [\w.@/*-]+)*")
# How many words are compared with one that is wrong: those with the most in common at both ends.
MOST_CANDIDATES = 50
YAML_WORDS = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")


def escape_line(text: object) -> str:
    """The text on one line, with everything escaped that acts on a terminal or on a runner, or that
    prints nothing: control characters, line breaks, marks of reading direction, spaces after a
    space and so on, as ``\\u001b``. What looks like another text because it is not in Unicode's NFC
    is escaped, too: ``cafe\\u0301`` beside ``café``.
    """
    text = COMMAND.sub(lambda begin: begin[0][0] + escape_character(begin[0][1]), str(text))
    text = INVISIBLE.sub(lambda character: escape_character(character[0]), text)
    if not _are_normalized(text):
        text = "".join(_escape_decomposed(text))
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else escape_character(character) for character in text
    )


def _escape_decomposed(text: str) -> Iterator[str]:
    """The characters, escaped where NFC would replace, join or reorder them."""
    base = previous = ""
    for character in text:
        normal = unicodedata.normalize("NFC", character)
        is_kept = normal == character and _are_normalized(base + normal, previous + normal)
        yield character if is_kept else escape_character(character)
        previous = normal
        if not unicodedata.combining(character):
            base = normal


def _are_normalized(*texts: str) -> bool:
    return all(unicodedata.is_normalized("NFC", text) for text in texts)


def escape_lines(text: str) -> str:
    """The text with its line breaks, and everything else as in ``escape_line``."""
    return "\n".join(map(escape_line, text.split("\n")))


def escape_character(character: str) -> str:
    """The character as a numeric escape, as in JSON, YAML and Python."""
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def common_length(one: str, other: str) -> int:
    """How many characters two texts have in common at the beginning."""
    length = 0
    for this, that in zip(one, other):
        if this != that:
            break
        length += 1
    return length


def closest(word: object, words: Iterable[object]) -> str:
    """The closest of the words whatever their case, empty if none is close."""
    import difflib  # few tasks misspell a name

    text = str(word).lower()
    as_written = {str(known).lower(): str(known) for known in words if known}
    # difflib would take seconds for thousands of names that are alike, and as long for each word.
    candidates = heapq.nlargest(
        MOST_CANDIDATES,
        as_written,
        key=lambda known: common_length(text, known) + common_length(text[::-1], known[::-1]),
    )
    near = difflib.get_close_matches(text, candidates, n=1, cutoff=0.6)
    return as_written[near[0]] if near else ""


def did_you_mean(word: object, words: Iterable[object]) -> str:
    """A sentence that suggests the closest of the words, empty if none is close."""
    near = closest(word, words)
    return f" Did you mean {yaml_text(near)}?" if near else ""


def yaml_text(text: object) -> str:
    """The text as YAML, for messages that say what to write: in double quotes unless YAML reads it
    as it is. What cannot be told from other characters by the eye is escaped, also what Unicode's
    NFKC replaces: ``"cafe\\u0301"``.
    """
    text = str(text)
    is_plain = PLAIN_YAML.fullmatch(text) and text.lower() not in YAML_WORDS
    if is_plain and _escape_look_alikes(text) == text:
        return text
    return quote_value(text)


def quote_value(value: object) -> str:
    """A value as YAML, text in double quotes and escaped as in ``yaml_text``; null as ``""``."""
    return _escape_look_alikes(json.dumps("" if value is None else value, ensure_ascii=False))


def visible_name(name: object) -> str:
    """A name for messages: in quotes if white space at an end would not be seen."""
    text = str(name)
    return text if text == text.strip() else yaml_text(text)


def _escape_look_alikes(text: str) -> str:
    characters = (
        character if unicodedata.is_normalized("NFKC", character) else escape_character(character)
        for character in text
    )
    return escape_line("".join(characters))


def number_of(count: int, singular: str, plural: str) -> str:
    """The number, and the words for one or for several."""
    return f"{count:,} {singular if count == 1 else plural}"


def suggest_or_list(word: object, words: Collection[str]) -> str:
    """A sentence that suggests the closest of the words, or lists them all."""
    return did_you_mean(word, words) or f" Known names: {', '.join(words)}."


def join_some(names: Collection[str], most: int = 10) -> str:
    """The first of the names, and how many more there are: ``a, b and 7 more``."""
    shown = ", ".join(list(names)[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
