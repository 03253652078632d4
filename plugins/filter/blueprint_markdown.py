# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_markdown
short_description: Convert the result of a blueprint into Markdown for a comment
version_added: 1.0.0
description:
  - Converts a result of M(hosting.platform.blueprint) into Markdown, for a comment on a pull or merge request, or for
    the summary of a job.
  - The text has at most 65,000 characters, because the length of comments is limited. Failures and deletions come
    first. Entries that do not fit are counted.
  - Text from the service and from the blueprint is written as code, so that none of it becomes a link, a mention, a
    reference, an image or HTML.
  - Accepts the result of a failed task as well.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
extends_documentation_fragment:
  - hosting.platform.outcome
options:
  drift:
    description:
      - Whether the task in check mode was to find drift. The title is then C(Drift report), and otherwise C(Plan).
    type: bool
    default: false
  time:
    description: The time of the task, as the text should show it. By default, the current time in UTC.
    type: str
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_report
    plugin_type: filter
  - plugin: hosting.platform.blueprint_plan
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Predict the changes
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
  check_mode: true
  register: drift

- name: Write the comment to a file
  ansible.builtin.copy:
    content: "{{ drift | hosting.platform.blueprint_markdown(check_mode=true) }}"
    dest: comment.md
    mode: "0644"
"""

RETURN = r"""
_value:
  description: The Markdown.
  type: str
  sample: |
    ## Plan

    **1 of 5 entries differs from the platform.**
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..plugin_utils._markdown import code, head, row
from ..plugin_utils._outcome import Outcome
from ..plugin_utils._registered import STATES, UNDECLARED, Change, Entry, Thing

LIMIT = 65_000
# The maximum length of the note on what was left out.
NOTE = 500
# Maximum lengths: of a line of a guard's message, of all lines but the first of each guard, of an entry's failure, of a
# value, of the list of what goes along with a deletion, of a name, of a warning.
REFUSAL = 600
REFUSALS = 4_000
FAILURE = 500
VALUE = 2_000
ALONG = 4_000
NAME = 300
WARNING = 300
WARNINGS = 10
# The most important first: what does not fit is cut from the end.
ORDER = [state for state in STATES if state not in ("none", UNDECLARED)]


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_markdown": blueprint_markdown}


class Section(NamedTuple):
    """A table: ``word`` describes its rows, after their number."""

    word: str
    titles: Sequence[str]
    rows: Sequence[str]


def blueprint_markdown(
    outcome: Mapping[str, Any],
    check_mode: bool = False,
    time: str | None = None,
    drift: bool = False,
    option_prefix: str = "",
) -> str:
    model = Outcome(outcome, check_mode, time, finds_drift=drift, option_prefix=option_prefix)
    text = _overview(model)
    left_out = []
    for section in _sections(model):
        room = LIMIT - NOTE - len(text)
        fitting = _fitting(section.rows, room - len(_beginning(section)))
        if fitting:
            text += _beginning(section) + "".join(fitting)
        if len(fitting) < len(section.rows):
            left_out.append(f"{len(section.rows) - len(fitting):,} {section.word}")
    if left_out:
        text += f"\n**Cut to {LIMIT:,} characters.** Not listed above: {', '.join(left_out)}.\n"
    return text


def _overview(model: Outcome) -> str:
    mode = "check mode: nothing was written" if model.is_check else "run"
    facts = [code(model.base_url, NAME)] if model.base_url else []
    facts += [code(model.time, NAME), mode]
    if model.requests is not None:
        facts.append(f"{model.requests:,} requests")
    parts = [f"## {model.title}\n", f"**{model.verdict}**\n"]
    if model.is_refused or not model.has_plan:
        parts.append(_causes(model.causes.values()))
    if model.has_plan:
        parts.append(f"{_counts(model)}\n")
    parts += [f"{code(note)}\n" for note in model.notes]
    parts.append(f"{', '.join(facts)}\n")
    if model.warnings:
        parts.append("".join(f"- Warning: {code(warning, WARNING)}\n" for warning in model.warnings[:WARNINGS]))
    if len(model.warnings) > WARNINGS:
        parts.append(f"and {len(model.warnings) - WARNINGS:,} more warnings\n")
    return "\n".join(parts)


def _causes(causes: Iterable[Sequence[str]]) -> str:
    """A list in which each guard gets at least one line, however long the others are."""
    text, room = "", REFUSALS
    for messages in causes:
        first, *others = [f"- {code(message, REFUSAL)}\n" for message in messages]
        fitting = _fitting(others, room)
        room -= sum(map(len, fitting))
        more = len(others) - len(fitting)
        text += "".join([first, *fitting]) + (f"- and {more:,} more like these\n" if more else "")
    return text


def _counts(model: Outcome) -> str:
    counts = [model.counted(state) for state in STATES if model.count(state)]
    return ", ".join(counts) or "No entries"


def _sections(model: Outcome) -> Iterator[Section]:
    before, after = model.sides
    sides = f"{before} → {after}"
    titles = {"failed": "Failure", "create": after, "update": sides, "delete": before, "invite": after, "skip": "Why"}
    for state in ORDER:
        if model.count(state):
            columns = ("Kind", "Name", "Team", titles[state], "Source")
            yield Section(model.word(state).lower(), columns, [_row(entry) for entry in model.of(state)])
    unseen = [entry for entry in model.of("none") if entry.not_compared]
    if unseen:
        yield Section(
            "unchanged, and not compared", ("Kind", "Name", "Team", "Fields", "Source"), list(map(_row, unseen))
        )
    if model.undeclared:
        rows = [row(*_thing(thing), thing.reason or "It is kept.") for thing in model.undeclared]
        yield Section("undeclared", ("Kind", "Name", "Team", "Remark"), rows)


def _beginning(section: Section) -> str:
    return f"\n### {len(section.rows):,} {section.word}\n\n{head(*section.titles)}"


def _fitting(lines: Sequence[str], room: int) -> Sequence[str]:
    """The lines that fit, in order."""
    fitting = []
    for line in lines:
        if len(line) <= room:
            fitting.append(line)
            room -= len(line)
    return fitting


def _row(entry: Entry) -> str:
    parts = [f"{entry.intention.capitalize()}: {code(entry.message, FAILURE)}"] if entry.message else []
    what = "<br>".join(filter(None, [*parts, entry.reason, _changes(entry), _along(entry), _not_compared(entry)]))
    return row(*_thing(entry), what, code(entry.source, NAME) if entry.source else "")


def _thing(thing: Thing) -> tuple[str, str, str]:
    return thing.kind_in_words, code(thing.name, NAME), code(thing.team, NAME)


def _changes(entry: Entry) -> str:
    return ", ".join(f"{code(change.field, NAME)}: {_change(change)}" for change in entry.changes)


def _change(change: Change) -> str:
    return " → ".join(code(side, VALUE) for side in (change.before, change.after) if side is not None)


def _along(entry: Entry) -> str:
    names: list[str] = []
    for thing in entry.along:
        kind, name, team = _thing(thing)
        names.append(f"{kind} {name}" + (f" of {team}" if thing.team != entry.team else ""))
        if sum(map(len, names)) > ALONG:
            break
    rest = len(entry.along) - len(names)
    more = f" and {rest:,} more (cut)" if rest else ""
    return f"goes along: {', '.join(names)}{more}" if names else ""


def _not_compared(entry: Entry) -> str:
    return f"not compared: {', '.join(code(field) for field in entry.not_compared)}" if entry.not_compared else ""
