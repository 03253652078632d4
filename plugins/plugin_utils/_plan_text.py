# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as people read it in a terminal: a line per change, with all that it sends. Pure, from the module's result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._text import printable, some_of
from ._outcome import NOT_INVITED, REASONS, STATES, Values, change_of, how_to_apply, is_applicable
from ._words import kind_in_words, numbers_of_kinds, value_as_text

LINES_OF_A_RUN = 100
LONGEST_VALUE = 80
LONGEST_NAME = 300
PLAIN = frozenset("._-@/:")
SIGNS = {"create": "+", "update": "~", "move": "~", "invite": "+", "delete": "-"}
# What cannot be taken back.
GRAVE = ("move", "invite", "delete")


class Line(NamedTuple):
    """``sign``: ``+``, ``~`` or ``-`` for a change, else empty. ``change``: what it is counted as."""

    sign: str
    text: str
    change: str = ""


def plan_lines(result: Values, *, is_check: bool, is_whole: bool = False, option_prefix: str = "") -> list[Line]:
    """The plan in a result of the module: what matters most stands last, where people look. A run shows the first of
    many lines, unless ``is_whole``.

    ``option_prefix``: what precedes the module's options where the reader sets them.
    """
    is_whole = is_whole or is_check
    changes = [_line(row) for row in _in_order(result["results"])]
    notes = [*_undeclared(result["undeclared"], is_whole), *_skipped(result["results"], option_prefix)]
    last = [_totals(result), *([how_to_apply(option_prefix)] if is_applicable(result, is_check) else [])]
    return [*map(_note, notes), *(changes if is_whole else _first(changes)), *map(_note, last)]


def plan_text(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def quoted(value: Any, longest: int = LONGEST_VALUE) -> str:
    """A value on one line: in quotes unless it is plain, with what does not print escaped, and cut if long."""
    text = value_as_text(value)
    if text and all(character.isalnum() or character in PLAIN for character in text) and len(text) <= longest:
        return text
    shown = text[:longest].replace("\\", "\\\\").replace('"', '\\"')
    more = f" (cut: {len(text):,} characters)" if len(text) > longest else ""
    return f'"{printable(shown)}"{more}'


def _note(text: str) -> Line:
    return Line("", text)


def _in_order(results: Iterable[Values]) -> list[Values]:
    """The pending rows by kind and team, the grave ones last."""
    kinds = list(KINDS)

    def place(row: Values) -> tuple[int, int, str]:
        change = change_of(row)
        return (GRAVE.index(change) + 1 if change in GRAVE else 0, kinds.index(row["kind"]), row["team"] or "")

    return sorted((row for row in results if row["action"] in SIGNS), key=place)


def _line(row: Values) -> Line:
    change = change_of(row)
    parts = [f"{SIGNS[change]} {_object_in_words(row)}", *_values_sent(row)]
    if row["along"]:
        parts.append(f"and {', '.join(_object_in_words(thing, row['team']) for thing in row['along'])}")
    if row["not_compared"]:
        parts.append(f"(not compared: {', '.join(map(quoted, row['not_compared']))})")
    if row["source"]:
        parts.append(quoted(row["source"], LONGEST_NAME))
    return Line(SIGNS[change], "  ".join(parts), change)


def _object_in_words(row: Values, among: str | None = None) -> str:
    """``project acme/shop``; ``project shop`` in the own scope, and ``among`` others of its team."""
    name = f"{row['team']}/{row['name']}" if row["team"] and row["team"] != among else row["name"]
    return f"{kind_in_words(row['kind'])} {quoted(name, LONGEST_NAME)}"


def _values_sent(row: Values) -> Iterator[str]:
    """What is sent: the values of a creation, and of a change the old ones, too. A deletion sends nothing."""
    before, after = row["diff"]["before"], row["diff"]["after"]
    is_update = row["action"] == "update"
    name_field = KINDS[row["kind"]].name_field
    for field, value in after.items():
        if is_update and field in (name_field, "team"):
            verb = "moved" if field == "team" else "renamed"
            yield f"{verb} from {quoted(before[field], LONGEST_NAME) if before[field] else 'the own scope'}"
        elif field != name_field:
            yield f"{quoted(field)}: {f'{quoted(before.get(field))} -> ' if is_update else ''}{quoted(value)}"


def _first(lines: Sequence[Line]) -> list[Line]:
    """As many as a run shows, the grave ones before others, and how many more of what."""
    grave = [line for line in lines if line.change in GRAVE]
    others = [line for line in lines if line.change not in GRAVE]
    most = max(LINES_OF_A_RUN - len(grave), 0)
    hidden = Counter(_words(line.change) for line in (*others[most:], *grave[LINES_OF_A_RUN:]))
    more = ", ".join(f"{count:,} more {words}" for words, count in hidden.items())
    return [*others[:most], *([_note(f"... and {more}")] if hidden else []), *grave[:LINES_OF_A_RUN]]


def _undeclared(things: Sequence[Values], is_whole: bool) -> Iterator[str]:
    if things:
        names = list(map(_object_in_words, things))
        yield f"Undeclared: {some_of(names, len(names)) if is_whole else some_of(names)}."


def _skipped(results: Iterable[Values], option_prefix: str) -> Iterator[str]:
    counts = Counter(row["reason"] for row in results if row["action"] == "skip")
    if counts:
        reasons = ", ".join(f"{count:,} ({REASONS[reason]})" for reason, count in counts.items())
        hint = f" Set {option_prefix}invite to send invitations." if counts[NOT_INVITED] else ""
        yield f"Skipped: {reasons}.{hint}"


def _totals(result: Values) -> str:
    """``2 to create (1 team, 1 project), 1 to delete (1 project), 1 along with them; 40 unchanged.``"""
    kinds: dict[str, Counter[str]] = {change: Counter() for change in SIGNS}
    for row in result["results"]:
        if row["action"] in SIGNS:
            kinds[change_of(row)][row["kind"]] += 1
    parts = [
        f"{sum(counts.values()):,} {_words(change)} ({numbers_of_kinds(counts)})"
        for change, counts in kinds.items()
        if counts
    ]
    along = result["summary"]["along"]
    parts += [f"{along:,} along with them"] if along else []
    return f"{', '.join(parts) or 'Nothing to do'}; {result['summary']['none']:,} unchanged."


def _words(change: str) -> str:
    return STATES[change][0].lower()
