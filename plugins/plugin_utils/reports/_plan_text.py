# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as people read it in a terminal: a line per change, with all that it sends."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._text import common_length, join_some, number_of
from ._guards_line import guards_line
from ._quoting import (
    LONGEST_NAME,
    Row,
    object_label,
    object_name,
    quote,
    quote_name,
    value_as_text,
)
from ._result_view import STATES, UNDECLARED, ResultView, cascade_by_kind, team_of

LINES_OF_A_RUN = 100
WARNINGS_OF_A_RUN = 20
LONGEST_VALUE = 2_000
LONGEST_VALUE_OF_A_RUN = 80
# The most objects along that stand in the line of their deletion.
MOST_IN_LINE = 3
INDENT = "    "
SIGNS = {"create": "+", "update": "~", "invite": "+", "delete": "-"}
# What lines are about. The last are left out first where not all fits.
ORDER = ("reasons", "warnings", "delete", "invite", "update", UNDECLARED, "create")

# A line, and a word for what it is about.
Line = tuple[str, str]
# Shows a text by its role: a sign, or one of these.
Paint = Callable[[str, str], str]
BOLD = "bold"
WARNING = "warning"


def unpainted(text: str, _role: str) -> str:
    return text


def plan_text(view: ResultView, paint: Paint = unpainted, *, is_whole: bool = False) -> str:
    """The plan for a terminal. A run shows the first of many lines, unless ``is_whole``."""
    lines = _lines(view, paint, is_whole=is_whole or view.is_check)
    return _joined(*lines, paint(view.counts, BOLD), *view.notes, view.how_to_apply)


def end_text(
    view: ResultView, messages: Sequence[str], paint: Paint = unpainted, *, is_plan_shown: bool
) -> str:
    """The end of a task for a terminal: the plan, if it was not shown yet, the messages and the
    outcome.
    """
    outcome = paint(view.outcome, BOLD)
    if is_plan_shown or not view.has_plan:
        return _joined(*messages, outcome)
    lines = _lines(view, paint, is_whole=view.is_check)
    counts = paint(view.counts, BOLD) if view.counts != view.outcome else ""
    how = "" if view.is_failed else view.how_to_apply
    return _joined(*lines, counts, *view.notes, *messages, outcome, how)


def fitting(
    lines: Iterable[Line], room: int, size: Callable[[str], int]
) -> tuple[list[str], Counter[str]]:
    """The lines that fit into the room, in their order, and how many of which do not. Once a line
    is left out, so are those of all later words of ``ORDER``.
    """
    numbered = list(enumerate(lines))
    shown: dict[int, str] = {}
    left_out = Counter[str]()
    for number, (word, line) in sorted(numbered, key=lambda item: ORDER.index(item[1][0])):
        if size(line) <= room and left_out.keys() <= {word}:
            shown[number] = line
            room -= size(line)
        else:
            left_out[word] += 1
    return [shown[number] for number in sorted(shown)], left_out


def _joined(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _lines(view: ResultView, paint: Paint, *, is_whole: bool) -> Iterator[str]:
    """The lines above the counts, of which the first names the platform: the changes, what is
    undeclared, what planning warns of, and what holds, to be read before the deed.
    """
    if view.base_url:
        yield f"Plan for {paint(view.base_url, BOLD)}"
    longest = LONGEST_VALUE if is_whole else LONGEST_VALUE_OF_A_RUN
    changes = [(row["action"], _change(row, paint, longest)) for row in view.pending]
    room = sys.maxsize if is_whole else LINES_OF_A_RUN
    shown, left_out = fitting(changes, room, lambda _change: 1)
    yield from shown
    if left_out:
        more = (f"{count:,} more {STATES[word][0].lower()}" for word, count in left_out.items())
        yield f"... and {', '.join(more)}"
    undeclared = [undeclared_label(row) for row in view.undeclared]
    if undeclared:
        yield f"Undeclared: {', '.join(undeclared) if is_whole else join_some(undeclared)}."
    warnings = view.plan_warnings if is_whole else view.plan_warnings[:WARNINGS_OF_A_RUN]
    yield from (paint(f"Warning: {warning}", WARNING) for warning in warnings)
    more_warnings = len(view.plan_warnings) - len(warnings)
    if more_warnings:
        yield f"... and {number_of(more_warnings, 'more warning', 'more warnings')}"
    yield guards_line(view)


def undeclared_label(row: Row) -> str:
    """What no entry declares, marked where it is protected."""
    return f"{object_label(row)}{' (protected)' if row['protected'] else ''}"


def _change(row: Row, paint: Paint, longest: int) -> str:
    """The line of a change, and below it what goes along, where it is much."""
    line = "  ".join(parts_of_change(row, longest, paint))
    return f"\n{INDENT}".join([line, *long_cascade(row, paint)])


def describe_change(row: Row, before: Row) -> str:
    """A sentence about a step that was approved when it was another one."""
    now = ", ".join(parts_of_change(row, LONGEST_VALUE_OF_A_RUN))
    approved = ", ".join(parts_of_change(before, LONGEST_VALUE_OF_A_RUN))
    if now == approved:
        what = "it, or what it belongs to, has changed since, or is another object by now"
        return f"{now} was approved as the same, but {what}."
    return f"{now} was approved as {approved}."


def parts_of_change(row: Row, longest: int, paint: Paint = unpainted) -> Iterator[str]:
    """What the line of a change consists of."""
    sign = SIGNS[row["action"]]
    label = f" {object_label(row)}{' (failed)' if row.get('failed') else ''}"
    is_deletion = row["action"] == "delete"
    yield paint(f"{sign}{label}", sign) if is_deletion else f"{paint(sign, sign)}{label}"
    yield from _values_sent(row, longest, paint)
    if 0 < len(row["along"]) <= MOST_IN_LINE:
        along = ", ".join(object_label(deleted, team_of(row)) for deleted in row["along"])
        yield f"and {paint(along, '-')}"
    if row["not_compared"]:
        fields = ", ".join(quote_name(field) for field in row["not_compared"])
        yield f"(not compared: {fields})"
    if row["source"]:
        yield quote(row["source"], LONGEST_NAME)


def long_cascade(row: Row, paint: Paint = unpainted) -> Iterator[str]:
    """What goes along, where it is more than fits into the line: of each kind the number and all
    names.
    """
    if len(row["along"]) <= MOST_IN_LINE:
        return
    for title, objects in cascade_by_kind(row):
        names = ", ".join(object_name(deleted, team_of(row)) for deleted in objects)
        yield f"and {title}: {paint(names, '-')}"


def _values_sent(row: Row, longest: int, paint: Paint) -> Iterator[str]:
    """What is sent: the values of a creation, and of a change the old ones, too. A deletion sends
    nothing.
    """
    before = row["diff"]["before"]
    is_update = row["action"] == "update"
    name_field = KINDS[row["kind"]].name_field
    for field, value in row["diff"]["after"].items():
        old = before.get(field)
        if field == name_field:
            if is_update:
                yield f"renamed from {quote_name(old)}"
            continue
        start = _first_difference(old, value, longest)
        shown = paint(quote(value, longest, start), "+")
        if is_update:
            shown = f"{paint(quote(old, longest, start), '-')} -> {shown}"
        yield f"{quote_name(field)}: {shown}"


def _first_difference(before: Any, after: Any, longest: int) -> int:
    """The first character to show of two values if one is cut: a little before they differ."""
    old = value_as_text(before)
    new = value_as_text(after)
    if max(len(old), len(new)) <= longest:
        return 0
    return max(common_length(old, new) - longest // 4, 0)
