# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An action that reads the files of a blueprint on the control node, wherever its module runs."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...module_utils._api.connection import OPTIONS, is_usable_address, variable_of
from ...module_utils._converge.blueprint.entries import BlueprintError, Entry
from ...module_utils._converge.blueprint.reading import read_blueprint
from ...module_utils._errors import PlatformError
from ..files._atomic_files import absolute_path
from ..files._blueprint_file import BlueprintFiles
from ..files._blueprint_files import read_directories
from ..files._directories import directories_of, directory_problems
from ._in_process import InProcessAction
from ._task_run import TaskRun

# What an entry that names no team belongs to, as long as nobody knows the task's.
UNKNOWN_TEAM = "the team that the task names"


def judge(blueprint: Mapping[str, Any]) -> tuple[Sequence[Entry], Sequence[str | PlatformError]]:
    """The entries of a blueprint, in whatever team, or what is wrong with it by itself."""
    try:
        return read_blueprint(blueprint, {"team": UNKNOWN_TEAM}).entries, ()
    except BlueprintError as error:
        return (), error.problems


class BlueprintFilesAction(InProcessAction):
    """An action plugin whose options name files on the control node."""

    def module_args(self, excluded: Collection[str]) -> dict[str, Any]:
        """The arguments of the task without these options."""
        return {name: value for name, value in self._task.args.items() if name not in excluded}

    def read_files(
        self, paths: Sequence[str], run: TaskRun, option: str = "directory"
    ) -> BlueprintFiles:
        """The files of directories, with all their problems. ``option`` names the paths."""
        directories = directories_of(paths)
        problems = list(directory_problems(directories))
        if problems:
            name = f"{run.names.get(option, option)}: " if option else ""
            return BlueprintFiles(problems=[f"{name}{problem}" for problem in problems])
        return read_directories(directories)

    def read_blueprint_of(
        self, paths: Sequence[str], run: TaskRun, option: str = "directory"
    ) -> dict[str, Any]:
        """What the files say, for the module, which judges it.

        Raises PlatformError for files that cannot be read. It lists the problems of entries, too.
        """
        files = self.read_files(paths, run, option)
        if files.problems:
            _entries, problems = judge(files.blueprint)
            raise PlatformError(*files.problems, *problems)
        return files.blueprint

    @property
    def base_url(self) -> str:
        """The address of the service as the task says it; empty if it cannot be used."""
        variable = variable_of("base_url")
        environment = {**os.environ, **self._environment()}
        given = str(self._task.args.get("base_url") or environment.get(variable) or "")
        return given if is_usable_address(given) else ""

    def connection_files(self) -> dict[str, str]:
        """The paths of the token, keys and the like, under the names of what says so."""
        environment = {**os.environ, **self._environment()}
        paths: dict[str, Any] = {}
        options = [name for name, definition in OPTIONS.items() if definition["type"] == "path"]
        for option, variable in zip(options, map(variable_of, options)):
            paths |= {option: self._task.args.get(option), variable: environment.get(variable)}
        return {name: absolute_path(str(path)) for name, path in paths.items() if path}
