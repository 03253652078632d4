# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds, values and numbers in words, as the outputs of a result share them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._text import escaped, printable_lines

SPACES_AT_AN_END = re.compile("(?<! ) +$", re.MULTILINE)


def kind_in_words(kind: str, count: int = 1) -> str:
    return (KINDS[kind].singular if count == 1 else kind).replace("_", " ")


def number_of(count: int, one: str, several: str) -> str:
    """The number, and the words for one or for several."""
    return f"{count:,} {one if count == 1 else several}"


def numbers_of_kinds(counts: dict[str, int]) -> str:
    """How many there are of each kind: ``2 teams, 1 project``."""
    return ", ".join(f"{count:,} {kind_in_words(kind, count)}" for kind, count in counts.items())


def enumeration(words: Sequence[str]) -> str:
    """``a, b and c``"""
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last


def value_as_text(value: Any) -> str:
    """The value of a field: text as it is, and nothing for ``None``."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def legible(text: str) -> str:
    """The text with its lines, as ``printable_lines``, and with the spaces at their ends, which nobody would see."""
    return SPACES_AT_AN_END.sub(lambda spaces: escaped(" ") * len(spaces[0]), printable_lines(text))
