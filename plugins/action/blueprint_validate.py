# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean

from ..module_utils._converge.blueprint.entries import BlueprintError, read_entries
from ..module_utils._errors import PlatformError
from ..module_utils._text import escape_line
from ..modules.blueprint_validate import OPTIONS
from ..plugin_utils._files_action import UNKNOWN_TEAM, BlueprintFilesAction
from ..plugin_utils._in_process import TaskRun, failed
from ..plugin_utils._options import add_role_prefix, option_problems
from ..plugin_utils._result_view import number_of
from ..plugin_utils._templates import to_plain_json

Result = dict[str, Any]


class ActionModule(BlueprintFilesAction):
    """Checks the files of a blueprint. There is no module to run."""

    _supports_async = False

    def run_task(self, task_run: TaskRun) -> Result:
        prefix = task_run.prefix
        args = to_plain_json(self._task.args)
        problems = list(option_problems(args, OPTIONS))
        if args.get("directory") is None:
            problems.append(f"{prefix}directory is required.")
        if problems:
            return self._finish(problems, prefix, [], {})
        has_templates = bool(boolean(args.get("templates") or False))
        directory = self.read_files(str(args["directory"]), has_templates, task_run, "")
        problems += directory.problems
        try:
            read_entries(directory.entries, {"team": UNKNOWN_TEAM})
        except BlueprintError as error:
            problems += error.problems
        return self._finish(problems, prefix, directory.files, directory.entries)

    def _finish(self, problems: list[str], prefix: str, files: list[str], lists: dict[str, list[Any]]) -> Result:
        problems = [escape_line(add_role_prefix(problem, self._task.args, prefix)) for problem in problems]
        count = sum(map(len, lists.values()))
        result = {"problems": problems, "entries": count, "files": files}
        if problems:
            self.show("\n".join(problems))
            return {**failed(PlatformError(*problems)), **result}
        where = f"in {number_of(len(files), 'file', 'files')} {'is' if count == 1 else 'are'} valid"
        self.show(f"{number_of(count, 'entry', 'entries')} {where}.")
        return {**result, "blueprint": {kind: list(map(_without_source, entries)) for kind, entries in lists.items()}}


def _without_source(entry: Result) -> Result:
    return {option: value for option, value in entry.items() if option != "source"}
