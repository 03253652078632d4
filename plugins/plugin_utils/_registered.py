# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A registered result of the module ``blueprint``, failed ones included: its message, and its entries for display.

All texts for display are safe: on one line (values keep their lines), with invisible characters and those that act on a
terminal escaped. Each format does its own quoting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ansible.errors import AnsibleFilterError

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._model.options import type_name
from ..module_utils._text import escaped, printable, printable_lines

Values = Mapping[str, Any]

PLAN_FORMAT = 1
WANTED = "The input must be the registered result of one task with hosting.platform.blueprint"
# How messages begin that are about an option of the module.
OPTION = r"(?:prune_limit|prune|limits|protect|approved|only|ignore|invite|unlisted_fields)\b"
ABOUT = re.compile(rf"{OPTION}(?:: |\[[0-9]+\]| must be\b)")
SPACES_AT_AN_END = re.compile("(?<! ) +$", re.MULTILINE)

OWN_SCOPE = "own scope"
UNDECLARED = "undeclared"
# The states of an entry, the most important first, as worded for a plan and for a completed run. The last is that of an
# object which no entry declares.
STATES = {
    "failed": ("Failed", "Failed"),
    "delete": ("To delete", "Deleted"),
    "create": ("To create", "Created"),
    "update": ("To change", "Changed"),
    "invite": ("To invite", "Invited"),
    "skip": ("Skipped", "Skipped"),
    "none": ("Unchanged", "Unchanged"),
    UNDECLARED: ("Undeclared", "Undeclared"),
}
NOT_SELECTED, NOT_INVITED = "not_selected", "invite"
REASONS = {
    "protected": "It is protected and never deleted.",
    "dependency": "An entry that it depends on failed.",
    NOT_SELECTED: "It is not selected.",
    NOT_INVITED: "Invitations are not sent.",
}


def refuse_other_input(given: Any) -> None:
    """Raises AnsibleFilterError for anything but a result of the module."""
    if not isinstance(given, Mapping):
        raise AnsibleFilterError(f"{WANTED}, and is {type_name(given)}.")
    if "results" not in given and not has_failed(given):
        raise AnsibleFilterError(f"{WANTED}, and the task was skipped, has not finished, or is another one.")
    results = given.get("results") or []
    if not isinstance(results, list) or not all(isinstance(entry, Mapping) for entry in results[:1]):
        raise AnsibleFilterError(f"{WANTED}, and is that of another module.")
    if results and "action" not in results[0]:
        raise AnsibleFilterError(f"{WANTED}. That of a loop contains one such result for each item, in results.")


def has_failed(result: Values) -> bool:
    """Return whether the module failed, even if ``failed_when`` kept the task from failing."""
    return bool(result.get("failed")) or "msg" in result


def is_refused(result: Values) -> bool:
    """Return whether a plan was made but refused: later failures are those of entries."""
    if "refused" in result:
        return bool(result["refused"])
    results = result.get("results")
    return has_failed(result) and results is not None and not any(entry.get("failed") for entry in results)


def message_of(result: Values, option_prefix: str) -> str:
    """The message with option names as the reader sets them. Names of objects are left unchanged."""
    if result.get("refusals"):
        lines = [f"{option_prefix}{refusal['guard']}: {refusal['message']}" for refusal in result["refusals"]]
        return "\n".join([*lines[:-1], f"{lines[-1]} Nothing was written."])
    return "\n".join(_with_prefix(line, option_prefix) for line in str(result.get("msg", "")).split("\n"))


def failure_of(result: Values, option_prefix: str = "") -> list[str]:
    """The lines of the failure message, ``[]`` if the module did not fail.

    Raises AnsibleFilterError for any other input.
    """
    refuse_other_input(result)
    if not has_failed(result):
        return []
    lines = message_of(result, option_prefix).split("\n")
    return [printable(line) for line in lines if line] or ["It failed, and does not say why."]


def causes_of(result: Values, option_prefix: str = "") -> dict[str, list[str]]:
    """The same lines by the guard, the option, that they are about; ``""`` for other lines."""
    lines = failure_of(result, option_prefix)
    guards = [f"{option_prefix}{refusal['guard']}" for refusal in result.get("refusals") or []]
    causes: dict[str, list[str]] = {}
    for line, guard in zip(lines, guards or [""] * len(lines)):
        causes.setdefault(guard, []).append(line)
    return causes


def _with_prefix(line: str, prefix: str) -> str:
    return f"{prefix}{line}" if ABOUT.match(line) else line


class Change(NamedTuple):
    """One field: its values before and after, ``""`` if there is none; ``None`` if there is no object on that side."""

    field: str
    before: str | None
    after: str | None


class Thing:
    """One object: its kind as in blueprints, its name, and its owner in words. A team is listed under itself."""

    def __init__(self, row: Values) -> None:
        slug = row["name"] if row["kind"] == "teams" else row["team"]
        self.kind = printable(row["kind"])
        self.name = legible(printable(row["name"]))
        self.team = legible(printable(f"team {slug}" if slug == OWN_SCOPE else slug or OWN_SCOPE))

    @property
    def kind_in_words(self) -> str:
        """The singular of its kind."""
        known = KINDS.get(self.kind)
        return known.singular.replace("_", " ") if known else self.kind


class Entry(Thing):
    """One result, or one undeclared object. ``state``: a key of STATES; ``reason``: why it is skipped or kept;
    ``message``: why it failed; ``refused_by``: the option that forbids it; ``along``: what is deleted with it;
    ``not_compared``: the fields that the API does not show.
    """

    def __init__(self, result: Values, refused_by: str = "") -> None:
        super().__init__(result)
        self.action = result["action"]
        self.state = "failed" if result.get("failed") else self.action
        self.changed = bool(result["changed"])
        self.source = printable(result.get("source") or "")
        self.reason = REASONS.get(str(result.get("reason")), "")
        self.message = printable_lines(str(result.get("msg", "")))
        self.refused_by = refused_by
        self.changes = [] if self.state in ("none", "skip") else _changes(result["diff"])
        self.along = [Thing(gone) for gone in result.get("along") or []]
        self.not_compared = [printable(field) for field in result.get("not_compared") or []]

    @property
    def intention(self) -> str:
        """The intended action in words: ``to create``."""
        return STATES[self.action][0].lower()


def undeclared(thing: Values) -> Entry:
    """An object that no entry declares, like an entry of which nothing is known."""
    unknown = {"action": UNDECLARED, "changed": False, "diff": {"before": {}, "after": {}}}
    return Entry({**thing, **unknown, "reason": "protected" if thing.get("protected") else None})


def _changes(diff: Values) -> list[Change]:
    """A created or deleted object is described by its filled fields; only in an update does an empty field matter."""
    before, after = diff["before"], diff["after"]
    changes = [
        Change(printable(field), *(_value(side.get(field)) if side else None for side in (before, after)))
        for field in dict.fromkeys([*after, *before])
    ]
    return [change for change in changes if (before and after) or change.before or change.after]


def _value(value: Any) -> str:
    if value is None:
        return ""
    return legible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def legible(text: str) -> str:
    """The text with its lines, as ``printable_lines``, and with the spaces at their ends, which nobody would see."""
    return SPACES_AT_AN_END.sub(lambda found: escaped(" ") * len(found[0]), printable_lines(text))


def address(url: str) -> str:
    """The URL without what may be a secret."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
