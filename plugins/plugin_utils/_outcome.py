# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The outcome of a blueprint: the one model behind the page, the Markdown, the plan file and the last line.

Every text of it may be shown as it is: on one line (values on as many as they have), with everything that acts on a
terminal or cannot be seen as an escape sequence. Quoting for a format is the format's.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ..module_utils._blueprint.results import ACTIONS
from ..module_utils._resources.kinds import KINDS
from ..module_utils._text import printable

Values = Mapping[str, Any]

PLAN_FORMAT = 1
OWN_SCOPE = "own scope"
# What may become of an entry: how it is said of a plan, and of what was done.
STATES = {
    "failed": ("Failed", "Failed"),
    "create": ("To create", "Created"),
    "update": ("To change", "Changed"),
    "delete": ("To delete", "Deleted"),
    "invite": ("To invite", "Invited"),
    "skip": ("Skipped", "Skipped"),
    "none": ("Unchanged", "Unchanged"),
}
DIFFERENCES = ("create", "update", "delete")
PROTECTED = "It is protected and never deleted."
REASONS = {
    "protected": PROTECTED,
    "dependency": "An entry that it depends on failed.",
}


@dataclasses.dataclass(frozen=True)
class Change:
    """One field: its values before and after, ``""`` where there is none."""

    field: str
    before: str
    after: str


@dataclasses.dataclass(frozen=True)
class Thing:
    """One object: its kind as the blueprint calls it, its name, and whose it is, in words."""

    kind: str
    name: str
    team: str


@dataclasses.dataclass(frozen=True)
class Entry(Thing):
    """One result. ``state``: a key of STATES; ``reason``: why it is skipped; ``message``: why it failed;
    ``along``: what is deleted with it; ``has_before``, ``has_after``: which sides there are.
    """

    action: str
    state: str
    changed: bool
    source: str
    reason: str
    message: str
    changes: Sequence[Change]
    along: Sequence[Thing]
    has_before: bool
    has_after: bool

    @property
    def intention(self) -> str:
        """The intended action in words: ``to create``."""
        return STATES[self.action][0].lower()


@dataclasses.dataclass(frozen=True)
class Undeclared(Thing):
    """One object that is there and that no entry declares."""

    protected: bool

    @property
    def remark(self) -> str:
        return PROTECTED if self.protected else ""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """``is_check``: whether this was check mode; ``has_plan``: whether it came to a plan at all.

    ``is_refused``: whether that plan was not allowed; ``along``: how many objects are deleted along with others.
    """

    is_check: bool
    has_plan: bool
    is_refused: bool
    failed: bool
    message: str
    base_url: str
    time: str
    requests: int | None
    warnings: Sequence[str]
    entries: Sequence[Entry]
    undeclared: Sequence[Undeclared]
    along: int

    @property
    def is_done(self) -> bool:
        """Tell whether the entries tell what was done, and not what would be."""
        return not (self.is_check or self.is_refused)

    def of(self, state: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.state == state]

    def count(self, state: str) -> int:
        return sum(1 for entry in self.entries if entry.state == state)

    def word(self, state: str) -> str:
        return STATES[state][self.is_done]

    def counted(self, state: str) -> str:
        """How many there are, in words: ``1 to delete (2 more go along)``."""
        more = self.more_of(state)
        return f"{self.count(state):,} {self.word(state).lower()}{f' ({more})' if more else ''}"

    def more_of(self, state: str) -> str:
        """How many are deleted along, in words; ``""`` where none is. A change of a project may take an alias along."""
        if not self.along or state != ("delete" if self.count("delete") else "update"):
            return ""
        go = "went" if self.is_done else "goes" if self.along == 1 else "go"
        return f"{self.along:,} more {go} along"

    @property
    def title(self) -> str:
        return "Drift report" if self.is_check else "Run report"

    @property
    def sides(self) -> tuple[str, str]:
        """The headings of the values before and after."""
        return ("Before", "After") if self.is_done else ("Live", "Declared")

    @property
    def changes(self) -> int:
        """How many entries differ from the platform, or were changed on it."""
        if self.is_done:
            return sum(1 for entry in self.entries if entry.changed)
        return sum(1 for entry in self.entries if entry.state in DIFFERENCES)

    @property
    def verdict(self) -> str:
        """The outcome in a sentence or two."""
        if not self.has_plan:
            return "The check failed." if self.is_check else "The run failed."
        total, failed = len(self.entries), self.count("failed")
        changes = _changes_made(self.changes) if self.is_done else _differ(self.changes)
        if failed:
            return f"{failed:,} of {_entries(total)} failed{', ' + changes if self.changes else ''}."
        if self.is_done:
            return f"{changes}." if self.changes else "Nothing had to be changed."
        differences = f"{self.changes:,} of {_entries(total)} {_verb(self.changes)} from the platform"
        invited = _invitations(self.count("invite"))
        verdict = f"{differences if self.changes else 'The platform is as the blueprint declares it'}{invited}."
        return f"Refused: nothing was written. {verdict}" if self.is_refused else verdict

    def by_team(self) -> dict[str, dict[str, int]]:
        """For each team, how many of its entries there are of each state."""
        teams: dict[str, dict[str, int]] = {}
        for entry in sorted(self.entries, key=lambda entry: entry.team):
            counts = teams.setdefault(entry.team, dict.fromkeys(STATES, 0))
            counts[entry.state] += 1
        return teams


def outcome_of(result: Values, is_check: bool, time: str | None = None, base_url: str | None = None) -> Outcome:
    """The outcome that a registered result of the module tells of, failed ones included."""
    failed = bool(result.get("failed"))
    summary: Values = result.get("summary") or {}
    entries = [_entry(entry) for entry in result.get("results") or []]
    return Outcome(
        is_check=is_check,
        has_plan="results" in result,
        is_refused=_is_refused(result),
        failed=failed,
        message=lines(result.get("msg", "")) if failed else "",
        base_url=printable(_address(base_url or result.get("base_url") or "")),
        time=printable(time or datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")),
        requests=summary.get("requests"),
        warnings=[printable(warning) for warning in result.get("warnings") or []],
        entries=entries,
        undeclared=[
            Undeclared(**_thing(thing), protected=bool(thing.get("protected")))
            for thing in result.get("undeclared") or []
        ],
        along=summary.get("along") or 0,
    )


def plan_of(result: Values, is_check: bool) -> dict[str, Any]:
    """The content of a plan file, in values of JSON."""
    failed = bool(result.get("failed"))
    counts = {**dict.fromkeys(ACTIONS, 0), "along": 0, "failed": 0, "undeclared": 0, "requests": None}
    return {
        "format": PLAN_FORMAT,
        "base_url": _address(result.get("base_url") or "") or None,
        "check": is_check,
        "changed": bool(result.get("changed")),
        "failed": failed,
        "refused": _is_refused(result),
        "msg": str(result.get("msg", "")) if failed else None,
        "summary": {**counts, **(result.get("summary") or {})},
        "results": result.get("results") or [],
        "undeclared": result.get("undeclared") or [],
        "steps": result.get("steps") or [],
    }


def kind_in_words(kind: str) -> tuple[str, str]:
    """How one of the kind is called, and all of them."""
    known = KINDS.get(kind)
    return (known.singular.replace("_", " "), known.title) if known else (kind, kind)


def lines(text: object) -> str:
    """The text with its line breaks, and nothing else of it that cannot be seen."""
    return "\n".join(printable(line) for line in str(text).split("\n"))


def _is_refused(result: Values) -> bool:
    """Tell whether the plan was made, and not allowed: what fails later fails by its entries."""
    if "refused" in result:
        return bool(result["refused"])
    results = result.get("results")
    return bool(result.get("failed")) and results is not None and not any(entry.get("failed") for entry in results)


def _entry(result: Values) -> Entry:
    before, after = result["diff"]["before"], result["diff"]["after"]
    action = result["action"]
    state = "failed" if result.get("failed") else action
    changes = [
        Change(printable(field), _value(before.get(field)), _value(after.get(field)))
        for field in dict.fromkeys([*after, *before])
        if state not in ("none", "skip")
    ]
    is_update = bool(before) and bool(after)
    return Entry(
        **_thing(result),
        action=action,
        state=state,
        changed=bool(result["changed"]),
        source=printable(result.get("source") or ""),
        reason=REASONS.get(str(result.get("reason")), ""),
        message=lines(result.get("msg", "")),
        # An object that comes or goes is what it holds; only of a change it matters that a field is empty.
        changes=[change for change in changes if is_update or change.before or change.after],
        along=[Thing(**_thing(gone)) for gone in result.get("along") or []],
        has_before=bool(before),
        has_after=bool(after),
    )


def _thing(result: Values) -> dict[str, str]:
    """Kind, name and team. A team is found among its own things."""
    team = result["name"] if result["kind"] == "teams" else result["team"] or OWN_SCOPE
    return {"kind": printable(result["kind"]), "name": printable(result["name"]), "team": printable(team)}


def _value(value: Any) -> str:
    if value is None:
        return ""
    return lines(value) if isinstance(value, str) else printable(json.dumps(value, ensure_ascii=False))


def _address(url: str) -> str:
    """The URL without what may be a secret."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def _verb(count: int) -> str:
    return "differs" if count == 1 else "differ"


def _differ(count: int) -> str:
    return f"{count:,} {_verb(count)} from the platform"


def _changes_made(count: int) -> str:
    return f"{count:,} {'change was' if count == 1 else 'changes were'} made"


def _invitations(count: int) -> str:
    return f", and {count:,} {'invitation' if count == 1 else 'invitations'} would be sent" if count else ""
