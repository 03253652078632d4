# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 10, report: the documented ``results``, ``summary``, ``undeclared`` and ``diff``, and the warnings of a
plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..._model.fields import Values
from ..._model.platform import OWN_SCOPE, Platform
from ..._model.resource import own_scope_warning
from ..._model.step import Action
from ..._text import escape_line, join_some
from ..blueprint.options import BlueprintOptions
from ..change import Change, Changes, LiveObject, Refusal
from .apply import resource_for
from .prune import find_undeclared, is_matched_by
from .read import Snapshot
from .select import selector_warnings

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")
NOTHING: Values = {"before": {}, "after": {}}


def build_result(
    changes: Changes, snapshot: Snapshot, options: BlueprintOptions, refusals: Sequence[Refusal] = ()
) -> Values:
    """The module's result from the changes as they are by now: planned, refused or applied."""
    platform = snapshot.platform
    results = [_row_of(change, platform) for change in changes]
    undeclared = undeclared_rows(changes, snapshot, options)
    counts = Counter(result["action"] for result in results)
    diff = [] if refusals else diff_of(results)
    return {
        "changed": bool(diff),
        "base_url": platform.api.base_url,
        "results": results,
        "undeclared": undeclared,
        "steps": [change.step_id for change in changes if change.step_id and change.applied is None],
        "summary": {
            **{action: counts[action] for action in ACTIONS},
            "along": sum(len(result["along"]) for result in results),
            "failed": sum(1 for result in results if result.get("failed")),
            "undeclared": len(undeclared),
            "requests": platform.api.request_count,
        },
        "refused": bool(refusals),
        "refusals": [{"guard": refusal.guard, "message": escape_line(refusal.message)} for refusal in refusals],
        "diff": diff,
    }


def _row_of(change: Change, platform: Platform) -> Values:
    """A row of ``results``, for a step that was applied, or is only planned."""
    step = change.applied.step if change.applied else change.step
    is_skipped = change.skip_reason is not None
    action = "skip" if is_skipped else step.action.value
    row: Values = {
        "kind": change.kind.plural,
        "name": change.name,
        "team": change.team_slug,
        "action": action,
        "changed": not is_skipped and _is_changed(change),
        "diff": NOTHING if is_skipped else step.diff,
        "step": None if action in ("none", "skip") else change.step_id,
        "source": change.entry.source if change.entry else None,
        "reason": change.skip_reason,
        "not_compared": [] if is_skipped else resource_for(change, platform).not_compared(step),
        "along": [] if is_skipped else [_object_row(obj) for obj in change.cascade],
    }
    if change.apply_error is not None:
        row |= {"failed": True, "failure": change.apply_error.failure, "msg": str(change.apply_error)}
    return row


def _object_row(obj: LiveObject) -> Values:
    return {"kind": obj.kind.plural, "name": obj.name, "team": obj.team_slug}


def _is_changed(change: Change) -> bool:
    """A plan counts no invitation, as only the response tells whether one changes anything."""
    if change.apply_error is not None:
        return bool(change.apply_error.result.get("changed"))
    return (
        change.applied.changed if change.applied else change.step.is_change and change.step.action is not Action.INVITE
    )


def diff_of(results: Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in results:
        team = f" of {result['team']}" if result["team"] else ""
        header = escape_line(f"{result['kind']}: {result['name']}{team}")
        parts += [{"before_header": header, "after_header": header, **result["diff"]}] if result["changed"] else []
    return parts


def undeclared_rows(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> list[Values]:
    """What no entry declares and nothing deletes, of the kinds that entries declare."""
    deleted = {change.live_key for change in changes if change.is_deletion}
    deleted |= {obj.key for change in changes for obj in change.cascade}
    planned = tuple(change for change in changes if change.entry)
    live_objects = find_undeclared(planned, {change.kind for change in planned}, snapshot, options)
    return [
        {**_object_row(obj), "protected": is_matched_by(options.protect, obj)}
        for obj in live_objects
        if obj.key not in deleted
    ]


def plan_warnings(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> Iterator[str]:
    """All warnings about a plan, none of which refuses it."""
    yield from selector_warnings(changes, snapshot, options)
    for key in snapshot.unreadable:
        where = f"team {snapshot.team_names.slug_of(key.team_id)}" if key.team_id else OWN_SCOPE
        yield (
            f"undeclared: the service does not show the {key.kind} of {where} (status 403), so it is unknown which of"
            " them are undeclared."
        )
    yield from _warn_own_scope(changes, snapshot.platform)
    yield from _warn_possible_renames(changes)


def _warn_own_scope(changes: Changes, platform: Platform) -> Iterator[str]:
    """Creations in the own scope that may be unintended."""
    created = [
        f"{change.kind.singular} {change.name}"
        for change in changes
        if change.is_creation and resource_for(change, platform).is_unscoped_creation(change.step)
    ]
    if created:
        yield own_scope_warning(created)


def _warn_possible_renames(changes: Changes) -> Iterator[str]:
    """A renamed entry looks new, and its object undeclared."""
    names_by_scope: dict[tuple[Any, str | None], dict[Action, list[str]]] = {}
    for change in changes:
        if change.is_pending and change.kind.is_renamable:
            names = names_by_scope.setdefault((change.kind, change.team_slug), {})
            names.setdefault(change.step.action, []).append(change.name)
    for (kind, team), names in names_by_scope.items():
        created, deleted = names.get(Action.CREATE, []), names.get(Action.DELETE, [])
        if created and deleted:
            scope = f" of {team}" if team else ""
            yield (
                f"{kind.plural}{scope}: the plan creates {len(created)} ({join_some(created, 3)}) and deletes"
                f" {len(deleted)} ({join_some(deleted, 3)}). If you renamed any of them, add the old"
                f" {kind.name_field} to previously."
            )
