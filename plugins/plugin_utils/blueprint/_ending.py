# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a run of the task ``blueprint`` ends: with a message, an outcome, and files."""

from __future__ import annotations

from ...module_utils._converge.result import REPORT
from ...module_utils._run.invocation import Result
from ...module_utils._text import join_some
from ..reports._plan_text import end_text, plan_text
from ..reports._quoting import object_label
from ._blueprint_run import BlueprintRun
from ._terminal import CONFIRM, in_color

# In the result of a check that fails because it has found what it looks for.
DRIFT_ALONE = "_drift_alone"
UNKNOWN = "Failed: what was changed is unknown."
# Of the steps that have changed since they were approved.
MOST_CHANGED = 3


def add_words(result: Result, run: BlueprintRun) -> None:
    """Add what the result is in words: the plan as ``text``, why it failed, and the outcome. Each
    warning stands once: in ``plan_warnings``, or in ``warnings`` if no person was shown it before
    the first write.
    """
    has_results = "results" in result
    planned = run.plan
    if has_results and not planned:
        planned = _as_planned(result)
    if planned:
        result["text"] = plan_text(run.view(planned), is_whole=run.options[CONFIRM])
        result["plan_warnings"] = planned["plan_warnings"]
    if not has_results and (run.is_begun or "module_stderr" in result):
        result["outcome"] = UNKNOWN
    if result.get("failed"):
        result["msg"] = _failure(result, run)
    view = run.view(result)
    result["outcome"] = view.outcome
    is_late = view.is_done and view.pending and not run.plan
    if planned and run.is_shown and not is_late:
        warnings = result.pop("warnings", ())
        left = [warning for warning in warnings if warning not in planned["plan_warnings"]]
        if left:
            result["warnings"] = left


def write_and_judge(result: Result, run: BlueprintRun) -> None:
    """Write the outputs. Then let the result fail where they cannot be written, or where a check
    has found what it looks for; it fails once, with what failed first.
    """
    problems = run.write(result)
    drift = _drift_message(result, run)
    if drift and not result.get("failed"):
        result |= {"failed": True, "msg": drift, DRIFT_ALONE: True}
    if problems:
        first = [result["msg"]] if result.get("failed") else []
        result |= {"failed": True, "msg": "\n".join([*first, *problems]), DRIFT_ALONE: False}
        result["outcome"] = run.view({**result, "outcome": None}).outcome
        run.outputs = {}


def last_lines(result: Result, run: BlueprintRun) -> str:
    """What the task shows at its end. Core shows the message of a role's failure, which somebody
    at the terminal would look for in vain, and the plan shows the drift.
    """
    is_answer = any(refusal["guard"] == CONFIRM for refusal in result.get("refusals", ()))
    is_said = (run.prefix and not is_answer) or result.get(DRIFT_ALONE)
    message = result["msg"] if result.get("failed") and not is_said else ""
    paths = ", ".join(run.outputs.values())
    written = f"Files written: {paths}." if paths else ""
    return end_text(run.view(result), [message, written], in_color, is_plan_shown=bool(run.plan))


def _as_planned(result: Result) -> Result:
    """The result as it would have been shown before the first write."""
    late = result[REPORT].get("late_warnings", ())
    return {
        **result,
        "results": result[REPORT].get("planned", result["results"]),
        "plan_warnings": [text for text in result.get("warnings", ()) if text not in late],
    }


def _failure(result: Result, run: BlueprintRun) -> str:
    """Why it failed, in the words of the reader."""
    lines = run.view(result).failure_lines
    if any(refusal["guard"] == "approved" for refusal in result.get("refusals", ())):
        lines += run.approval.describe_changes(result["results"])[:MOST_CHANGED]
    return "\n".join(lines)


def _drift_message(result: Result, run: BlueprintRun) -> str:
    """Why a check fails that has found what it looks for; empty if it has not."""
    if not run.is_check:
        return ""
    view = run.view(result)
    if run.options["fail_on_drift"] and result.get("changed"):
        return f"The platform has drifted: {view.counts}"
    if run.options["fail_on_undeclared"] and view.undeclared:
        labels = [object_label(row) for row in view.undeclared]
        return f"The platform has undeclared objects: {join_some(labels)}."
    return ""
