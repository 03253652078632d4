# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on the control node that a task names: read there, wherever its module runs."""

from __future__ import annotations

from collections.abc import Sequence

from ...module_utils._api.connection import PATH_OPTIONS, is_usable_address, variable_of
from ...module_utils._converge.blueprint.entries import Entry
from ...module_utils._converge.blueprint.reading import read_blueprint
from ...module_utils._errors import InvalidOption, PlatformError
from ...module_utils._model.options import Options
from ..files._blueprint_file import BlueprintFiles
from ..files._blueprint_files import read_directories
from ..files._directories import directories_of, directory_problems
from ._options import Environment

# What an entry that names no team belongs to, as long as nobody knows the task's.
UNKNOWN_TEAM = "the team that the task names"


def judge(blueprint: Options) -> Sequence[Entry]:
    """The entries of a blueprint, in whatever team. Raises PlatformError for what is wrong with it
    by itself.
    """
    return read_blueprint(blueprint, {"team": UNKNOWN_TEAM}).entries


def judge_files(files: BlueprintFiles) -> tuple[Sequence[Entry], list[str | PlatformError]]:
    """The entries of files, if each is right by itself, and all that is wrong with the files and
    with the entries.
    """
    try:
        return judge(files.blueprint), [*files.problems]
    except PlatformError as error:
        return (), [*files.problems, error]


def read_files(paths: Sequence[str], option: str = "directory") -> BlueprintFiles:
    """The files of the directories that an option names, with all their problems. Raises
    PlatformError for directories that cannot be read.
    """
    directories = directories_of(paths)
    problems = [InvalidOption(option, problem) for problem in directory_problems(directories)]
    if problems:
        raise PlatformError(*problems)
    return read_directories(directories)


def read_blueprint_files(paths: Sequence[str], option: str = "directory") -> Options:
    """What the files say, for the module, which judges it.

    Raises PlatformError for files that cannot be read. It lists the problems of entries, too.
    """
    files = read_files(paths, option)
    if files.problems:
        _entries, problems = judge_files(files)
        raise PlatformError(*problems)
    return files.blueprint


def base_url_of(args: Options, environment: Environment) -> str:
    """The address of the service as a task says it; empty if it cannot be used."""
    given = str(args.get("base_url") or environment.get(variable_of("base_url")) or "")
    return given if is_usable_address(given) else ""


def connection_files(args: Options, environment: Environment) -> Options:
    """The paths of the token, keys and the like, under the names of what may say so."""
    variables = map(variable_of, PATH_OPTIONS)
    return {
        **{option: args.get(option) for option in PATH_OPTIONS},
        **{variable: environment.get(variable) for variable in variables},
    }
