# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as people read it, in a terminal and as Markdown: a line per change, with all that it sends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..module_utils._model.kinds.registry import KINDS, numbers_of_kinds
from ..module_utils._text import printable, some_of
from ._outcome import STATES, UNDECLARED, Report, Values, change_of, state_of, value_as_text

LINES_OF_A_RUN = 100
LONGEST_VALUE = 80
LONGEST_NAME = 300
PLAIN = frozenset("._-@/:")
SIGNS = {"create": "+", "update": "~", "move": "~", "invite": "+", "delete": "-"}
# What cannot be taken back stands last in a terminal, where people look, and first in Markdown, whose end may be cut.
GRAVE = ("move", "invite", "delete")
GRAVEST_FIRST = ("delete", "move", "invite", "update", UNDECLARED, "create")

# The most characters of Markdown, of its first line, and of a value and a part of a line in it.
LIMIT = 65_000
FIRST_LINE = 500
LONGEST_VALUE_IN_MARKDOWN = 2_000
LONGEST_PART = 5_000


def plan_text(report: Report, *, is_whole: bool = False) -> str:
    """The plan for a terminal. A run shows the first of many lines, unless ``is_whole``."""
    is_whole = is_whole or report.is_check
    changes = [(change_of(row), "  ".join(_parts(row))) for row in _in_order(report.rows)]
    names = list(map(object_in_words, report.undeclared))
    undeclared = some_of(names, len(names)) if is_whole else some_of(names)
    lines = [
        *([f"Undeclared: {undeclared}."] if names else []),
        *filter(None, [report.skipped]),
        *([text for _change, text in changes] if is_whole else _first(changes)),
        _totals(report, is_done=False),
        *([report.how_to_apply] if report.is_applicable else []),
    ]
    return "\n".join(lines)


def markdown(report: Report) -> str:
    """The result for a comment on GitHub, GitLab and the like, of limited length.

    Untrusted text has no effect in it: all of it is in one block of code, whose lines, which we begin, cannot end it.
    """
    begin = "\n\n".join([*_head(report), "```diff\n"])
    why = [("reasons", f"! {_cut(cause)}\n") for cause in report.causes]
    why += [("warnings", f"! Warning: {_cut(warning)}\n") for warning in report.warnings]
    what = [
        (change_of(row), "\n    · ".join(map(_cut, _parts(row, LONGEST_VALUE_IN_MARKDOWN))) + "\n")
        for row in _in_order(report.rows)
    ]
    what += [(UNDECLARED, f"# undeclared: {object_in_words(thing)}\n") for thing in report.undeclared]
    what.sort(key=lambda line: GRAVEST_FIRST.index(line[0]))
    about = "".join(f"# {line}\n" for line in _facts(report))
    reasons, left_out = _fitting(why, LIMIT // 4)
    changes, more = _fitting(what, LIMIT - FIRST_LINE - len(begin) - len(about) - len(reasons))
    left_out.update({report.word(change).lower(): count for change, count in more.items()})
    words = ", ".join(f"{count:,} {word}" for word, count in left_out.items())
    cut = f"**Cut to {LIMIT:,} characters. Not listed: {words}.**\n\n" if words else ""
    return f"{cut}{begin}{about}{reasons}{changes}```\n"


def _head(report: Report) -> Iterator[str]:
    """What has no text of others in it."""
    yield f"## {report.title}"
    yield f"**{report.verdict}**"
    if report.has_plan:
        yield _totals(report, is_done=report.is_done)
    if report.is_applicable:
        yield report.how_to_apply


def _facts(report: Report) -> Iterator[str]:
    if report.base_url:
        yield report.base_url
    requests = "" if report.requests is None else f", {report.requests:,} requests"
    yield f"{report.time}, {'check mode: nothing was changed' if report.is_check else 'run'}{requests}"
    yield from report.notes


def _fitting(lines: Iterable[tuple[str, str]], room: int) -> tuple[str, Counter[str]]:
    """The lines that fit, and how many of which do not."""
    fitting, left_out = [], Counter[str]()
    for word, line in lines:
        if len(line) <= room:
            fitting.append(line)
            room -= len(line)
        else:
            left_out[word] += 1
    return "".join(fitting), left_out


def quoted(value: Any, longest: int = LONGEST_VALUE) -> str:
    """A value on one line: in quotes unless it is plain, with what does not print escaped, and cut if long."""
    text = value_as_text(value)
    if text and all(character.isalnum() or character in PLAIN for character in text) and len(text) <= longest:
        return text
    shown = text[:longest].replace("\\", "\\\\").replace('"', '\\"')
    more = f" (cut: {len(text):,} characters)" if len(text) > longest else ""
    return f'"{printable(shown)}"{more}'


def _cut(part: str) -> str:
    return part if len(part) <= LONGEST_PART else f"{part[:LONGEST_PART]} … (cut: {len(part):,} characters)"


def _in_order(rows: Iterable[Values]) -> list[Values]:
    """The pending rows by kind and team, the grave ones last."""
    kinds = list(KINDS)

    def place(row: Values) -> tuple[int, int, str]:
        change = change_of(row)
        return (GRAVE.index(change) + 1 if change in GRAVE else 0, kinds.index(row["kind"]), row["team"] or "")

    return sorted((row for row in rows if row["action"] in SIGNS), key=place)


def _parts(row: Values, longest_value: int = LONGEST_VALUE) -> Iterator[str]:
    """What the line of a change consists of."""
    yield f"{SIGNS[change_of(row)]} {object_in_words(row)}{' (failed)' if row.get('failed') else ''}"
    yield from _values_sent(row, longest_value)
    if row["along"]:
        yield f"and {', '.join(object_in_words(thing, row['team']) for thing in row['along'])}"
    if row["not_compared"]:
        yield f"(not compared: {', '.join(map(quoted, row['not_compared']))})"
    if row["source"]:
        yield quoted(row["source"], LONGEST_NAME)


def object_in_words(row: Values, among: str | None = None) -> str:
    """``project acme/shop``; ``project shop`` in the own scope, and ``among`` others of its team."""
    name = f"{row['team']}/{row['name']}" if row["team"] and row["team"] != among else row["name"]
    return f"{KINDS[row['kind']].in_words()} {quoted(name, LONGEST_NAME)}"


def _values_sent(row: Values, longest: int) -> Iterator[str]:
    """What is sent: the values of a creation, and of a change the old ones, too. A deletion sends nothing."""
    before, after = row["diff"]["before"], row["diff"]["after"]
    is_update = row["action"] == "update"
    name_field = KINDS[row["kind"]].name_field
    for field, value in after.items():
        if is_update and field in (name_field, "team"):
            verb = "moved" if field == "team" else "renamed"
            yield f"{verb} from {quoted(before.get(field), LONGEST_NAME)}"
        elif field != name_field:
            old = f"{quoted(before.get(field), longest)} -> " if is_update else ""
            yield f"{quoted(field)}: {old}{quoted(value, longest)}"


def _first(lines: Sequence[tuple[str, str]]) -> list[str]:
    """As many as a run shows, the grave ones before others, and how many more of what."""
    grave = [line for line in lines if line[0] in GRAVE]
    others = [line for line in lines if line[0] not in GRAVE]
    most = max(LINES_OF_A_RUN - len(grave), 0)
    hidden = Counter(STATES[change][0].lower() for change, _text in (*others[most:], *grave[LINES_OF_A_RUN:]))
    more = ", ".join(f"{count:,} more {words}" for words, count in hidden.items())
    shown = [*others[:most], *([("", f"... and {more}")] if hidden else []), *grave[:LINES_OF_A_RUN]]
    return [text for _change, text in shown]


def _totals(report: Report, *, is_done: bool) -> str:
    """``2 to create (1 team, 1 project), 1 to delete (1 project), 1 along with them; 40 unchanged.``"""
    kinds: dict[str, Counter[str]] = {state: Counter() for state in ("failed", *SIGNS)}
    for row in report.rows:
        if row["action"] in SIGNS:
            kinds[state_of(row)][row["kind"]] += 1
    parts = [
        f"{sum(counts.values()):,} {STATES[state][is_done].lower()} ({numbers_of_kinds(counts)})"
        for state, counts in kinds.items()
        if counts
    ]
    along = sum(len(row["along"]) for row in report.rows)
    parts += [f"{along:,} along with them"] if along else []
    unchanged = sum(row["action"] == "none" for row in report.rows)
    return f"{', '.join(parts) or 'Nothing to do'}; {unchanged:,} unchanged."
