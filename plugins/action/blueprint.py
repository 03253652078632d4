# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from ..module_utils._converge.blueprint.reading import SCOPES, keys_of_files
from ..module_utils._converge.passes.result import REPORT
from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._text import escape_line, join_some
from ..modules.blueprint import MODULE, OPTIONS_OF_THE_CONTROL_NODE
from ..plugin_utils.blueprint._approval import Approval
from ..plugin_utils.blueprint._outputs import prepare_outputs, write_outputs
from ..plugin_utils.blueprint._stats import save_stats
from ..plugin_utils.blueprint._terminal import (
    ask_to_apply,
    first_lines,
    in_color,
    why_not_interactive,
)
from ..plugin_utils.reports._page import render_html
from ..plugin_utils.reports._plan_file import COUNTS, UNFINISHED, plan_file
from ..plugin_utils.reports._plan_markdown import markdown
from ..plugin_utils.reports._plan_text import end_text, plan_text
from ..plugin_utils.reports._quoting import object_label
from ..plugin_utils.reports._result_view import ResultView
from ..plugin_utils.tasks._files_action import BlueprintFilesAction, judge
from ..plugin_utils.tasks._options import read_options
from ..plugin_utils.tasks._task_run import TaskRun

Result = dict[str, Any]
OUTPUTS = ("report", "markdown", "plan")
DRIFT_OPTIONS = ("fail_on_drift", "fail_on_undeclared")
# In the result of a check that fails because it has found what it looks for.
DRIFT_ALONE = "_drift_alone"
# What a failure of the role holds besides its message, and what it holds without a plan.
KEPT_OF_A_FAILURE = ("refused", "refusals", "summary", "outcome", "failure")
NO_PLAN: Result = {"refused": False, "refusals": [], "summary": COUNTS}
# Of the steps that have changed since they were approved.
MOST_CHANGED = 3
UNKNOWN = "Failed: what was changed is unknown."


@dataclasses.dataclass
class BlueprintRun(TaskRun):
    """One run of this module: what it was given, and what is known of it so far.

    ``base_url``: the platform as the options say it. ``has_own_file``: whether a file has the own
    scope. ``plan`` is the plan that was shown, as
    ``text``. ``is_begun``: whether something may have been written.
    """

    is_check: bool = False
    options: Result = dataclasses.field(default_factory=dict)
    approval: Approval = dataclasses.field(default_factory=lambda: Approval(None))
    outputs: dict[str, str] = dataclasses.field(default_factory=dict)
    base_url: str = ""
    prunes: bool = False
    has_own_file: bool = False
    plan: Result = dataclasses.field(default_factory=dict)
    text: str = ""
    is_begun: bool = False

    def view(self, result: Result) -> ResultView:
        return ResultView(
            {"base_url": self.base_url, **result},
            is_check=self.is_check,
            is_drift_check=any(self.options[option] for option in DRIFT_OPTIONS),
            option_prefix=self.prefix,
            plan=self.options["plan"],
            prunes=self.prunes,
            has_own_scope=self.options["own_scope"] or self.has_own_file,
            invites=self.options["invite"],
        )

    def consume_invitations(self, plan: Result) -> None:
        """Take what will be sent out of the approved file: an invitation is never sent twice by the
        same approval.
        """
        if not self.is_check and not plan["refused"]:
            self.approval.consume(
                {row["step"] for row in plan["results"] if row["action"] == "invite"}
            )
            self.is_begun = True

    def write(self, outputs: dict[str, str], result: Result) -> list[str]:
        """Write a result into the outputs, and return what went wrong."""
        view = self.view(result)
        contents = {
            "report": render_html(view) if "report" in outputs else "",
            "markdown": markdown(view) if "markdown" in outputs else "",
            "plan": plan_file(result, is_check=self.is_check) if "plan" in outputs else "",
        }
        return write_outputs(outputs, contents, self.prefix)


class ActionModule(BlueprintFilesAction):
    """Reads the blueprint's files, runs the module of the same name, shows its plan, and writes the
    outputs.
    """

    def registered(self, result: Result, task_run: TaskRun) -> Result:
        """The result. One for a role holds what a play does after it, and names the file of what
        the role passes to a controller, if there is one.
        """
        is_check = bool(self._task.check_mode)
        approves = not result.get("failed") or result.pop(DRIFT_ALONE, False)
        if result.get("failed") and "outcome" not in result:  # before it was known where to write
            result["outcome"] = ResultView(result, is_check=is_check).outcome
            self.show(result["outcome"], _host_of(task_run.variables))
        if not task_run.role:
            return result
        stats = _stats(result, is_check=is_check, approves=approves)
        if result.get("failed"):
            result = {**NO_PLAN, **result}
        kept = {key: result[key] for key in KEPT_OF_A_FAILURE if key in result}
        if self._templar.template(task_run.variables.get("__converge_reader")) == "controller":
            kept["stats"] = save_stats(stats)
        return {**super().registered(result, task_run), **kept}

    def run_task(self, task_run: TaskRun) -> Result:
        host = _host_of(task_run.variables)
        run = BlueprintRun(task_run.variables, task_run.role, task_run.warnings, host)
        run.is_check = bool(self._task.check_mode)
        run.prunes = bool(self._task.args.get("prune"))
        try:
            run.options = self._read_options(run)
            run.approval = Approval(self._task.args.get("approved"))
            run.base_url = self.base_url
            run.outputs = self._prepare_outputs(run)
        except PlatformError as error:
            return run.failure(error)
        try:
            result = self._converge(run)
        except PlatformError as error:
            result = run.failure(error)
        except BaseException:
            if run.outputs:
                self.show("The files of this run say that it has not ended.", run.host)
            raise
        return self._finish(run.with_warnings(result), run)

    def _read_options(self, run: BlueprintRun) -> Result:
        args = self._task.args
        # A role's null is an empty text before ansible-core 2.19.
        has_blueprint, has_directory = (
            args.get(option) not in (None, "") for option in ("blueprint", "directory")
        )
        one = f"{run.prefix}directory"
        other = f"{run.prefix}blueprint"
        problems: list[str | PlatformError] = list(keys_of_files(args.get("blueprint")))
        if has_blueprint and has_directory:
            problems.append(f"{one} and {other} are both set. Remove one.")
        elif not has_blueprint and not has_directory:
            problems.append(f"Neither {one} nor {other} is set. Set one of them.")
        names = [*OPTIONS_OF_THE_CONTROL_NODE, *DRIFT_OPTIONS, "invite", "own_scope"]
        return read_options(
            args, MODULE.specification.options, names, bool(self._task.async_val), problems
        )

    def _prepare_outputs(self, run: BlueprintRun) -> dict[str, str]:
        """The outputs. Each can be written: it now says that its run has not ended, and the plan
        approves nothing.
        """
        others = self.connection_files()
        if run.approval.path:
            others["approved"] = run.approval.path
        given = {option: run.options[option] for option in OUTPUTS}
        outputs = prepare_outputs(given, others, run.options["directory"], run.prefix)
        problems = run.write(outputs, dict(UNFINISHED))
        if problems:
            raise PlatformError(*problems)
        return outputs

    def _converge(self, run: BlueprintRun) -> Result:
        """The result of the module. Raises PlatformError."""
        asks = run.options["confirm"] and not run.is_check
        reason = why_not_interactive(self._task.no_log) if asks else ""
        if reason:
            raise InvalidOption("confirm", f"{reason}. Nothing was sent.")
        args = self.module_args(OPTIONS_OF_THE_CONTROL_NODE)
        # They mean nothing in a run, nor while a run makes the plan for its question.
        args |= {option: run.is_check and run.options[option] for option in DRIFT_OPTIONS}
        if run.options["directory"]:
            args["blueprint"] = self.read_blueprint_of(
                run.options["directory"], run.options["templates"], run
            )
            run.has_own_file = any(not scope.get("team") for scope in args["blueprint"][SCOPES])
        if run.approval.steps is not None:
            args["approved"] = run.approval.option
        show = functools.partial(self._show_plan, run)
        return self._ask_and_apply(args, run) if asks else self.run_module(args, run, on_plan=show)

    def _ask_and_apply(self, args: Result, run: BlueprintRun) -> Result:
        """The result of a run that somebody at the terminal has agreed to."""
        task = self._task.copy()
        task.check_mode = True
        tools = (
            self._connection,
            self._play_context,
            self._loader,
            self._templar,
            self._shared_loader_obj,
        )
        plan = run.with_warnings(ActionModule(task, *tools).run_module(args, run))
        if not plan.get("steps") or plan.get("failed"):
            return plan
        run.plan = plan
        run.approval.rows = plan["results"]
        run.text = plan_text(run.view(plan), is_whole=True)
        shown = plan_text(run.view(plan), in_color, is_whole=True)
        shown = f"{run.host}{shown}".replace("\n", f"\n{run.host}")
        if not ask_to_apply(shown, run.variables["inventory_hostname"], plan["base_url"]):
            refusal = {"guard": "confirm", "message": "the plan was not confirmed."}
            refused = {"changed": False, "diff": [], "refused": True, "refusals": [refusal]}
            return {**plan, **run.failure(InvalidOption(*refusal.values())), **refused}
        return self.run_module(
            {**args, "approved": plan["steps"]}, run, on_plan=run.consume_invitations
        )

    def _show_plan(self, run: BlueprintRun, plan: Result) -> None:
        plan = run.with_warnings(plan)
        run.plan = plan
        run.text = plan_text(run.view(plan))
        self.show(plan_text(run.view(plan), in_color), run.host)
        run.consume_invitations(plan)

    def _run_in_own_process(self, args: Result, reason: str, task_run: TaskRun) -> Result:
        if (
            isinstance(task_run, BlueprintRun)
            and not self._task.check_mode
            and task_run.options["invite"]
        ):
            _entries, problems = judge(
                args["blueprint"]
            )  # before invitations can no longer be sent
            if problems:
                raise PlatformError(*problems)
            task_run.approval.consume(task_run.approval.invitations)
        return super()._run_in_own_process(args, reason, task_run)

    def _finish(self, result: Result, run: BlueprintRun) -> Result:
        """The result with everything said and written; it fails once, with what failed first."""
        if self._task.async_val:  # it has only begun
            return result
        if run.plan:
            result["text"] = run.text
        elif "results" in result:
            result["text"] = plan_text(run.view(_as_planned(result)))
        if "results" not in result and (run.is_begun or "module_stderr" in result):
            result["outcome"] = UNKNOWN
        if result.get("failed"):
            result["msg"] = _failure(result, run)
        view = run.view(result)
        result["outcome"] = view.outcome
        problems = run.write(run.outputs, result)
        drift = _drift_message(result, view, run)
        if drift and not result.get("failed"):
            result.update({"failed": True, "msg": drift, DRIFT_ALONE: True})
        if problems:
            first = [result["msg"]] if result.get("failed") else []
            msg = "\n".join([*first, *problems])
            result.update({"failed": True, "msg": msg, DRIFT_ALONE: False})
            view = run.view({**result, "outcome": None})
            result["outcome"] = view.outcome
        message = result["msg"] if result.get("failed") else ""
        if message and run.prefix:
            # Core shows it, and nothing else of the result.
            result["msg"] = first_lines(message)
            message = ""
        written = (
            ""
            if problems or not run.outputs
            else f"Files written: {', '.join(run.outputs.values())}."
        )
        self.show(
            end_text(view, [message, written], in_color, is_plan_shown=bool(run.plan)), run.host
        )
        result.pop(REPORT, None)
        return result


def _as_planned(result: Result) -> Result:
    """The result as it would have been shown before the first write."""
    late = result[REPORT].get("late_warnings", ())
    return {
        **result,
        "results": result[REPORT].get("planned", result["results"]),
        "warnings": [warning for warning in result.get("warnings", ()) if warning not in late],
    }


def _stats(result: Result, *, is_check: bool, approves: bool) -> Result:
    """What the role passes on: the counts, and in check mode the steps that the next node of a
    workflow may take.

    None where something failed or was refused. A plan that only drift fails stands.
    """
    stats = {"converge_summary": result["summary"]} if "summary" in result else {}
    if is_check:
        stats["converge_approved"] = result.get("steps", []) if approves else []
    return stats


def _host_of(variables: Result) -> str:
    """What precedes each line of this run, if there are runs for several hosts."""
    hosts = variables.get("ansible_play_hosts_all") or []
    return f"{escape_line(variables['inventory_hostname'])}: " if len(hosts) > 1 else ""


def _failure(result: Result, run: BlueprintRun) -> str:
    """Why it failed, in the words of the reader."""
    lines = run.view(result).failure_lines
    if any(refusal["guard"] == "approved" for refusal in result.get("refusals", ())):
        lines += run.approval.describe_changes(result["results"])[:MOST_CHANGED]
    return "\n".join(lines)


def _drift_message(result: Result, view: ResultView, run: BlueprintRun) -> str:
    """Why a check fails that has found what it looks for; empty if it has not."""
    if run.is_check and run.options["fail_on_drift"] and result.get("changed"):
        return f"The platform has drifted: {view.counts}"
    if run.is_check and run.options["fail_on_undeclared"] and view.undeclared:
        return (
            "The platform has undeclared objects:"
            f" {join_some(list(map(object_label, view.undeclared)))}."
        )
    return ""
