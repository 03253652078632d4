# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documented result: ``results``, ``summary``, ``undeclared``, ``diff`` and more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .._model.fields import Values
from .._model.scope import OWN_SCOPE
from .._model.step import Action, Step
from .._text import escape_line
from .guards.table import Refusal
from .items.item import TEAM_KIND, Item
from .items.plan import Plan
from .items.protection import Protection

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")
# What the row of a step that is skipped says of it.
SKIPPED: Values = {
    "action": "skip",
    "changed": False,
    "diff": {"before": {}, "after": {}},
    "step": None,
    "not_compared": [],
    "along": [],
}
# What the action plugin needs for reports, and does not return: ``other_teams``, of which nothing
# is compared; ``has_own_scope``, whether the run is about that, too. Of a run that was begun
# also ``planned``, the results of its plan, and ``late_warnings``, those of the run alone.
REPORT = "_report"


def build_result(plan: Plan, refusals: Sequence[Refusal] = ()) -> Values:
    """The module's result from the items as they are by now: planned, refused or applied."""
    results = [_row_of(item) for item in plan.items]
    undeclared = _undeclared_rows(plan)
    counts = Counter(result["action"] for result in results)
    diff = [] if refusals else _diff_of(results)
    return {
        "changed": bool(diff),
        "base_url": plan.platform.api.base_url,
        "results": results,
        "undeclared": undeclared,
        # Those that are still to be done.
        "steps": [
            item.step_id
            for item in plan.items
            if item.step_id and not item.applied and not item.made_record
        ],
        "summary": {
            **{action: counts[action] for action in ACTIONS},
            "along": sum(len(result["along"]) for result in results),
            "failed": sum("failed" in result for result in results),
            "undeclared": len(undeclared),
            "requests": plan.platform.api.client.run.requests,
        },
        "guards": _guards_in_force(plan),
        "refused": bool(refusals),
        "refusals": [
            {"guard": refusal.guard, "message": escape_line(refusal.message)}
            for refusal in refusals
        ],
        "diff": diff,
        REPORT: {
            "other_teams": _other_teams(plan),
            "has_own_scope": OWN_SCOPE in plan.scopes,
        },
    }


def _guards_in_force(plan: Plan) -> Values:
    """What holds in a plan: each selector with the number of objects that it matches, and the
    limits.
    """
    matches = {
        option: [
            {"selector": selector.given, "matches": plan.matches[selector]}
            for selector in selectors
        ]
        for option, selectors in plan.options.selectors.items()
    }
    return {
        "only": None,
        **matches,
        "limits": plan.options.limits,
        "prune": plan.options.prune,
        "prune_limit": plan.options.prune_limit,
    }


def _other_teams(plan: Plan) -> list[str]:
    """The listed teams that no entry names, where the blueprint could name all that there are."""
    if plan.options.only is not None or TEAM_KIND.plural in plan.blueprint.kinds:
        return []
    return [
        item.name
        for item in plan.undeclared
        if item.kind is TEAM_KIND and item.owner not in plan.scopes
    ]


def _row_of(item: Item) -> Values:
    """A row of ``results``, for a step that was applied, or is only planned."""
    step = item.applied or item.step
    row: Values = {
        **_object_row(item),
        "action": step.action.value,
        "changed": _is_changed(item, step),
        "diff": step.diff,
        "step": item.step_id if step.is_change else None,
        "source": item.entry.source if item.entry else None,
        "reason": item.skip_reason,
        "not_compared": item.kind.not_compared(item.desired, step),
        "along": [_object_row(other) for other in item.cascade] if step.is_change else [],
    }
    if item.skip_reason is not None:
        row |= SKIPPED
    if item.error is not None:
        row |= {"failed": True, **item.error.to_result()}
    return row


def _object_row(item: Item) -> Values:
    return {"kind": item.kind.plural, "name": item.name, "team": item.team_slug}


def _is_changed(item: Item, step: Step) -> bool:
    """A plan counts no invitation, as only the response tells whether one changes anything."""
    if item.error:
        return bool(item.error.result.get("changed"))
    return step.is_change and (item.applied is not None or step.action is not Action.INVITE)


def _diff_of(results: Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in results:
        if result["changed"]:
            team = f" of {result['team']}" if result["team"] else ""
            header = escape_line(f"{result['kind']}: {result['name']}{team}")
            parts.append({"before_header": header, "after_header": header, **result["diff"]})
    return parts


def _undeclared_rows(plan: Plan) -> list[Values]:
    """What no entry declares and nothing deletes, of the kinds that the blueprint names."""
    deleted = {item.key for item in plan.deleted_items}
    protection = Protection(plan)
    return [
        {**_object_row(item), "protected": protection.covers(item)}
        for item in plan.undeclared
        if item.kind.plural in plan.blueprint.kinds and item.key not in deleted
    ]
