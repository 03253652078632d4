# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as people read it in a terminal: a line per change, with all that it sends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...module_utils._converge.items.item import NOT_INVITED
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
from ._result_view import (
    IRREVERSIBLE,
    STATES,
    ResultView,
    cascade_by_kind,
    in_order,
    team_of,
)

LINES_OF_A_RUN = 100
WARNINGS_OF_A_RUN = 20
LONGEST_VALUE = 2_000
LONGEST_VALUE_OF_A_RUN = 80
# The most objects along that stand in the line of their deletion.
MOST_IN_LINE = 3
INDENT = "    "
SIGNS = {"create": "+", "update": "~", "invite": "+", "delete": "-"}

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
    if view.how_to_apply and not view.is_failed:
        return _joined(*lines, *messages, outcome, *view.notes, view.how_to_apply)
    has_counts = (view.pending or view.reasons[NOT_INVITED]) and view.counts != view.outcome
    counts = paint(view.counts, BOLD) if has_counts else ""
    return _joined(*lines, counts, *view.notes, *messages, outcome)


def _joined(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _lines(view: ResultView, paint: Paint, *, is_whole: bool) -> Iterator[str]:
    """The lines above the counts, of which the first names the platform: the changes, what is
    undeclared, what planning warns of, and what holds, to be read before the deed.
    """
    if view.base_url:
        yield f"Plan for {paint(view.base_url, BOLD)}"
    yield view.skipped
    longest = LONGEST_VALUE if is_whole else LONGEST_VALUE_OF_A_RUN
    changes = [(row["action"], _change(row, paint, longest)) for row in in_order(view.pending)]
    shown_changes = changes if is_whole else _first(changes)
    yield from (text for _action, text in shown_changes)
    undeclared = [undeclared_label(row) for row in view.undeclared]
    if undeclared:
        shown = ", ".join(undeclared) if is_whole else join_some(undeclared)
        yield f"Undeclared: {shown}."
    warnings = view.plan_warnings if is_whole else view.plan_warnings[:WARNINGS_OF_A_RUN]
    yield from (paint(f"Warning: {warning}", WARNING) for warning in warnings)
    more = len(view.plan_warnings) - len(warnings)
    if more:
        yield f"... and {number_of(more, 'more warning', 'more warnings')}"
    yield guards_line(view)


def undeclared_label(row: Row) -> str:
    """What no entry declares, marked where it is protected."""
    return f"{object_label(row)}{' (protected)' if row['protected'] else ''}"


def _change(row: Row, paint: Paint, longest: int) -> str:
    """The line of a change, and below it what goes along, where it is much."""
    lines = ["  ".join(parts_of_change(row, longest, paint))]
    lines += [f"{INDENT}{part}" for part in long_cascade(row, paint)]
    return "\n".join(lines)


def describe_change(row: Row, before: Row) -> str:
    """A sentence about a step that was approved when it was another one."""
    now, approved = (
        ", ".join(parts_of_change(each, LONGEST_VALUE_OF_A_RUN)) for each in (row, before)
    )
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
    for title, objects in cascade_by_kind(row).items():
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
        if field == name_field:
            if is_update:
                yield f"renamed from {quote_name(before.get(field))}"
            continue
        old = ""
        start = 0
        if is_update:
            start = _first_difference(before.get(field), value, longest)
            old = f"{paint(quote(before.get(field), longest, start), '-')} -> "
        yield f"{quote_name(field)}: {old}{paint(quote(value, longest, start), '+')}"


def _first_difference(before: Any, after: Any, longest: int) -> int:
    """The first character to show of two values that are cut: a little before they differ, if that
    is late.
    """
    old = value_as_text(before)
    new = value_as_text(after)
    context = longest // 4
    same = common_length(old, new)
    is_late = max(len(old), len(new)) > longest and same > longest - context
    return same - context if is_late else 0


def _first(lines: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """As many as a run shows, the irreversible ones before others, and how many more of what."""
    irreversible = [line for line in lines if line[0] in IRREVERSIBLE]
    others = [line for line in lines if line[0] not in IRREVERSIBLE]
    most = max(LINES_OF_A_RUN - len(irreversible), 0)
    left_out = [*others[most:], *irreversible[LINES_OF_A_RUN:]]
    more: list[tuple[str, str]] = []
    if left_out:
        counts = Counter(STATES[action][0].lower() for action, _text in left_out)
        words = ", ".join(f"{count:,} more {words}" for words, count in counts.items())
        more = [("", f"... and {words}")]
    return [*others[:most], *more, *irreversible[:LINES_OF_A_RUN]]
