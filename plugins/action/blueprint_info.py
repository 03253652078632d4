# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from ..module_utils._model.kinds.registry import format_counts
from ..module_utils._model.options import Definitions
from ..module_utils._run.invocation import Result
from ..module_utils._text import number_of
from ..modules.blueprint_info import MODULE, OPTIONS_OF_THE_CONTROL_NODE
from ..plugin_utils.files._atomic_files import real_path
from ..plugin_utils.files._export_files import ExportFiles, check_directory
from ..plugin_utils.tasks._files import read_blueprint_files
from ..plugin_utils.tasks._in_process import InProcessAction
from ..plugin_utils.tasks._options import read_options
from ..plugin_utils.tasks._task_run import TaskRun


class ActionModule(InProcessAction):
    """Runs the module of the same name, with files that are read before it and written after it."""

    @classmethod
    def definitions(cls) -> Definitions:
        return {
            **MODULE.specification.options,
            "undeclared_in": {"type": "list", "elements": "path"},
        }

    def run_task(self, task_run: TaskRun) -> Result:
        names = [*OPTIONS_OF_THE_CONTROL_NODE, "undeclared_in"]
        options = read_options(
            self._task.args, self.definitions(), names, bool(self._task.async_val)
        )
        given = self._task.args.items()
        args = {name: value for name, value in given if name not in OPTIONS_OF_THE_CONTROL_NODE}
        if options["undeclared_in"]:
            # Its files are read here.
            files = read_blueprint_files(options["undeclared_in"], "undeclared_in")
            args["undeclared_in"] = [files]
        if not options["directory"]:
            return self.run_module(args, task_run)
        declared = [real_path(path) for path in options["undeclared_in"]]
        check_directory(options["directory"], declared)
        result = self.run_module(args, task_run)
        if result.get("failed"):
            return result
        export = ExportFiles(result["blueprint"], options["layout"], options["directory"], declared)
        task_run.warnings += export.warnings
        return {**result, **self._write(export, result["blueprint"], options["directory"])}

    def _write(self, export: ExportFiles, blueprint: Result, directory: str) -> Result:
        verb = "Would write"
        end = "to change"
        if not self._task.check_mode:
            export.write()
            verb = "Wrote"
            end = "changed"
        files = f"{number_of(len(export.files), 'file', 'files')}, {len(export.changed):,} {end}"
        counts = {kind: len(entries) for kind, entries in blueprint.items()}
        self.show(f"{verb} {format_counts(counts)} to {directory} ({files}).")
        return {"changed": bool(export.changed), "files": export.files}


main = ActionModule.main
