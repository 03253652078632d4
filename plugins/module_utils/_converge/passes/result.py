# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 12, report: the documented ``results``, ``summary``, ``undeclared`` and ``diff``, and the
warnings of a plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..._errors import InvalidOption
from ..._model.fields import Values
from ..._model.own_scope import describe_of_team, find_desired_of_team, own_scope_warning
from ..._model.platform import Platform
from ..._model.step import Action
from ..._text import escape_line, join_some
from ..checks.doubtful_selectors import SelectorCheck
from ..checks.look_alikes import previous_name_warnings
from ..plan.change import Change, Changes, Refusal
from ..plan.declarations import find_undeclared
from ..plan.objects import TEAM_KIND, LiveObject
from ..plan.plan import Plan
from ..plan.protection import Protection

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")
NOTHING: Values = {"before": {}, "after": {}}
# What the action plugin needs for reports, and does not return: ``pruned``, how many of the last
# results no entry declares; ``other_teams``, of which nothing is compared. Of a run whose plan
# nobody was shown also ``planned``, its results, and ``late_warnings``, those of the run alone.
REPORT = "_report"


def build_result(plan: Plan, refusals: Sequence[Refusal] = ()) -> Values:
    """The module's result from the changes as they are by now: planned, refused or applied."""
    platform = plan.snapshot.platform
    results = [_row_of(change, platform) for change in plan.changes]
    undeclared = undeclared_rows(plan)
    counts = Counter(result["action"] for result in results)
    diff = [] if refusals else diff_of(results)
    return {
        "changed": bool(diff),
        "base_url": platform.api.base_url,
        "results": results,
        "undeclared": undeclared,
        "steps": [change.step_id for change in plan.changes if change.is_left],
        "summary": {
            **{action: counts[action] for action in ACTIONS},
            "along": sum(len(result["along"]) for result in results),
            "failed": sum(1 for result in results if result.get("failed")),
            "undeclared": len(undeclared),
            "requests": platform.api.client.run.requests,
        },
        "refused": bool(refusals),
        "refusals": [
            {"guard": refusal.guard, "message": escape_line(refusal.message)}
            for refusal in refusals
        ],
        "diff": diff,
        REPORT: {
            "pruned": sum(change.entry is None for change in plan.changes),
            "other_teams": _other_teams(plan),
        },
    }


def _other_teams(plan: Plan) -> list[str]:
    """The listed teams that no entry names, where the blueprint could name all that there are."""
    snapshot = plan.snapshot
    if plan.options.only is not None or TEAM_KIND.plural in snapshot.kinds:
        return []
    teams = find_undeclared((), {TEAM_KIND.plural}, snapshot, plan.options)
    return [team.name for team in teams if team.scope not in snapshot.scopes]


def _row_of(change: Change, platform: Platform) -> Values:
    """A row of ``results``, for a step that was applied, or is only planned."""
    step = change.applied.step if change.applied else change.step
    row: Values = {
        "kind": change.kind.plural,
        "name": change.name,
        "team": change.team_slug,
        "action": step.action.value,
        "changed": _is_changed(change),
        "diff": step.diff,
        "step": change.step_id if step.is_change else None,
        "source": change.entry.source if change.entry else None,
        "reason": None,
        "not_compared": _not_compared(change, platform),
        "along": [_object_row(obj) for obj in change.cascade],
    }
    if change.skip_reason is not None:
        skipped = {"action": "skip", "changed": False, "diff": NOTHING, "step": None}
        row |= {**skipped, "reason": change.skip_reason, "not_compared": [], "along": []}
    if change.apply_error is not None:
        row |= {"failed": True, **change.apply_error.returned()}
    return row


def _not_compared(change: Change, platform: Platform) -> list[str]:
    """The given fields whose live values the API does not show; few kinds have any."""
    if not change.kind.write_only_options:
        return []
    step = change.applied.step if change.applied else change.step
    return change.resource(platform).not_compared(step)


def _object_row(obj: LiveObject) -> Values:
    return {"kind": obj.kind.plural, "name": obj.name, "team": obj.team_slug}


def _is_changed(change: Change) -> bool:
    """A plan counts no invitation, as only the response tells whether one changes anything."""
    if change.apply_error is not None:
        return bool(change.apply_error.result.get("changed"))
    if change.applied:
        return change.applied.changed
    return change.step.is_change and change.step.action is not Action.INVITE


def diff_of(results: Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in results:
        if result["changed"]:
            team = f" of {result['team']}" if result["team"] else ""
            header = escape_line(f"{result['kind']}: {result['name']}{team}")
            parts.append({"before_header": header, "after_header": header, **result["diff"]})
    return parts


def undeclared_rows(plan: Plan) -> list[Values]:
    """What no entry declares and nothing deletes, of the kinds that the blueprint names."""
    snapshot = plan.snapshot
    deleted = {obj.key for obj in plan.deleted_objects}
    entries = tuple(change for change in plan.changes if change.entry)
    protection = Protection(plan.changes, snapshot, plan.options)
    undeclared = find_undeclared(entries, snapshot.kinds, snapshot, plan.options)
    left = [obj for obj in undeclared if obj.key not in deleted]
    return [{**_object_row(obj), "protected": protection.covers(obj)} for obj in left]


def plan_warnings(plan: Plan) -> Iterator[str | InvalidOption]:
    """All warnings about a plan, none of which refuses it."""
    yield from SelectorCheck(plan).warnings()
    yield from _warn_unreadable(plan)
    yield from _warn_unpruned(plan)
    yield from _warn_own_scope(plan)
    yield from _warn_objects_of_teams(plan)
    yield from previous_name_warnings(plan)
    yield from _warn_possible_renames(plan.changes)


def _warn_unreadable(plan: Plan) -> Iterator[str]:
    for key in plan.snapshot.unreadable:
        scope = plan.snapshot.teams.with_id(key.team_id or "")
        yield (
            f"undeclared: the service does not show the {key.kind} of {scope} (status 403),"
            " so it is unknown which of them are undeclared."
        )


def _warn_unpruned(plan: Plan) -> Iterator[InvalidOption]:
    """Kinds that are to be pruned, and are not, because the blueprint or ``only`` says nothing of
    them.
    """
    options = plan.options
    if options.prune and options.only and not options.object_selectors:
        problem = "each selector of only has a source, so nothing is pruned."
        yield InvalidOption("prune", f"{problem} To prune, select by kind, team or name.")
    for kind in options.prune:
        if kind not in plan.snapshot.kinds:
            problem = f"the blueprint names no {kind}, so none are pruned."
            yield InvalidOption("prune", f"{problem} To prune all of them, write {kind}: [].")


def _warn_own_scope(plan: Plan) -> Iterator[str]:
    """Creations in the own scope that may be unintended."""
    platform = plan.snapshot.platform
    created = [
        f"{change.kind.singular} {change.name}"
        for change in plan.changes
        if change.is_creation and change.resource(platform).is_unscoped_creation(change.step)
    ]
    if created:
        yield own_scope_warning(created)


def _warn_objects_of_teams(plan: Plan) -> Iterator[InvalidOption]:
    """What entries without a team want absent, and is a team's."""
    platform = plan.snapshot.platform
    for change in plan.changes:
        is_selected = change.entry in plan.snapshot.selected
        if is_selected and change.desired.is_absent and not change.live:
            kind = change.kind
            record = find_desired_of_team(platform, kind, change.scope, change.desired)
            obj = plan.snapshot.object_of(kind, record) if record else None
            if obj:
                yield describe_of_team(kind, obj.record, obj.scope, is_absent=True)


def _warn_possible_renames(changes: Changes) -> Iterator[str]:
    """A renamed entry looks new, and its object undeclared."""
    names_by_scope: dict[tuple[Any, str | None], dict[Action, list[str]]] = {}
    for change in changes:
        if change.is_pending and change.kind.is_renamable:
            names = names_by_scope.setdefault((change.kind, change.team_slug), {})
            names.setdefault(change.step.action, []).append(change.name)
    for (kind, team), names in names_by_scope.items():
        created = names.get(Action.CREATE, [])
        deleted = names.get(Action.DELETE, [])
        if created and deleted:
            scope = f" of {team}" if team else ""
            yield (
                f"{kind.plural}{scope}:"
                f" the plan creates {len(created)} ({join_some(created, 3)})"
                f" and deletes {len(deleted)} ({join_some(deleted, 3)})."
                f" If you renamed any of them, add the old {kind.name_field} to previously."
            )
