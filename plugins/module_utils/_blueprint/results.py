# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a plan: the documented ``results``, ``summary``, ``undeclared`` and ``diff``."""

from __future__ import annotations

from collections.abc import Sequence

from .._common.text import printable
from .._planning.node import GoesAlong, Node
from .._resources.fields import Values
from .._resources.plan import Action

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")
NOTHING: Values = {"before": {}, "after": {}}


def result_of(node: Node, step_id: str | None) -> Values:
    """An item of ``results``, for a step that was carried out, or is only planned."""
    step = node.done.step if node.done else node.step
    is_skipped = node.skip_reason is not None
    action = "skip" if is_skipped else step.action.value
    entry: Values = {
        "kind": node.kind.plural,
        "name": node.name,
        "team": node.team,
        "action": action,
        "changed": not is_skipped and _is_changed(node),
        "diff": NOTHING if is_skipped else {"before": step.before, "after": step.after},
        "step": None if action in ("none", "skip") else step_id,
        "source": node.entry.source if node.entry else None,
        "reason": node.skip_reason,
        "not_compared": [] if is_skipped else node.bound.not_compared(step),
        "along": [] if is_skipped else [_gone_along(gone) for gone in node.along],
    }
    if node.error is not None:
        entry.update(failed=True, failure=node.error.failure, msg=str(node.error))
    return entry


def _gone_along(gone: GoesAlong) -> Values:
    return {"kind": gone.kind.plural, "name": gone.name, "team": gone.team}


def _is_changed(node: Node) -> bool:
    """A plan counts no invitation, as it cannot be known beforehand whether one changes anything."""
    if node.error is not None:
        return bool(node.error.result.get("changed"))
    return node.done.changed if node.done else node.step.is_change and node.step.action is not Action.INVITE


def outcome_of(
    results: list[Values], undeclared: list[Values], steps: list[str], base_url: str, requests: int
) -> Values:
    """The module's result. ``steps`` are the ids of the remaining steps."""
    diff = diff_of(results)
    return {
        "changed": bool(diff),
        "base_url": base_url,
        "results": results,
        "undeclared": undeclared,
        "steps": steps,
        "summary": summary_of(results, undeclared, requests),
        "diff": diff,
    }


def summary_of(results: Sequence[Values], undeclared: Sequence[Values], requests: int) -> Values:
    """A count per action, of what goes along, of failures, of undeclared objects, and of the requests sent."""
    counts = dict.fromkeys(ACTIONS, 0)
    for result in results:
        counts[result["action"]] += 1
    failed = sum(1 for result in results if result.get("failed"))
    along = sum(len(result["along"]) for result in results)
    return {**counts, "along": along, "failed": failed, "undeclared": len(undeclared), "requests": requests}


def diff_of(results: Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in results:
        if result["changed"]:
            team = f" of {result['team']}" if result["team"] else ""
            header = printable(f"{result['kind']}: {result['name']}{team}")
            parts.append({"before_header": header, "after_header": header, **result["diff"]})
    return parts
