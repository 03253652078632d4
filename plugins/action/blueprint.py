# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import functools
import os

from ..module_utils._converge.result import REPORT
from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._run.invocation import Result
from ..modules.blueprint import OPTIONS_OF_THE_CONTROL_NODE
from ..plugin_utils.blueprint._approval import Approval
from ..plugin_utils.blueprint._blueprint_run import BlueprintRun, host_of
from ..plugin_utils.blueprint._ending import (
    DRIFT_ALONE,
    add_words,
    last_lines,
    write_and_judge,
)
from ..plugin_utils.blueprint._options import SHARED_OPTIONS, source_problems
from ..plugin_utils.blueprint._outputs import prepare_outputs
from ..plugin_utils.blueprint._stats import save_stats
from ..plugin_utils.blueprint._terminal import (
    CONFIRM,
    YES,
    ask_to_apply,
    describe_refusal,
    in_color,
    why_not_interactive,
)
from ..plugin_utils.reports._plan_file import UNFINISHED
from ..plugin_utils.reports._plan_text import plan_text
from ..plugin_utils.reports._result_view import COUNTS, DRIFT_OPTIONS, ResultView
from ..plugin_utils.tasks._files import (
    base_url_of,
    connection_files,
    judge,
    read_blueprint_files,
)
from ..plugin_utils.tasks._in_process import InProcessAction
from ..plugin_utils.tasks._options import read_options
from ..plugin_utils.tasks._task_run import TaskRun

# What a failure of the role holds besides its message, and what it holds without a plan.
KEPT_OF_A_FAILURE = ("refused", "refusals", "summary", "outcome", "failure")
NO_PLAN: Result = {"refused": False, "refusals": [], "summary": COUNTS}


class ActionModule(InProcessAction):
    """Reads the blueprint's files, runs the module of the same name, shows its plan, and writes the
    outputs. In the order of its methods: options and outputs, files, the question, the plan, the
    end, and what is registered.
    """

    def run_task(self, task_run: TaskRun) -> Result:
        run = self._prepare(task_run)
        try:
            result = self._converge(run)
        except PlatformError as error:
            result = run.failure(error)
        except BaseException:
            if run.outputs:
                self.show("The files of this run say that it has not ended.", run.host)
            raise
        result = run.with_warnings(result)
        if self._task.async_val:  # it has only begun
            return result
        return self._finish(result, run)

    def _prepare(self, task_run: TaskRun) -> BlueprintRun:
        """Read the options, and make sure that the outputs can be written: each now says that its
        run has not ended, and the plan approves nothing. Raises PlatformError.
        """
        args = self._task.args
        options = read_options(
            args,
            self.definitions(),
            [*OPTIONS_OF_THE_CONTROL_NODE, *SHARED_OPTIONS],
            bool(self._task.async_val),
            source_problems(args, task_run.prefix),
        )
        approval = Approval(args.get("approved"))
        environment = {**os.environ, **self._environment()}
        others = {
            **connection_files(args, environment),
            f"{task_run.prefix}approved": approval.path,
        }
        run = BlueprintRun(
            task_run.variables,
            task_run.role,
            warnings=[],
            host=host_of(task_run.variables),
            is_check=bool(self._task.check_mode),
            is_shown=not self._task.no_log,
            options=options,
            approval=approval,
            outputs=prepare_outputs(options, others, task_run.prefix),
            base_url=base_url_of(args, environment),
        )
        problems = run.write(UNFINISHED)
        if problems:
            raise PlatformError(*problems)
        return run

    def _converge(self, run: BlueprintRun) -> Result:
        """The result of the module. Raises PlatformError."""
        args = self._module_args(run)
        if run.options[CONFIRM] and not run.is_check:
            return self._ask_and_apply(args, run)
        return self.run_module(args, run, on_plan=functools.partial(self._show_plan, run))

    def _module_args(self, run: BlueprintRun) -> Result:
        """The options of the module, which knows neither files nor who asks."""
        given = self._task.args.items()
        args = {name: value for name, value in given if name not in OPTIONS_OF_THE_CONTROL_NODE}
        # They mean nothing in a run, nor while a run makes the plan for its question.
        args |= {option: run.is_check and run.options[option] for option in DRIFT_OPTIONS}
        if run.options["directory"]:
            args["blueprint"] = read_blueprint_files(run.options["directory"])
        if run.approval.steps is not None:
            args["approved"] = run.approval.option
        return args

    def _ask_and_apply(self, args: Result, run: BlueprintRun) -> Result:
        """The result of a run that somebody at the terminal has agreed to. Raises PlatformError."""
        reason = why_not_interactive(self._task.no_log)
        if reason:
            raise InvalidOption(CONFIRM, f"{reason}. Nothing was sent. Approve a plan instead.")
        planned = self._in_check_mode().run_module(args, run)
        if not planned.get("steps") or planned.get("failed"):
            return planned
        plan = run.plan = run.as_plan(planned)
        run.approval.rows = plan["results"]
        shown = plan_text(run.view(plan), in_color, is_whole=True)
        shown = f"{run.host}{shown}".replace("\n", f"\n{run.host}")
        answer = ask_to_apply(shown, run.variables["inventory_hostname"], plan["base_url"])
        if answer.lower() != YES:
            why = describe_refusal(answer)
            return {
                **plan,
                **run.failure(InvalidOption(CONFIRM, why)),
                "changed": False,
                "diff": [],
                "refused": True,
                "refusals": [{"guard": CONFIRM, "message": why}],
            }
        return self.run_module(
            {**args, "approved": plan["steps"]}, run, on_plan=run.consume_invitations
        )

    def _in_check_mode(self) -> ActionModule:
        """The same action for the same task in check mode."""
        task = self._task.copy()
        task.check_mode = True
        return ActionModule(
            task,
            self._connection,
            self._play_context,
            self._loader,
            self._templar,
            self._shared_loader_obj,
        )

    def _show_plan(self, run: BlueprintRun, plan: Result) -> None:
        run.plan = run.as_plan(plan)
        self.show(plan_text(run.view(run.plan), in_color), run.host)
        run.consume_invitations(plan)

    def _run_in_own_process(self, args: Result, reason: str, task_run: TaskRun) -> Result:
        is_run = not self._task.check_mode
        if isinstance(task_run, BlueprintRun) and is_run and task_run.options["invite"]:
            # What is wrong is said before invitations can no longer be sent.
            judge(args["blueprint"])
            task_run.approval.consume(task_run.approval.invitations)
        return super()._run_in_own_process(args, reason, task_run)

    def _finish(self, result: Result, run: BlueprintRun) -> Result:
        """The result with everything said and written."""
        add_words(result, run)
        write_and_judge(result, run)
        self.show(last_lines(result, run), run.host)
        result.pop(REPORT, None)
        return result

    def registered(self, result: Result, task_run: TaskRun) -> Result:
        """The result. One for a role holds what a play does after it, and names the file of what
        the role passes to a controller, if there is one.
        """
        is_check = bool(self._task.check_mode)
        is_failed = result.get("failed", False)
        has_plan = result.pop(DRIFT_ALONE, not is_failed)
        if is_failed:
            result.setdefault("guards", None)
        if is_failed and "outcome" not in result:  # before it was known where to write
            result["outcome"] = ResultView(result, is_check=is_check).outcome
            self.show(result["outcome"], host_of(task_run.variables))
        if not task_run.role:
            return result
        kept = {key: result[key] for key in KEPT_OF_A_FAILURE if key in result}
        if self._templar.template(task_run.variables.get("__converge_reader")) == "controller":
            kept["stats"] = save_stats(result, is_check=is_check, has_plan=has_plan)
        if is_failed:
            kept = {**NO_PLAN, **kept}
        return {**super().registered(result, task_run), **kept}


main = ActionModule.main
