# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The outputs of a run: files that are written when it has ended. Before it begins, it is known
that they can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...module_utils._errors import PlatformError
from ...module_utils._file_access import os_error_text, why_not_writable
from ...module_utils._model.options import Options
from ..files._atomic_files import absolute_path, real_path, write_atomically
from ..reports._page import render_html
from ..reports._plan_file import plan_file
from ..reports._plan_markdown import markdown
from ..reports._result_view import ResultView

# By their options.
RENDERERS: Mapping[str, Callable[[ResultView], str]] = {
    "report": render_html,
    "markdown": markdown,
    "plan": plan_file,
}


def prepare_outputs(options: Options, others: Options, prefix: str) -> dict[str, str]:
    """Make sure that the outputs can be written, and return their paths by option, as they were
    given.

    ``others``: the paths of files that are no outputs, by what names them, as far as they are
    given. No plan is written into the file of ``approved``, which is read. ``prefix``: what
    precedes the names of options. Raises PlatformError.
    """
    outputs = {}
    names = {real_path(str(path)): name for name, path in others.items() if path}
    folders = [real_path(directory) for directory in options["directory"]]
    problems = []
    for option in RENDERERS:
        path = options[option]
        if not path:
            continue
        name = f"{prefix}{option}"
        real = real_path(path)
        other = names.setdefault(real, name)
        if option == "plan" and other == f"{prefix}approved":
            continue
        outputs[option] = path
        if other != name:
            problems.append(f"{name} and {other} name the same file, {path}.")
        if any(real.is_relative_to(folder) for folder in folders):
            inside = f"{name} is inside the blueprint directory ({path}), so the next run would"
            problems.append(f"{inside} read it. Choose another path.")
        obstacle = why_not_writable(absolute_path(path))
        if obstacle:
            problems.append(_unwritable(name, path, obstacle))
    if problems:
        raise PlatformError(*problems)
    return outputs


def write_outputs(outputs: Mapping[str, str], view: ResultView) -> Iterator[str]:
    """Write a result into them, and say what went wrong."""
    for option, path in outputs.items():
        try:
            write_atomically(absolute_path(path), RENDERERS[option](view))
        except OSError as error:
            yield _unwritable(f"{view.prefix}{option}", path, os_error_text(error))


def _unwritable(name: str, path: str, why: str) -> str:
    return f"{name} cannot be written to {path}: {why}."
