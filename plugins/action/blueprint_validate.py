# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ..module_utils._converge.blueprint.entries import PLACES, SOURCE
from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._text import number_of
from ..modules.blueprint_validate import OPTIONS
from ..plugin_utils.files._blueprint_file import BlueprintFiles
from ..plugin_utils.tasks._files import judge, read_files
from ..plugin_utils.tasks._in_process import InProcessAction
from ..plugin_utils.tasks._options import read_options
from ..plugin_utils.tasks._task_run import TaskRun

Result = dict[str, Any]


class ActionModule(InProcessAction):
    """Checks the files of a blueprint. There is no module to run."""

    _supports_async = False

    def run_task(self, task_run: TaskRun) -> Result:
        files = BlueprintFiles()
        count = 0
        try:
            files = read_files(self._read_options()["directory"])
        except PlatformError as error:
            problems: list[str | PlatformError] = [error]
        else:
            entries, wrong_entries = judge(files.blueprint)
            problems = [*files.problems, *wrong_entries]
            count = len(entries)
        result = {"problems": [], "entries": count, "files": files.files}
        if problems:
            failure = task_run.failure(PlatformError(*problems))
            self.show(failure["msg"])
            return {**failure, **result, "problems": failure["msg"].split("\n")}
        many = (
            f"{number_of(count, 'entry', 'entries')} in"
            f" {number_of(len(files.files), 'file', 'files')}"
        )
        self.show(f"{many} {'is' if count == 1 else 'are'} valid.")
        lists = {
            plural: [_without_sources(entry) for entry in entries]
            for plural, entries in files.entries.items()
        }
        return {**result, "blueprint": lists}

    def _read_options(self) -> Result:
        missing = InvalidOption("directory", "is required.", separator=" ")
        is_given = self._task.args.get("directory") is not None
        return read_options(self._task.args, OPTIONS, OPTIONS, others=[] if is_given else [missing])


def _without_sources(entry: Any) -> Any:
    """An entry, and those in it, without what only the reader of files says."""
    if not isinstance(entry, dict):
        return entry
    options = {}
    for option, value in entry.items():
        if isinstance(value, list):
            value = [_without_sources(item) for item in value]
        if option not in (SOURCE, PLACES):
            options[option] = value
    return options


main = ActionModule.main
