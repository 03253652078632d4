# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result as Markdown for comments on GitHub, GitLab and the like, of limited length.

Untrusted text has no effect in it: all of it is put in code spans, in which links, mentions, references, emoji and HTML
have no meaning. No line begins with it, as on GitLab a line that begins with a slash is a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._outcome import STATES, FieldChange, NamedObject, Presentation, Report, ReportEntry, Values
from ._plan_file import steps_checksum

LIMIT = 65_000
# The maximum length of the note on what was left out.
NOTE = 500
# Maximum lengths: of a line of a refusal or failure, of all of them, of an entry's failure, of a value, of the list of
# what goes along with a deletion, of a name, of a warning.
CAUSE = 600
CAUSES = 4_000
FAILURE = 500
VALUE = 2_000
ALONG = 4_000
NAME = 300
WARNING = 300
WARNINGS = 3_000
# The states of entries with a table; creations are left out first if not all fits.
TABLES = ("failed", "delete", "move", "invite", "update", "create", "skip")
LEAST = "create"
# Characters that would end a code span, or a table cell even inside one, are placed between spans instead.
BREAKING = re.compile(r"([`|]+)")
# Outside the spans, so that no text can imitate it. The arrow makes a line break at the end of a text visible, too.
LINE_BREAK = "↵<br>"


class Table(NamedTuple):
    """``word`` describes its rows, after their number."""

    state: str
    word: str
    titles: Sequence[str]
    rows: Sequence[str]

    @property
    def beginning(self) -> str:
        return f"\n### {len(self.rows):,} {self.word}\n\n{_row(*self.titles)}{_row(*['---'] * len(self.titles))}"


def markdown(result: Values, presentation: Presentation) -> str:
    report = Report(result, presentation)
    overview = _overview(report)
    tables = list(_tables(report))
    room = LIMIT - NOTE - len(overview)
    texts, left_out = [""] * len(tables), []
    for number, table in sorted(enumerate(tables), key=lambda numbered: numbered[1].state == LEAST):
        fitting = _fitting(table.rows, room - len(table.beginning))
        if fitting:
            texts[number] = table.beginning + "".join(fitting)
            room -= len(texts[number])
        if len(fitting) < len(table.rows):
            left_out.append(f"{len(table.rows) - len(fitting):,} {table.word}")
    cut = f"**Cut to {LIMIT:,} characters. Not listed: {', '.join(left_out)}.**\n\n" if left_out else ""
    return "".join([cut, overview, *texts])


def _overview(report: Report) -> str:
    mode = "check mode: nothing was written" if report.presentation.is_check else "run"
    facts = [code(report.base_url, NAME)] if report.base_url else []
    facts += [code(report.time, NAME), mode]
    if report.requests is not None:
        facts.append(f"{report.requests:,} requests")
    parts = [f"## {report.title}\n", f"**{report.verdict}**\n"]
    if report.is_refused or not report.has_plan:
        parts.append(_list(report.causes, CAUSE, CAUSES))
    if report.has_plan:
        counts = [report.counted(state) for state in STATES if report.count(state)]
        parts.append(f"{', '.join(counts) or 'No entries'}\n")
    parts += [f"{code(note)}\n" for note in report.notes]
    parts.append(f"{', '.join(facts)}\n")
    if report.is_applicable:
        parts.append(f"{report.how_to_apply}\n")
        parts.append(f"Checksum of its {len(report.steps):,} steps: `{steps_checksum(report.steps)}`\n")
    if report.warnings:
        parts.append(_list([f"Warning: {warning}" for warning in report.warnings], WARNING, WARNINGS))
    return "\n".join(parts)


def _tables(report: Report) -> Iterator[Table]:
    before, after = report.sides
    sides = f"{before} → {after}"
    titles = {"failed": "Failure", "delete": before, "update": sides, "move": sides, "skip": "Why"}
    for state in TABLES:
        if report.count(state):
            columns = ("Kind", "Name", "Team", titles.get(state, after), "Source")
            yield Table(state, report.word(state).lower(), columns, list(map(_entry, report.of(state))))
    unseen = [entry for entry in report.of("none") if entry.not_compared]
    if unseen:
        columns = ("Kind", "Name", "Team", "Fields", "Source")
        yield Table("none", "unchanged, and not compared", columns, list(map(_entry, unseen)))
    if report.undeclared:
        rows = [_row(*_cells_of(thing), thing.reason or "It is kept.") for thing in report.undeclared]
        yield Table("undeclared", "undeclared", ("Kind", "Name", "Team", "Remark"), rows)


def _entry(entry: ReportEntry) -> str:
    parts = [f"{entry.intention.capitalize()}: {code(entry.message, FAILURE)}"] if entry.message else []
    changes = ", ".join(f"{code(change.field, NAME)}: {_change(change)}" for change in entry.changes)
    not_compared = f"not compared: {', '.join(map(code, entry.not_compared))}" if entry.not_compared else ""
    what = "<br>".join(filter(None, [*parts, entry.reason, changes, _along(entry), not_compared]))
    return _row(*_cells_of(entry), what, code(entry.source, NAME) if entry.source else "")


def _cells_of(thing: NamedObject) -> tuple[str, str, str]:
    return thing.kind_in_words, code(thing.name, NAME), code(thing.team, NAME)


def _change(change: FieldChange) -> str:
    return " → ".join(code(side, VALUE) for side in (change.before, change.after) if side is not None)


def _along(entry: ReportEntry) -> str:
    names = []
    for thing in entry.along:
        kind, name, team = _cells_of(thing)
        names.append(f"{kind} {name}" + (f" of {team}" if thing.team != entry.team else ""))
    shown = _fitting(names, ALONG)
    more = f" and {len(names) - len(shown):,} more (cut)" if len(shown) < len(names) else ""
    return f"goes along: {', '.join(shown)}{more}" if names else ""


def _list(lines: Sequence[str], longest: int, room: int) -> str:
    """As many of the lines as fit, and how many more there are."""
    fitting = _fitting([f"- {code(line, longest)}\n" for line in lines], room)
    more = len(lines) - len(fitting)
    return "".join(fitting) + (f"- and {more:,} more like these\n" if more else "")


def _fitting(lines: Sequence[str], room: int) -> Sequence[str]:
    """The lines that fit, in order."""
    fitting = []
    for line in lines:
        if len(line) <= room:
            fitting.append(line)
            room -= len(line)
    return fitting


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def code(text: str, at_most: int | None = None) -> str:
    """The text verbatim, with its line breaks: none of it is markup, even in a table cell."""
    if not text:
        return "*empty*"
    if at_most is not None and len(text) > at_most:
        return f"{code(text[:at_most])} … ({len(text):,} characters, cut)"
    return LINE_BREAK.join(map(_code_of_line, text.split("\n")))


def _code_of_line(line: str) -> str:
    parts = BREAKING.split(line)
    return "".join(_entities(part) if index % 2 else _span(part) for index, part in enumerate(parts) if part)


def _span(text: str) -> str:
    """A code span; Markdown strips one space from each side if both have one and there is more than spaces."""
    padding = " " if text.startswith(" ") and text.endswith(" ") and text.strip(" ") else ""
    return f"`{padding}{text}{padding}`"


def _entities(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)
