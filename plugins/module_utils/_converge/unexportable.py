# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be exported, and the selectors that leave it out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from .._api.masking import MASK
from .._errors import InvalidOption, PlatformError
from .._model.kind import Kind
from .._text import escape_line
from .blueprint.selectors import CONTROL_CHARACTER

# What a selector takes for a wildcard, refuses, or would make a template of the text around it.
SPECIAL_CHARACTER = re.compile(rf"[*?\[{{#]|{CONTROL_CHARACTER.pattern}|^\s|\s$")


class NotExportable(PlatformError):
    """Objects that no blueprint can say, each with why, and the ``ignore`` that leaves them out."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        """``problems``: by the selector of the object, as JSON."""
        advice = f"this leaves them out: [{', '.join(problems)}]"
        super().__init__(*dict.fromkeys(problems.values()), InvalidOption("ignore", advice))


def selector_of(kind: type[Kind], name: str, team: str) -> str:
    """The selector of an object, as JSON. One without a name is selected with all others.

    ``team``: its slug, ``""`` for the own scope. Both are masked.
    """
    selector = {"kind": kind.plural}
    if kind.is_in_team:
        selector["team"] = _pattern_of(team)
    if name:
        selector["name"] = _pattern_of(name)
    return json.dumps(selector, ensure_ascii=False)


def _pattern_of(text: str) -> str:
    """The pattern that matches a text, whatever a mask in it hides."""
    # Escaped in a message, these would be YAML, and no JSON.
    shown = "".join("?" if escape_line(each).startswith("\\U") else each for each in text)
    return "*".join(SPECIAL_CHARACTER.sub("?", part) for part in MASK.split(shown))
