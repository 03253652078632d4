# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the task ``blueprint`` says in a terminal: its plan in the colors of a diff, and why it failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible import constants
from ansible.utils.color import stringc

from ..module_utils._text import printable, some_of
from ._outcome import Presentation, Report, causes_of
from ._plan_file import Approval
from ._plan_text import Line

LINES = 10
LENGTH = 1_000
# As core shows a diff.
COLORS = {"+": "COLOR_DIFF_ADD", "-": "COLOR_DIFF_REMOVE", "~": "COLOR_CHANGED"}

Values = Mapping[str, Any]


def in_color(lines: Iterable[Line]) -> str:
    return "\n".join(
        stringc(line.text, constants.config.get_config_value(COLORS[line.sign])) if line.sign else line.text
        for line in lines
    )


def failure_message(result: Values, prefix: str, approval: Approval | None) -> str:
    """Why it failed, in the words of the reader."""
    lines = causes_of(result, prefix)
    if result.get("refused"):
        lines[-1] += " Nothing was written."
        if approval and approval.base_url not in (None, result["base_url"]):
            other = printable(approval.base_url)
            lines.append(f"The approved plan is for {other}, and this run for {result['base_url']}.")
    return "\n".join(lines)


def drift_message(result: Values, presentation: Presentation, is_drift: bool, is_undeclared: bool) -> str:
    """Why a check fails that has found what it looks for; empty if it has not."""
    report = Report(result, presentation)
    if is_drift and result["changed"]:
        return f"The platform has drifted: {report.verdict}"
    if is_undeclared and report.undeclared:
        names = [f"{thing.kind_in_words} {thing.name} of {thing.team}" for thing in report.undeclared]
        return f"The platform has undeclared objects: {some_of(names)}."
    return ""


def shortened(message: str) -> str:
    """The beginning of a message of many lines, for the end of a play."""
    lines = [line if len(line) <= LENGTH else f"{line[:LENGTH]} …" for line in message.split("\n")]
    return "\n".join([*lines[:LINES], *([f"And {len(lines) - LINES:,} lines more."] if len(lines) > LINES else [])])
