# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 10, report: the documented ``results``, ``summary``, ``undeclared`` and ``diff``, and the warnings of a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..._model.fields import Values
from ..._model.kinds.registry import KINDS
from ..._model.platform import OWN_SCOPE, Platform
from ..._model.resource import no_team_given
from ..._model.step import Action
from ..._text import printable, some_of
from ..blueprint.options import Options
from ..change import Change, Changes, Object, Refusal
from .apply import resource_of
from .prune import covers, undeclared
from .read import Lists
from .select import selector_warnings

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")
NOTHING: Values = {"before": {}, "after": {}}


def report(changes: Changes, lists: Lists, options: Options, refusals: Sequence[Refusal] = ()) -> Values:
    platform = lists.platform
    results = [_result_of(change, platform) for change in changes]
    left = undeclared_rows(changes, lists, options)
    counts = Counter(result["action"] for result in results)
    diff = [] if refusals else diff_of(results)
    return {
        "changed": bool(diff),
        "base_url": platform.api.http.connection.base_url,
        "results": results,
        "undeclared": left,
        "steps": [change.id for change in changes if change.id and change.done is None],
        "summary": {
            **{action: counts[action] for action in ACTIONS},
            "along": sum(len(result["along"]) for result in results),
            "failed": sum(1 for result in results if result.get("failed")),
            "undeclared": len(left),
            "requests": platform.api.http.run.requests,
        },
        "refused": bool(refusals),
        "refusals": [{"guard": refusal.guard, "message": printable(refusal.message)} for refusal in refusals],
        "diff": diff,
    }


def _result_of(change: Change, platform: Platform) -> Values:
    """An item of ``results``, for a step that was carried out, or is only planned."""
    step = change.done.step if change.done else change.step
    is_left = change.reason is not None
    action = "skip" if is_left else step.action.value
    result: Values = {
        "kind": change.kind.plural,
        "name": change.name,
        "team": change.slug,
        "action": action,
        "changed": not is_left and _is_changed(change),
        "diff": NOTHING if is_left else step.diff,
        "step": None if action in ("none", "skip") else change.id,
        "source": change.entry.source if change.entry else None,
        "reason": change.reason,
        "not_compared": [] if is_left else resource_of(change, platform).not_compared(step),
        "along": [] if is_left else [_row(thing) for thing in change.along],
    }
    if change.error is not None:
        result |= {"failed": True, "failure": change.error.failure, "msg": str(change.error)}
    return result


def _row(thing: Object) -> Values:
    return {"kind": thing.kind.plural, "name": thing.name, "team": thing.slug}


def _is_changed(change: Change) -> bool:
    """A plan counts no invitation, as only the answer tells whether one changes anything."""
    if change.error is not None:
        return bool(change.error.result.get("changed"))
    return change.done.changed if change.done else change.step.is_change and change.step.action is not Action.INVITE


def diff_of(results: Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in (result for result in results if result["changed"]):
        team = f" of {result['team']}" if result["team"] else ""
        header = printable(f"{result['kind']}: {result['name']}{team}")
        parts.append({"before_header": header, "after_header": header, **result["diff"]})
    return parts


def undeclared_rows(changes: Changes, lists: Lists, options: Options) -> list[Values]:
    """What no entry declares and nothing deletes, of the kinds that entries declare."""
    deleted = {change.live_key for change in changes if change.is_deletion}
    deleted |= {thing.key for change in changes for thing in change.along}
    planned = tuple(change for change in changes if change.entry)
    found = undeclared(planned, {change.kind for change in planned}, lists, options)
    rows = [{**_row(thing), "protected": covers(options.protect, thing)} for thing in found if thing.key not in deleted]
    order = list(KINDS)
    return sorted(rows, key=lambda row: (order.index(row["kind"]), row["team"] or "", str(row["name"])))


def warnings_of(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    yield from selector_warnings(changes, lists, options)
    for place in lists.forbidden:
        where = f"team {lists.names.slug_of(place.team_id)}" if place.team_id else OWN_SCOPE
        yield (
            f"undeclared: the service does not show the {place.kind} of {where} (status 403), so undeclared ones among"
            " them are not reported."
        )
    yield from _without_team(changes, lists.platform)
    yield from _perhaps_renamed(changes)


def _without_team(changes: Changes, platform: Platform) -> Iterator[str]:
    """Creations in the own scope that may be unintended."""
    created = [
        f"{change.kind.singular} {change.name}"
        for change in changes
        if change.is_creation and resource_of(change, platform).is_unscoped_creation(change.step)
    ]
    if created:
        yield no_team_given(created)


def _perhaps_renamed(changes: Changes) -> Iterator[str]:
    """A renamed entry looks new, and its object undeclared."""
    places: dict[tuple[Any, str | None], dict[Action, list[str]]] = {}
    for change in changes:
        if change.is_pending and "previously" in change.kind.argument_spec.options:
            names = places.setdefault((change.kind, change.slug), {})
            names.setdefault(change.step.action, []).append(change.name)
    for (kind, team), names in places.items():
        created, deleted = names.get(Action.CREATE, []), names.get(Action.DELETE, [])
        if created and deleted:
            place = f" of {team}" if team else ""
            yield (
                f"{kind.plural}{place}: {len(created)} would be created and {len(deleted)} deleted. If this is a"
                f" rename, add the old {kind.name_field} to previously: {some_of(created, 3)}; {some_of(deleted, 3)}."
            )
