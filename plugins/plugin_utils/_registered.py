# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts a registered result of the module ``blueprint`` to the model for display, and to a plan file."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ansible.errors import AnsibleFilterError

from ..module_utils._blueprint.results import ACTIONS
from ..module_utils._common.text import escaped, printable, printable_lines
from ..module_utils._resources.options import type_name
from ._outcome import NOT_INVITED, NOT_SELECTED, OWN_SCOPE, REASONS, UNDECLARED, Cause, Change, Entry, Outcome, Thing

Values = Mapping[str, Any]

PLAN_FORMAT = 1
WANTED = "The input must be the registered result of one task with hosting.platform.blueprint"
# How messages begin that are about an option of the module; the one on limits goes on to name the limit. The options
# that a sentence names before it names objects.
LIMIT = r"limits\.(?:create|update|delete|invite)\b"
OPTION = r"(?:prune_limit|prune|limits|protect|approved|only|ignore|invite|unlisted_fields)\b"
ABOUT = re.compile(rf"({LIMIT}|{OPTION})(?:: |\[[0-9]+\]| must be\b)")
ABOUT_LIMIT = re.compile(rf"limits: .*?({LIMIT})")
IN_SENTENCE = re.compile(rf"\b(?=prune_limit\b|{LIMIT})")
SPACES_AT_AN_END = re.compile("(?<! ) +$", re.MULTILINE)


def outcome_of(
    result: Values,
    is_check: bool,
    time: str | None = None,
    base_url: str | None = None,
    finds_drift: bool = False,
    option_prefix: str = "",
    approved: Collection[str] | None = None,
) -> Outcome:
    """The outcome described by a registered result of the module, failed ones included.

    ``approved``: the ids of the steps that the run was restricted to. Raises AnsibleFilterError for any other input.
    """
    causes = _causes(failure_of(result, option_prefix), option_prefix)
    summary: Values = result.get("summary") or {}
    results = result.get("results") or []
    is_refused = _is_refused(result)
    limited = {cause.guard.rpartition(".")[2]: cause.guard for cause in causes if "limits." in cause.guard}

    def refused_by(entry: Values) -> str:
        if not is_refused or entry.get("step") is None:
            return ""
        if approved is not None and entry["step"] not in approved:
            return f"{option_prefix}approved"
        return limited.get(entry["action"], "")

    reasons = [entry.get("reason") for entry in results]
    return Outcome(
        is_check=is_check,
        finds_drift=finds_drift,
        option_prefix=option_prefix,
        has_plan="results" in result,
        is_refused=is_refused,
        causes=causes,
        base_url=printable(_address(base_url or result.get("base_url") or "")),
        time=printable(time or datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")),
        requests=summary.get("requests"),
        warnings=[printable(warning) for warning in result.get("warnings") or []],
        entries=[
            _entry(entry, refused_by(entry))
            for entry in results
            if entry.get("reason") not in (NOT_SELECTED, NOT_INVITED)
        ],
        undeclared=[
            Entry(*_thing(thing), state=UNDECLARED, reason=REASONS["protected"] if thing.get("protected") else "")
            for thing in result.get("undeclared") or []
        ],
        not_selected=reasons.count(NOT_SELECTED),
        not_invited=reasons.count(NOT_INVITED),
    )


def plan_of(result: Values, is_check: bool, option_prefix: str = "") -> dict[str, Any]:
    """The content of a plan file, as JSON values. Raises AnsibleFilterError for any other input."""
    _refuse_other_input(result)
    failed = has_failed(result)
    counts = {**dict.fromkeys(ACTIONS, 0), "along": 0, "failed": 0, "undeclared": 0, "requests": None}
    return {
        "format": PLAN_FORMAT,
        "base_url": _address(result.get("base_url") or "") or None,
        "check": is_check,
        "changed": bool(result.get("changed")),
        "failed": failed,
        "refused": _is_refused(result),
        "msg": _with_prefix(str(result.get("msg", "")), option_prefix) if failed else None,
        "summary": {**counts, **(result.get("summary") or {})},
        "results": result.get("results") or [],
        "undeclared": result.get("undeclared") or [],
        "steps": result.get("steps") or [],
    }


def _refuse_other_input(given: Any) -> None:
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


def failure_of(result: Values, option_prefix: str = "") -> list[str]:
    """The lines of the failure message, ``[]`` if the module did not fail.

    Raises AnsibleFilterError for any other input.
    """
    _refuse_other_input(result)
    if not has_failed(result):
        return []
    lines = _with_prefix(str(result.get("msg", "")), option_prefix).split("\n")
    return [printable(line) for line in lines if line] or ["It failed, and does not say why."]


def _is_refused(result: Values) -> bool:
    """Return whether a plan was made but refused: later failures are those of entries."""
    if "refused" in result:
        return bool(result["refused"])
    results = result.get("results")
    return has_failed(result) and results is not None and not any(entry.get("failed") for entry in results)


def _causes(lines: Sequence[str], option_prefix: str) -> list[Cause]:
    """The lines, grouped by guard."""
    said: dict[str, list[str]] = {}
    for line in lines:
        text = line.removeprefix(option_prefix)
        about = ABOUT_LIMIT.match(text) or ABOUT.match(text)
        said.setdefault(f"{option_prefix}{about[1]}" if about else "", []).append(line)
    return [Cause(guard, messages) for guard, messages in said.items()]


def _with_prefix(message: str, prefix: str) -> str:
    """The message with option names as the reader sets them. Names of objects are left unchanged."""
    return "\n".join(_line_with_prefix(line, prefix) for line in message.split("\n"))


def _line_with_prefix(line: str, prefix: str) -> str:
    about = ABOUT.match(line)
    if not about:
        return line
    sentence, colon, names = line[about.end() :].partition(": ")
    if about[1].startswith(("prune", "limits")):
        sentence = IN_SENTENCE.sub(prefix, sentence)
    return f"{prefix}{about[0]}{sentence}{colon}{names}"


def _entry(result: Values, refused_by: str) -> Entry:
    before, after = result["diff"]["before"], result["diff"]["after"]
    action = result["action"]
    state = "failed" if result.get("failed") else action
    changes = [
        Change(printable(field), *(_value(side.get(field)) if side else None for side in (before, after)))
        for field in dict.fromkeys([*after, *before])
        if state not in ("none", "skip")
    ]
    is_update = bool(before) and bool(after)
    return Entry(
        *_thing(result),
        action=action,
        state=state,
        changed=bool(result["changed"]),
        source=printable(result.get("source") or ""),
        reason=REASONS.get(str(result.get("reason")), ""),
        message=printable_lines(str(result.get("msg", ""))),
        refused_by=refused_by,
        # A created or deleted object is described by its filled fields; only in an update does an empty field matter.
        changes=[change for change in changes if is_update or change.before or change.after],
        along=[Thing(*_thing(gone)) for gone in result.get("along") or []],
        not_compared=[printable(field) for field in result.get("not_compared") or []],
    )


def _thing(result: Values) -> tuple[str, str, str]:
    """Kind, name and team. A team is listed under itself."""
    slug = result["name"] if result["kind"] == "teams" else result["team"]
    team = f"team {slug}" if slug == OWN_SCOPE else slug or OWN_SCOPE
    return printable(result["kind"]), legible(printable(result["name"])), legible(printable(team))


def _value(value: Any) -> str:
    if value is None:
        return ""
    return legible(value if isinstance(value, str) else printable(json.dumps(value, ensure_ascii=False)))


def legible(text: str) -> str:
    """The text with its lines, as ``printable_lines``, and with the spaces at their ends, which nobody would see."""
    return SPACES_AT_AN_END.sub(lambda found: escaped(" ") * len(found[0]), printable_lines(text))


def _address(url: str) -> str:
    """The URL without what may be a secret."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
