# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..module_utils._errors import PlatformError
from ..modules.blueprint import MODULE, OPTIONS_OF_THE_CONTROL_NODE
from ..plugin_utils._blueprint_task import BlueprintTask, read_options
from ..plugin_utils._confirmation import is_confirmed, why_nobody_answers
from ..plugin_utils._files_action import FilesAction
from ..plugin_utils._in_process import failed
from ..plugin_utils._markdown import markdown
from ..plugin_utils._messages import drift_message, failure_message, in_color, shortened
from ..plugin_utils._outcome import Presentation
from ..plugin_utils._outputs import Outputs
from ..plugin_utils._page import page
from ..plugin_utils._plan_file import UNFINISHED, Approval, plan_file
from ..plugin_utils._plan_text import plan_lines, plan_text

Result = dict[str, Any]


class ActionModule(FilesAction):
    """Reads the blueprint's files, runs the module of the same name, shows its plan, and writes the outputs."""

    def outcome(self, task_vars: dict[str, Any], prefix: str) -> Result:
        self._vars, self._prefix = task_vars, prefix
        self._plan: Result = {}
        self._is_check = bool(self._task.check_mode)
        try:
            task = BlueprintTask.of(self._task.args, MODULE.specification.options, prefix, bool(self._task.async_val))
            self._approval = Approval.of(task.approved)
            outputs = self._outputs(task)
        except PlatformError as error:
            return {**failed(error), "check_mode": self._is_check}
        try:
            result = self._converge(task)
        except PlatformError as error:
            result = failed(error)
        except BaseException:
            self.show("blueprint: interrupted, and no report was written.")
            raise
        return self._conclude(task, outputs, result)

    def _outputs(self, task: BlueprintTask) -> Outputs:
        """The outputs, which can be written now. A plan says first that its run has not ended, and approves nothing."""
        others = self.files_of_the_connection()
        if self._approval and self._approval.path:
            others["approved"] = self._approval.path
        outputs = Outputs(task.outputs, others, task.directory, self._prefix)
        outputs.begin({"plan": plan_file(UNFINISHED, is_check=self._is_check)})
        return outputs

    def _converge(self, task: BlueprintTask) -> Result:
        """The result of the module. Raises PlatformError."""
        asks = task.confirm and not self._is_check
        reason = why_nobody_answers(self._task.no_log) if asks else ""
        if reason:
            raise PlatformError(f"confirm: {reason}. Nothing was sent.")
        args = self.module_args(OPTIONS_OF_THE_CONTROL_NODE)
        if task.directory:
            args["blueprint"] = self.entries_of(task.directory, task.templates, self._vars)
        if self._approval:
            args["approved"] = self._approval.steps
        return self._ask_and_apply(args) if asks else self.execute(args, self._vars, planned=self._show_plan)

    def _ask_and_apply(self, args: Result) -> Result:
        """The result of a run that somebody at the terminal has agreed to."""
        self._task.check_mode = True
        try:
            plan = self.execute(args, self._vars)
        finally:
            self._task.check_mode = False
        if not plan.get("steps") or plan.get("failed"):
            return plan
        self._plan = plan
        shown = plan_text(plan_lines(plan, is_check=False, is_whole=True, option_prefix=self._prefix))
        if not is_confirmed(shown, self._vars["inventory_hostname"], plan["base_url"]):
            refusal = {"guard": "confirm", "message": "the plan was not confirmed."}
            nobody = PlatformError(f"confirm: {refusal['message']} Nothing was written.")
            return {**plan, **failed(nobody), "changed": False, "diff": [], "refused": True, "refusals": [refusal]}
        return self.execute({**args, "approved": plan["steps"]}, self._vars, planned=self._take_invitations)

    def _show_plan(self, plan: Result) -> None:
        self._plan = plan
        self.show(in_color(self._lines(plan)))
        self._take_invitations(plan)

    def _lines(self, plan: Result) -> Any:
        return plan_lines(plan, is_check=self._is_check, option_prefix=self._prefix)

    def _take_invitations(self, plan: Result) -> None:
        """Take what will be sent out of the approved file: an invitation is never sent twice by the same approval."""
        if self._approval and not self._is_check and not plan["refused"]:
            self._approval.take_out({row["step"] for row in plan["results"] if row["action"] == "invite"})

    def _run_elsewhere(self, args: Result, reason: str, task_vars: dict[str, Any]) -> Result:
        invites = read_options(args, (), ("invite",))[0].get("invite")
        if self._approval and not self._task.check_mode and invites:
            self._approval.take_out(self._approval.invitations)
        return super()._run_elsewhere(args, reason, task_vars)

    def _conclude(self, task: BlueprintTask, outputs: Outputs, result: Result) -> Result:
        """The result with everything said and written; it fails once, with what failed first."""
        presentation = Presentation(
            is_check=self._is_check,
            finds_drift=task.fail_on_drift or task.fail_on_undeclared,
            option_prefix=self._prefix,
            plan=task.plan or None,
            approved=self._approval.steps if self._approval else None,
        )
        result = {**self.with_file_warnings(result), "check_mode": self._is_check}
        plan = self._plan or result
        if "results" in plan:
            lines = self._lines(plan)
            result["text"] = plan_text(lines)
            if not self._plan:
                self.show(in_color(lines))
        if result.get("failed"):
            result["msg"] = failure_message(result, self._prefix, self._approval)
        written: dict[str, Callable[[], str]] = {
            "report": lambda: page(result, presentation),
            "markdown": lambda: markdown(result, presentation),
            "plan": lambda: plan_file(result, is_check=self._is_check),
        }
        problems = outputs.write({option: written[option]() for option in outputs.given})
        if not result.get("failed") and "results" in result and self._is_check:
            found = drift_message(result, presentation, task.fail_on_drift, task.fail_on_undeclared)
            result.update({"failed": True, "msg": found} if found else {})
        return self._say_end(outputs, result, problems)

    def _say_end(self, outputs: Outputs, result: Result, problems: list[str]) -> Result:
        if problems:
            first = [result["msg"]] if result.get("failed") else []
            result.update(failed(PlatformError(*problems)), msg="\n".join([*first, *problems]))
        written = "" if problems or not outputs.given else f"Written: {', '.join(outputs.given.values())}."
        if not result.get("failed"):
            self.show(written)
            return result
        if self._prefix:
            # The role's next task shows nothing but this.
            result["msg"] = "\n".join(filter(None, [shortened(result["msg"]), written]))
        else:
            self.show("\n".join(filter(None, [result["msg"], written])))
        return result
