# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of the task ``blueprint``: what it was given, and what is known of it so far."""

from __future__ import annotations

import dataclasses

from ...module_utils._run.invocation import Result
from ...module_utils._text import escape_line
from ..files._template_texts import warnings_of_sent
from ..reports._result_view import ResultView
from ..tasks._options import Variables
from ..tasks._task_run import TaskRun
from ._approval import Approval
from ._outputs import write_outputs


@dataclasses.dataclass
class BlueprintRun(TaskRun):
    """It is handed on from function to function, because an action plugin keeps nothing."""

    is_check: bool
    # Whether people see what the task shows.
    is_shown: bool
    # The options that the control node reads.
    options: Result
    approval: Approval
    # The paths of the files to write, by option.
    outputs: dict[str, str]
    # The platform as the options say it.
    base_url: str
    # The plan that people were shown before the first write, if they were.
    plan: Result = dataclasses.field(default_factory=dict)
    # Whether something may have been written.
    is_begun: bool = False

    def view(self, result: Result) -> ResultView:
        """The result in words, also with the platform, which one without a plan lacks."""
        addressed = {"base_url": self.base_url, **result}
        options = {**self.options, "approved": self.approval.steps}
        return ResultView(addressed, options, self.prefix, is_check=self.is_check)

    def with_warnings(self, result: Result) -> Result:
        """Also with that about text of files that looks like a template, and is sent."""
        if self.options["directory"]:
            self.warnings += warnings_of_sent(result.get("results", ()))
        return super().with_warnings(result)

    def write(self, result: Result) -> list[str]:
        """Write a result into the outputs, and return what went wrong."""
        return list(write_outputs(self.outputs, self.view(result)))

    def as_plan(self, result: Result) -> Result:
        """A result of planning: all warnings so far are about the plan."""
        plan = self.with_warnings(result)
        return {**plan, "plan_warnings": plan.get("warnings", []), "warnings": []}

    def consume_invitations(self, plan: Result) -> None:
        """Take what will be sent out of the approved file: an invitation is never sent twice by the
        same approval.
        """
        if not self.is_check and not plan["refused"]:
            self.approval.consume(
                {row["step"] for row in plan["results"] if row["action"] == "invite"}
            )
            self.is_begun = True


def host_of(variables: Variables) -> str:
    """What precedes each line of this run, if there are runs for several hosts."""
    hosts = variables.get("ansible_play_hosts_all") or []
    return f"{escape_line(variables['inventory_hostname'])}: " if len(hosts) > 1 else ""
