# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as people read it in a terminal: a line per change, with all that it sends. Pure, from the module's result."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._text import printable

Values = Mapping[str, Any]

LINES_OF_A_RUN = 100
LONGEST_VALUE = 80
PLAIN = frozenset("._-@/:")
GRAVE = ("move", "invite", "delete")
SIGNS = {"create": "+", "update": "~", "delete": "-", "invite": "+"}
TOTALS = {"create": "to create", "update": "to change", "move": "to move", "invite": "to invite", "delete": "to delete"}
HOW_TO_APPLY = (
    "Nothing was changed. To apply this plan, run it without check mode; to apply nothing else, set approved to its"
    " plan file or its steps."
)


class Line(NamedTuple):
    """``sign``: ``+``, ``~`` or ``-`` for a change, else empty. ``change``: what it is counted as."""

    sign: str
    text: str
    change: str = ""


def plan_lines(result: Values, *, is_check: bool, is_whole: bool = False) -> list[Line]:
    """The plan in a result of the module. A run shows the first of many lines, unless ``is_whole``."""
    changes = [_line(row) for row in _in_order(result["results"])]
    shown = changes if is_check or is_whole else _first(changes)
    notes = [*_undeclared(result["undeclared"]), *_skipped(result["results"]), _totals(result)]
    last = [HOW_TO_APPLY] if is_check and changes else []
    return [*shown, *(Line("", note) for note in (*notes, *last))]


def plan_text(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def _in_order(results: Iterable[Values]) -> list[Values]:
    """The pending rows by kind and team; what cannot be taken back stands last, where people look."""
    kinds, turns = list(KINDS), list(TOTALS)
    pending = [row for row in results if row["action"] in SIGNS]

    def place(row: Values) -> tuple[Any, ...]:
        change = _change_of(row)
        return (turns.index(change) if change in GRAVE else 0, kinds.index(row["kind"]), row["team"] or "")

    return sorted(pending, key=place)


def _change_of(row: Values) -> str:
    return "move" if row["action"] == "update" and "team" in row["diff"]["after"] else str(row["action"])


def _line(row: Values) -> Line:
    parts = [f"{SIGNS[row['action']]} {_named(row)}", *_told(row)]
    if row["along"]:
        parts.append(f"and {', '.join(_named(thing, row['team']) for thing in row['along'])}")
    if row["not_compared"]:
        parts.append(f"(not compared: {', '.join(map(quoted, row['not_compared']))})")
    if row["source"]:
        parts.append(quoted(row["source"]))
    return Line(SIGNS[row["action"]], "  ".join(parts), _change_of(row))


def _named(row: Values, among: str | None = None) -> str:
    """``project acme/shop``; ``project shop`` in the own scope, and ``among`` others of its team."""
    name = f"{row['team']}/{row['name']}" if row["team"] and row["team"] != among else row["name"]
    return f"{KINDS[row['kind']].singular.replace('_', ' ')} {quoted(name)}"


def _told(row: Values) -> Iterator[str]:
    """What is sent: the values of a creation, and of a change the old ones, too. A deletion sends nothing."""
    before, after = row["diff"]["before"], row["diff"]["after"]
    names_itself = KINDS[row["kind"]].name_field
    if row["action"] == "delete":
        return
    if row["action"] == "update" and names_itself in after:
        yield f"renamed from {quoted(before[names_itself])}"
    if _change_of(row) == "move":
        yield f"moved from {quoted(before['team'])}"
    for field, value in after.items():
        if field == names_itself or (field == "team" and _change_of(row) == "move"):
            continue
        old = f"{quoted(before.get(field))} -> " if row["action"] == "update" else ""
        yield f"{quoted(field)}: {old}{quoted(value)}"


def quoted(value: Any) -> str:
    """A value on one line: in quotes unless it is plain, with what does not print escaped, and cut if long."""
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if text and all(character.isalnum() or character in PLAIN for character in text) and len(text) <= LONGEST_VALUE:
        return text
    shown = text[:LONGEST_VALUE].replace("\\", "\\\\").replace('"', '\\"')
    more = f" (cut: {len(text):,} characters)" if len(text) > LONGEST_VALUE else ""
    return f'"{printable(shown)}"{more}'


def _first(lines: Sequence[Line]) -> list[Line]:
    """As many as a run shows, those that cannot be taken back before others, and how many more of what."""
    grave = [line for line in lines if line.change in GRAVE]
    others = [line for line in lines if line.change not in GRAVE]
    most = max(LINES_OF_A_RUN - len(grave), 0)
    hidden = Counter(TOTALS[line.change] for line in (*others[most:], *grave[LINES_OF_A_RUN:]))
    more = ", ".join(f"{count:,} more {what}" for what, count in hidden.items())
    return [*others[:most], *grave[:LINES_OF_A_RUN], *([Line("", f"... and {more}")] if hidden else [])]


def _undeclared(things: Sequence[Values]) -> Iterator[str]:
    if things:
        yield f"Undeclared: {', '.join(map(_named, things))}."


def _skipped(results: Iterable[Values]) -> Iterator[str]:
    counts = Counter(row["reason"] for row in results if row["action"] == "skip")
    if counts:
        yield f"Skipped: {', '.join(f'{count:,} ({reason})' for reason, count in counts.items())}."


def _totals(result: Values) -> str:
    """``2 to create (1 team, 1 project), 1 to delete (1 project) and 1 along; 40 unchanged.``"""
    kinds: dict[str, Counter[str]] = {change: Counter() for change in TOTALS}
    for row in (row for row in result["results"] if row["action"] in SIGNS):
        kinds[_change_of(row)][row["kind"]] += 1
    parts = [_total(change, counts) for change, counts in kinds.items() if counts]
    along = result["summary"]["along"]
    parts += [f"{along:,} along with them"] if along else []
    return f"{', '.join(parts) or 'Nothing to do'}; {result['summary']['none']:,} unchanged."


def _total(change: str, counts: Counter[str]) -> str:
    of_each = ", ".join(_counted(kind, count) for kind, count in counts.items())
    return f"{sum(counts.values()):,} {TOTALS[change]} ({of_each})"


def _counted(kind: str, count: int) -> str:
    words = kind if count != 1 else KINDS[kind].singular
    return f"{count:,} {words.replace('_', ' ')}"
