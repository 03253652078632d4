# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An action that reads the files of a blueprint on the control node, wherever its module runs."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ..module_utils._api.connection import OPTIONS, variable_of
from ..module_utils._converge.blueprint.entries import BlueprintError, read_entries
from ..module_utils._errors import PlatformError
from ..module_utils._text import printable
from ._blueprint_files import Directory, read_directory
from ._in_process import InProcessAction, TaskRun
from ._written_files import absolute_path
from ._yaml_files import DataFiles, TrustedFiles

# What an entry that names no team belongs to, as long as nobody knows the task's.
SOME_TEAM = "the team that the task names"


class FilesAction(InProcessAction):
    """An action plugin whose options name files on the control node."""

    def module_args(self, not_of_the_module: Collection[str]) -> dict[str, Any]:
        """The arguments of the task without these options."""
        return {name: value for name, value in self._task.args.items() if name not in not_of_the_module}

    def directory_of(self, path: str, has_templates: bool, task_run: TaskRun, option: str = "directory") -> Directory:
        """The files, with their problems, except those of single entries. ``option`` names the path.

        Adds the warnings about the files to those of the run.
        """
        folder, name = absolute_path(path), f"{option}: " if option else ""
        if os.path.islink(folder) and not has_templates:
            return Directory(problems=[f"{name}{folder} is a link. Only a directory with templates may be one."])
        if not os.path.isdir(folder):
            problem = f"{folder} is not a directory." if os.path.exists(folder) else f"{folder} does not exist."
            return Directory(problems=[f"{name}{problem}"])
        reader: Any = DataFiles()
        if has_templates:
            reader = TrustedFiles(self._loader, self._templar, task_run.variables.get("omit"))
        directory = read_directory(Path(folder), reader)
        if reader.templated:
            file, line, text = reader.templated
            place = f"{file.relative_to(folder).as_posix()}:{line}"
            task_run.warnings.append(
                f"{printable(place)}: {printable(text)} looks like a template, and is only text here. Set templates to"
                " evaluate the files, or tag the text !unsafe."
            )
        return directory

    def entries_of(
        self, path: str, has_templates: bool, task_run: TaskRun, option: str = "directory"
    ) -> dict[str, list[Any]]:
        """The entries of all files. Raises PlatformError, which lists the problems."""
        directory = self.directory_of(path, has_templates, task_run, option)
        try:
            read_entries(directory.entries, {"team": SOME_TEAM})
        except BlueprintError as error:
            directory.problems += error.problems
        if directory.problems:
            raise PlatformError(*directory.problems)
        return directory.entries

    def files_of_the_connection(self) -> dict[str, str]:
        """The paths of the token, keys and the like, under the names of what says so."""
        environment = {**os.environ, **self._environment()}
        found: dict[str, Any] = {}
        for option in (name for name, definition in OPTIONS.items() if definition["type"] == "path"):
            variable = variable_of(option)
            found |= {option: self._task.args.get(option), variable: environment.get(variable)}
        return {name: absolute_path(str(path)) for name, path in found.items() if path}
