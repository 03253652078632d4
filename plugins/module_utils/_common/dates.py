# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dates among the options of a task. JSON has none, so a module would take one that YAML read for the text it may have
been: they are marked on the way, so that the module can refuse them.
"""

from __future__ import annotations

import datetime
from typing import Any

from .nested import replaced

MARK = "hosting.platform.date"


def marked(value: Any) -> Any:
    """The value with each date in a form that JSON can represent. The same object if it contains no date."""
    return replaced(value, lambda part: {MARK: part.isoformat()} if isinstance(part, datetime.date) else part)


def unmarked(value: Any) -> Any:
    """The value with the dates that were marked."""
    return replaced(value, _unmarked)


def as_text(value: Any) -> Any:
    """The value with each date as text."""
    return replaced(value, lambda part: part.isoformat() if isinstance(part, datetime.date) else part)


def _unmarked(part: Any) -> Any:
    if isinstance(part, dict) and list(part) == [MARK]:
        try:
            kind = datetime.datetime if "T" in part[MARK] else datetime.date
            return kind.fromisoformat(part[MARK])
        except (TypeError, ValueError):
            pass
    return part
