# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of an export in a directory: which are new or different, and what is in their way."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from ...module_utils._converge.unexportable import NotExportable, selector_of
from ...module_utils._errors import InvalidOption, PlatformError
from ...module_utils._file_access import os_error_text, why_not_writable
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import is_encodable
from ...module_utils._text import join_some
from ._atomic_files import absolute_path, real_path, write_atomically
from ._blueprint_files import DEFAULTS_FILES, is_left_alone
from ._export_texts import EXPORTED, ExportedBlueprint, body, checksum, export_texts
from ._template_texts import naming_options
from ._templates import is_template

ELSEWHERE = "or choose another directory."


def check_directory(directory: str, declared: Collection[Path]) -> None:
    """Raises InvalidOption for a place that no blueprint could be read from, and for files of
    defaults that would change what is exported.

    These are in the directory or anywhere below it, or above it: up to the one of the declared
    directories in which it lies, else in the folder above.
    """
    if not is_encodable(absolute_path(directory)):
        problem = "is below a folder whose name is not valid UTF-8. Rename that."
        raise InvalidOption("directory", problem)
    real = real_path(directory)
    top = next((path for path in (real, *real.parents) if path in declared), real.parent)
    above = [folder for folder in real.parents if folder.is_relative_to(top)]
    found: list[Path] = []
    for name in DEFAULTS_FILES:
        found += [*(folder / name for folder in above), *real.rglob(name)]
    files = [str(path) for path in found if path.is_file()]
    if files:
        problem = f"{join_some(files)} would change what is exported. Remove it, {ELSEWHERE}"
        raise InvalidOption("directory", problem)


class ExportFiles:
    """The files of a blueprint in a directory. ``files``: their paths; ``changed``: of those new or
    different.
    """

    def __init__(
        self,
        blueprint: ExportedBlueprint,
        layout: str,
        directory: str,
        declared: Collection[Path],
    ) -> None:
        """``declared``: the real places of other directories, none of whose files is touched; if
        there is one, only files that have an entry are written. Raises PlatformError for what is in
        the way.
        """
        self._directory = Path(absolute_path(directory))
        self._declared = declared
        _check_names(blueprint)
        texts = export_texts(blueprint, layout, with_empty=not declared)
        self._texts = {self._directory / name: text for name, text in texts.items()}
        self.files = [str(path) for path in self._texts]
        self.changed: list[Path] = []
        problems: list[str | PlatformError] = []
        for path, text in self._texts.items():
            head = _head_of(path)
            # Another version's differs in its head alone: its schema has another address.
            if head is None or body(head.string) != body(text):
                self.changed.append(path)
                problems += self._obstacles(path, head)
        if problems:
            raise PlatformError(*problems, "Nothing was written.")

    @property
    def warnings(self) -> Iterator[str]:
        """About files of an earlier export, which are read with those of this one."""
        old = [
            str(path)
            for path in sorted(self._directory.rglob("*.yml"))
            if path not in self._texts
            and _head_of(path)
            and not self._is_declared(path)
            and not any(map(is_left_alone, path.relative_to(self._directory).parts))
        ]
        if old:
            yield (
                "Files of an earlier export that are not part of this one would still be read:"
                f" {join_some(old)}. Remove them."
            )

    def write(self) -> None:
        """Raises PlatformError."""
        for path in self.changed:
            try:
                write_atomically(str(path), self._texts[path])
            except OSError as error:
                raise PlatformError(f"{path} cannot be written: {os_error_text(error)}.") from None

    def _obstacles(self, path: Path, head: re.Match[str] | None) -> Iterator[str | PlatformError]:
        """What keeps a file from being written. ``head``: what an export has written there."""
        folders = [folder for folder in path.parents if self._directory in folder.parents]
        links = [place for place in (path, *folders) if os.path.islink(place)]
        obstacle = why_not_writable(str(path))
        if links:
            yield f"{links[0]} is a link, and links are not followed. Remove it, {ELSEWHERE}"
        elif obstacle:
            yield f"{path} cannot be written: {obstacle}."
        elif not path.exists():
            return
        elif self._is_declared(path):
            problem = f"{path} declares what this export leaves out. Choose another directory."
            yield InvalidOption("undeclared_in", problem)
        elif head is None:
            yield f"{path} was not written by an export. Remove it, {ELSEWHERE}"
        elif head[1] != checksum(head.string):
            yield f"{path} was edited since the export. Delete it to renew it, {ELSEWHERE}"

    def _is_declared(self, path: Path) -> bool:
        """True if it is a file of another directory."""
        return any(path.resolve().is_relative_to(folder) for folder in self._declared)


def _check_names(blueprint: ExportedBlueprint) -> None:
    """Raises NotExportable for names that look like templates, which files refuse."""
    problems: dict[str, str] = {}
    for plural, entries in blueprint.items():
        kind = KINDS[plural]
        for entry in entries:
            for option in naming_options(kind):
                if is_template(str(entry.get(option))):
                    name = str(entry[kind.name_field])
                    team = entry.get("team", "")
                    problems[selector_of(kind, name, team)] = (
                        f"The {kind.label(name, team)} cannot be written into a file, because"
                        f" its {option} looks like a template."
                    )
    if problems:
        raise NotExportable(problems)


def _head_of(path: Path) -> re.Match[str] | None:
    """The first line of a file, with its checksum, if it says that an export has written it; its
    text, with line feeds, is that of the match. None for a link, and what cannot be read.
    """
    if os.path.islink(path):
        return None
    try:
        return EXPORTED.match(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
