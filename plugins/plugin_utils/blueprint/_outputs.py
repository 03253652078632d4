# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The outputs of a run: files that are written when it has ended. Before it begins, it is known
that they can be.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._errors import PlatformError
from ...module_utils._file_access import os_error_text, why_not_writable
from ..files._atomic_files import absolute_path, write_atomically

PLAN = "plan"
OUTPUTS = ("report", "markdown", PLAN)
APPROVED = "approved"


def prepare_outputs(
    options: Mapping[str, Any], others: Mapping[str, str], prefix: str
) -> dict[str, str]:
    """Make sure that the outputs can be written, and return their paths by option, as they were
    given.

    ``others``: the paths of files that are no outputs, by what names them. A plan that is the
    approved one is left out: it is read, and no plan is written. Raises PlatformError.
    """
    outputs = {option: options[option] for option in OUTPUTS if options[option]}
    places = {option: _real(path) for option, path in outputs.items()}
    if APPROVED in others and places.get(PLAN) == _real(others[APPROVED]):
        del outputs[PLAN], places[PLAN]
    folders = [_real(directory) for directory in options["directory"]]
    obstacles = {option: why_not_writable(absolute_path(path)) for option, path in outputs.items()}
    conflicts = _path_conflicts(outputs, places, others, folders, prefix)
    problems = [*conflicts, *_unwritable(outputs, obstacles, prefix)]
    if problems:
        raise PlatformError(*problems)
    return outputs


def _real(path: str) -> str:
    return os.path.realpath(absolute_path(path))


def write_outputs(
    outputs: Mapping[str, str], contents: Mapping[str, str], prefix: str
) -> list[str]:
    """Write them, and return what went wrong. ``prefix`` precedes the names of options."""
    reasons = {}
    for option, path in outputs.items():
        try:
            write_atomically(absolute_path(path), contents[option])
        except OSError as error:
            reasons[option] = os_error_text(error)
    return _unwritable(outputs, reasons, prefix)


def _path_conflicts(
    outputs: Mapping[str, str],
    places: Mapping[str, str],
    others: Mapping[str, str],
    folders: Sequence[str],
    prefix: str,
) -> Iterator[str]:
    """Outputs that share a path, or that the next run would read as a part of the blueprint."""
    named = {_real(path): name for name, path in others.items()}
    for option, place in places.items():
        other = named.setdefault(place, option)
        if other != option:
            name = f"{prefix}{other}" if other in (*outputs, APPROVED) else other
            yield f"{prefix}{option} and {name} name the same file, {outputs[option]}."
        if any(os.path.commonpath([place, folder]) == folder for folder in folders):
            yield (
                f"{prefix}{option} is inside the blueprint directory ({outputs[option]}), so the"
                " next run would read it. Choose another path."
            )


def _unwritable(outputs: Mapping[str, str], reasons: Mapping[str, str], prefix: str) -> list[str]:
    return [
        f"{prefix}{option} cannot be written to {outputs[option]}: {why}."
        for option, why in reasons.items()
        if why
    ]
