# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of a copy of ansible-core, as the project may make them in a version to come."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NEWEST = "2.99"
# What becomes of the tasks, beside HERE.
PREPARED_ELSEWHERE = "noticed before the first run"
ELSEWHERE = "noticed in the run, before the module's main()"
SILENT = "nothing is said"

Edit = Callable[[Path], int]
"""Changes a copy of the package `ansible`; how many files it has changed."""


@dataclass(frozen=True)
class Change:
    name: str
    edits: tuple[Edit, ...]
    way: str
    since: str
    until: str

    def __str__(self) -> str:
        return self.name

    def plant(self, ansible: Path) -> None:
        for edit in self.edits:
            assert edit(ansible), f"{self.name}: there is nothing to change"


def change(name: str, *edits: Edit, way: str = ELSEWHERE, since: str = "2.16", until: str = NEWEST) -> Change:
    return Change(name, edits, way, since, until)


def unprepared(name: str, *edits: Edit, way: str = PREPARED_ELSEWHERE, **cores: str) -> Change:
    return change(name, *edits, way=way, **cores)


def replaced(pattern: str, text: str, files: str = "**/*.py") -> Edit:
    """In these files, every match by that text."""

    def edit(ansible: Path) -> int:
        return sum(_rewritten(path, lambda before: re.sub(pattern, text, before)) for path in ansible.glob(files))

    return edit


def added(text: str, file: str) -> Edit:
    """At the end of that file."""
    return lambda ansible: _rewritten(ansible / file, lambda before: before + text)


def moved(file: str, to: str) -> Edit:
    def edit(ansible: Path) -> int:
        (ansible / file).rename(ansible / to)
        return 1

    return edit


def _rewritten(path: Path, rewrite: Callable[[str], str]) -> bool:
    before = path.read_text(encoding="utf-8")
    after = rewrite(before)
    if after == before:
        return False
    path.unlink()  # a link to the file of the environment
    path.write_text(after, encoding="utf-8")
    return True


def renamed(name: str) -> Edit:
    return replaced(rf"\b{name}\b", f"{name}_moved")


RELEASES = ("release.py", "module_utils/ansible_release.py")
ACTIONS = "plugins/action/*.py"
JSON = "module_utils/_internal/_json"
ACTION = "plugins/action/__init__.py"
BASIC = "module_utils/basic.py"
WARNINGS = "module_utils/common/warnings.py"
TRACEBACK = "module_utils/_internal/_traceback.py"
PARAMETERS = "module_utils/common/parameters.py"


def dead(name: str, value: str, file: str) -> tuple[Edit, Edit]:
    """A variable that is still there, and that core no longer looks at."""
    return renamed(name), added(f"\n{name} = {value}\n", file)


def renamed_argument(name: str) -> tuple[Edit, Edit]:
    """Rename, at both ends, a fact that core passes to every module: at one end alone, all modules would fail."""
    return (
        replaced(rf"(?<=module_args\['_ansible_){name}\b", f"{name}_moved", ACTION),
        replaced(rf"(?m)^    '{name}'(?=: \()", f"    '{name}_moved'", PARAMETERS),
    )


def forwarding(name: str) -> Edit:
    """A method that is still there, and that core no longer calls."""
    return added(f"\nActionBase.{name} = lambda self, *a, **k: self.{name}_moved(*a, **k)\n", ACTION)


def version(number: str) -> tuple[Edit, ...]:
    return tuple(replaced("__version__ = .*", f"__version__ = {number!r}", file) for file in RELEASES)
