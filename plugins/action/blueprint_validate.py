# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ..module_utils._converge.blueprint.entries import PLACE, PLACES, SOURCE
from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._run.invocation import Result
from ..module_utils._text import number_of
from ..modules.blueprint_validate import OPTIONS
from ..plugin_utils.tasks._files import judge_files, read_files
from ..plugin_utils.tasks._in_process import InProcessAction
from ..plugin_utils.tasks._options import read_options
from ..plugin_utils.tasks._task_run import TaskRun


class ActionModule(InProcessAction):
    """Checks the files of a blueprint. There is no module to run."""

    _supports_async = False

    def run_task(self, task_run: TaskRun) -> Result:
        result: Result = {"problems": [], "entries": 0, "files": []}
        try:
            directories = read_options(self._task.args, OPTIONS, OPTIONS)["directory"]
            if not directories:
                raise InvalidOption("directory", "is required.", separator=" ")
            files = read_files(directories)
            entries, problems = judge_files(files)
            result |= {"entries": len(entries), "files": files.files}
        except PlatformError as error:
            problems = [error]
        if problems:
            failure = task_run.failure(PlatformError(*problems))
            self.show(failure["msg"])
            return {**failure, **result, "problems": failure["msg"].split("\n")}
        many = f"{number_of(len(entries), 'entry', 'entries')} in"
        many += f" {number_of(len(files.files), 'file', 'files')}"
        self.show(f"{many} {'is' if len(entries) == 1 else 'are'} valid.")
        for listed in files.entries.values():
            _remove_sources(listed)
        return {**result, "blueprint": files.entries}


def _remove_sources(entries: list[Any]) -> None:
    """Take what only the reader of files says from entries, and from those in them."""
    for entry in entries:
        if isinstance(entry, dict):
            for key in (SOURCE, PLACE, PLACES):
                entry.pop(key, None)
            for value in entry.values():
                if isinstance(value, list):
                    _remove_sources(value)


main = ActionModule.main
