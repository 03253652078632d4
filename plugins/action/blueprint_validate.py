# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean

from ..module_utils._converge.blueprint.entries import BlueprintError, Entry, read_entries
from ..module_utils._converge.blueprint.selectors import ENTRY_KEYS, KEYS, Selectors, read_selectors, source_file
from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._text import did_you_mean, printable, some_of
from ..modules.blueprint_validate import OPTIONS
from ..plugin_utils._files_action import SOME_TEAM, FilesAction
from ..plugin_utils._in_process import failed
from ..plugin_utils._options import as_the_reader_sets_it, option_problems
from ..plugin_utils._outcome import number_of
from ..plugin_utils._plan_file import Approval
from ..plugin_utils._templates import json_value

Result = dict[str, Any]
SELECTORS = {"only": ENTRY_KEYS, "ignore": KEYS, "protect": KEYS}


class ActionModule(FilesAction):
    """Checks the files of a blueprint. There is no module to run."""

    _supports_async = False

    def outcome(self, task_vars: Result, prefix: str) -> Result:
        args = json_value(self._task.args)
        problems = list(option_problems(args, OPTIONS))
        if args.get("directory") is None:
            problems.append(f"{prefix}directory is required.")
        selectors = {option: self._selectors(option, problems) for option in SELECTORS}
        try:
            Approval(args.get("approved"))
        except InvalidOption as error:
            problems.append(str(error))
        readable = {option: args[option] for option in ("directory", "templates") if option in args}
        if not readable.get("directory") or list(option_problems(readable, OPTIONS)):
            return self._conclude(problems, prefix, [], {})
        has_templates = bool(boolean(args.get("templates") or False))
        directory = self.directory_of(str(args["directory"]), has_templates, task_vars, "")
        problems += directory.problems
        try:
            entries = read_entries(directory.entries, {"team": SOME_TEAM}, selectors["ignore"])
            problems += _selecting_nothing(selectors["only"], entries)
        except BlueprintError as error:
            problems += error.problems
        return self._conclude(problems, prefix, directory.files, directory.entries)

    def _selectors(self, option: str, problems: list[str]) -> Selectors:
        given = self._task.args.get(option) or []
        try:
            # Ansible-core would take a text for a list, too.
            return read_selectors(
                option, given if isinstance(given, list) else str(given).split(","), SELECTORS[option]
            )
        except InvalidOption as error:
            problems.append(str(error))
            return Selectors()

    def _conclude(self, problems: list[str], prefix: str, files: list[str], lists: dict[str, list[Any]]) -> Result:
        problems = [printable(as_the_reader_sets_it(problem, self._task.args, prefix)) for problem in problems]
        count = sum(map(len, lists.values()))
        result = {"problems": problems, "entries": count, "files": files, "warnings": list(self._file_warnings)}
        if problems:
            self.show("\n".join(problems))
            return {**failed(PlatformError(*problems)), **result}
        self.show(f"{number_of(count, 'entry is', 'entries are')} right, in {number_of(len(files), 'file', 'files')}.")
        return {**result, "blueprint": {kind: list(map(_without_source, entries)) for kind, entries in lists.items()}}


def _without_source(entry: Result) -> Result:
    return {option: value for option, value in entry.items() if option != "source"}


def _selecting_nothing(only: Selectors, entries: list[Entry]) -> Iterator[str]:
    """Selectors that no entry has the file of. The run alone knows the teams, and what else may be pruned."""
    for index, selector in enumerate(only):
        anywhere = dataclasses.replace(selector, team=None)
        if selector.source is not None and not any(
            anywhere.matches(entry.kind, entry.name, "") and selector.is_of_source(entry.source) for entry in entries
        ):
            sources = {source_file(entry.source) for entry in entries}
            near = did_you_mean(selector.source, sources) or f" There are {some_of(sorted(sources))}."
            yield f"only[{index}] selects no entry.{near}"
