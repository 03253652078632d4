# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a plan: the documented ``results``, ``summary``, ``undeclared`` and ``diff``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .._model.fields import Values
from .._model.step import Action
from .._text import printable
from .node import GoesAlong, Node

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")
NOTHING: Values = {"before": {}, "after": {}}


def _result_of(node: Node, step_id: str | None) -> Values:
    """An item of ``results``, for a step that was carried out, or is only planned."""
    step = node.done.step if node.done else node.step
    is_skipped = node.skip_reason is not None
    action = "skip" if is_skipped else step.action.value
    entry: Values = {
        **_row(node),
        "action": action,
        "changed": not is_skipped and _is_changed(node),
        "diff": NOTHING if is_skipped else step.diff,
        "step": None if action in ("none", "skip") else step_id,
        "source": node.entry.source if node.entry else None,
        "reason": node.skip_reason,
        "not_compared": [] if is_skipped else node.bound.not_compared(step),
        "along": [] if is_skipped else [_row(gone) for gone in node.along],
    }
    if node.error is not None:
        entry.update(failed=True, failure=node.error.failure, msg=str(node.error))
    return entry


def _row(told: Node | GoesAlong) -> Values:
    return {"kind": told.kind.plural, "name": told.name, "team": told.team}


def _is_changed(node: Node) -> bool:
    """A plan counts no invitation, as it cannot be known beforehand whether one changes anything."""
    if node.error is not None:
        return bool(node.error.result.get("changed"))
    return node.done.changed if node.done else node.step.is_change and node.step.action is not Action.INVITE


def outcome_of(
    nodes: Sequence[Node], step_ids: Mapping[Node, str], undeclared: list[Values], base_url: str, requests: int
) -> Values:
    """The module's result, with the ids of the remaining steps."""
    results = [_result_of(node, step_ids.get(node)) for node in nodes]
    diff = diff_of(results)
    counts = Counter(result["action"] for result in results)
    return {
        "changed": bool(diff),
        "base_url": base_url,
        "results": results,
        "undeclared": undeclared,
        "steps": [step for node, step in step_ids.items() if node.done is None],
        "summary": {
            **{action: counts[action] for action in ACTIONS},
            "along": sum(len(result["along"]) for result in results),
            "failed": sum(1 for result in results if result.get("failed")),
            "undeclared": len(undeclared),
            "requests": requests,
        },
        "refused": False,
        "refusals": [],
        "diff": diff,
    }


def diff_of(results: Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in results:
        if result["changed"]:
            team = f" of {result['team']}" if result["team"] else ""
            header = printable(f"{result['kind']}: {result['name']}{team}")
            parts.append({"before_header": header, "after_header": header, **result["diff"]})
    return parts
