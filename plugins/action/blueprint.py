# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ..module_utils._errors import PlatformError
from ..module_utils._text import printable, some_of
from ..modules.blueprint import MODULE, OPTIONS_OF_THE_CONTROL_NODE
from ..plugin_utils._files_action import FilesAction
from ..plugin_utils._in_process import failed
from ..plugin_utils._options import read_options
from ..plugin_utils._outcome import Report
from ..plugin_utils._page import page
from ..plugin_utils._plan_file import UNFINISHED, Approval, plan_file
from ..plugin_utils._plan_text import end_text, markdown, object_in_words, plan_text
from ..plugin_utils._terminal import STYLE, is_confirmed, shortened, why_nobody_answers
from ..plugin_utils._written_files import prepare_outputs, write_outputs

Result = dict[str, Any]
OUTPUTS = ("report", "markdown", "plan")
UNCHANGED = "The platform was not changed."
UNKNOWN = "Failed: what was changed is unknown."


class ActionModule(FilesAction):
    """Reads the blueprint's files, runs the module of the same name, shows its plan, and writes the outputs."""

    def run(self, tmp: Any = None, task_vars: Result | None = None) -> Result:
        self._vars = task_vars or {}
        self._is_check = bool(self._task.check_mode)
        hosts = self._vars.get("ansible_play_hosts_all") or []
        self._host = f"{printable(self._vars['inventory_hostname'])}: " if len(hosts) > 1 else ""
        result: Result = super().run(tmp, task_vars)
        if result.get("failed") and "outcome" not in result:  # before it was known where to write
            result["outcome"] = Report(result, is_check=self._is_check).outcome
            self.show(result["outcome"])
        return result

    def show(self, text: str) -> None:
        super().show("\n".join(f"{self._host}{line}" for line in text.split("\n")) if text else "")

    def outcome(self, _task_vars: Result, prefix: str) -> Result:
        self._prefix = prefix
        self._plan: Result = {}
        self._may_have_written = False
        try:
            self._options = self._read_options()
            self._approval = Approval(self._task.args.get("approved"))
            self._outputs = self._prepare_outputs()
        except PlatformError as error:
            return {**failed(error), "check_mode": self._is_check}
        try:
            result = self._converge()
        except PlatformError as error:
            result = failed(error)
        except BaseException:
            self.show("blueprint: interrupted. The files of this run say that it has not ended.")
            raise
        return self._conclude({**self.with_file_warnings(result), "check_mode": self._is_check})

    def _read_options(self) -> Result:
        args = self._task.args
        # A role's null is an empty text before ansible-core 2.19.
        has_blueprint, has_directory = (args.get(option) not in (None, "") for option in ("blueprint", "directory"))
        both, problems = f"{self._prefix}directory and {self._prefix}blueprint", []
        if has_blueprint is has_directory:
            problems = [f"{both} are both set. Remove one." if has_directory else f"None of {both} is set. Set one."]
        names = [*OPTIONS_OF_THE_CONTROL_NODE, "invite", "own_scope"]
        return read_options(args, MODULE.specification.options, names, bool(self._task.async_val), problems)

    def _prepare_outputs(self) -> dict[str, str]:
        """The outputs, writable: each now says that its run has not ended; the plan approves nothing."""
        others = self.files_of_the_connection()
        if self._approval.path:
            others["approved"] = self._approval.path
        given = {option: self._options[option] for option in OUTPUTS}
        outputs = prepare_outputs(given, others, self._options["directory"], self._prefix)
        problems = self._write(outputs, {**UNFINISHED})
        if problems:
            raise PlatformError(*problems)
        return outputs

    def _converge(self) -> Result:
        """The result of the module. Raises PlatformError."""
        asks = self._options["confirm"] and not self._is_check
        reason = why_nobody_answers(self._task.no_log) if asks else ""
        if reason:
            raise PlatformError(f"confirm: {reason}. Nothing was sent.")
        args = self.module_args(OPTIONS_OF_THE_CONTROL_NODE)
        if self._options["directory"]:
            args["blueprint"] = self.entries_of(self._options["directory"], self._options["templates"], self._vars)
        if self._approval.steps is not None:
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
        self._text = plan_text(self._report(plan), is_whole=True)
        shown = plan_text(self._report(plan), STYLE, is_whole=True)
        if not is_confirmed(shown, self._vars["inventory_hostname"], plan["base_url"]):
            refusal = {"guard": "confirm", "message": "the plan was not confirmed."}
            nobody = failed(PlatformError(refusal["message"]))
            return {**plan, **nobody, "changed": False, "diff": [], "refused": True, "refusals": [refusal]}
        return self.execute({**args, "approved": plan["steps"]}, self._vars, planned=self._take_invitations)

    def _show_plan(self, plan: Result) -> None:
        self._plan = plan
        self._text = plan_text(self._report(plan))
        self.show(plan_text(self._report(plan), STYLE))
        self._take_invitations(plan)

    def _take_invitations(self, plan: Result) -> None:
        """Take what will be sent out of the approved file: an invitation is never sent twice by the same approval."""
        if not self._is_check and not plan["refused"]:
            self._approval.take_out({row["step"] for row in plan["results"] if row["action"] == "invite"})
            self._may_have_written = True

    def _run_elsewhere(self, args: Result, reason: str, task_vars: Result) -> Result:
        if not self._task.check_mode and self._options["invite"]:
            self._approval.take_out(self._approval.invitations)
        return super()._run_elsewhere(args, reason, task_vars)

    def _report(self, result: Result) -> Report:
        return Report(
            result,
            is_check=self._is_check,
            finds_drift=self._options["fail_on_drift"] or self._options["fail_on_undeclared"],
            option_prefix=self._prefix,
            plan=self._options["plan"],
            prunes=bool(self._task.args.get("prune")),
            has_own_scope=self._options["own_scope"],
        )

    def _write(self, outputs: dict[str, str], result: Result) -> list[str]:
        """Write a result into the outputs; what went wrong is returned."""
        report = self._report(result)
        contents = {
            "report": page(report) if "report" in outputs else "",
            "markdown": markdown(report) if "markdown" in outputs else "",
            "plan": plan_file(result, is_check=self._is_check) if "plan" in outputs else "",
        }
        return write_outputs(outputs, contents)

    def _conclude(self, result: Result) -> Result:
        """The result with everything said and written; it fails once, with what failed first."""
        if self._task.async_val:  # it has only begun
            return result
        if "results" in result or self._plan:
            result["text"] = self._text if self._plan else plan_text(self._report(result))
        if "results" not in result and (self._may_have_written or "module_stderr" in result):
            result["outcome"] = UNKNOWN
        if result.get("failed"):
            result["msg"] = self._failure(result)
        report = self._report(result)
        result["outcome"] = report.outcome
        problems = self._write(self._outputs, result)
        found = self._found(result, report)
        if found and not result.get("failed"):
            result.update(failed=True, msg=found)
        if problems:
            first = [result["msg"]] if result.get("failed") else []
            result.update(failed(PlatformError(*problems)), msg="\n".join([*first, *problems]))
            report = self._report({**result, "outcome": None})
            result["outcome"] = report.outcome
        message = result["msg"] if result.get("failed") else ""
        if message and self._prefix:
            result["msg"], message = shortened(message), ""  # shown by the role's next task
        written = "" if problems or not self._outputs else f"Files written: {', '.join(self._outputs.values())}."
        self.show(end_text(report, [message, written], STYLE, is_plan_shown=bool(self._plan)))
        return result

    def _failure(self, result: Result) -> str:
        """Why it failed, in the words of the reader."""
        lines = self._report(result).causes
        if result.get("refused"):
            lines[-1] += f" {UNCHANGED}"
            if self._approval.base_url not in (None, result["base_url"]):
                other = printable(self._approval.base_url)
                lines.append(f"The approved plan is for {other}, and this run for {result['base_url']}.")
        return "\n".join(lines)

    def _found(self, result: Result, report: Report) -> str:
        """Why a check fails that has found what it looks for; empty if it has not."""
        if self._is_check and self._options["fail_on_drift"] and result.get("changed"):
            return f"The platform has drifted: {report.counts}"
        if self._is_check and self._options["fail_on_undeclared"] and report.undeclared:
            return f"The platform has undeclared objects: {some_of(list(map(object_in_words, report.undeclared)))}."
        return ""
