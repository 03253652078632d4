# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on the control node that are written whole, and belong to their writer.

Each is created in the target folder under an unpredictable name, and then renamed. So no link is
followed, nothing is written into a file that someone else has placed there, and nobody reads a
partial file.

The outputs of a task are written when it has ended; before it begins, it is known that they can be.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence

from ansible.utils.path import unfrackpath

from ...module_utils._errors import PlatformError
from ...module_utils._file_access import os_error_text, why_not_writable

PLAN = "plan"
APPROVED = "approved"


def absolute_path(path: str) -> str:
    """The absolute path: from the directory in which Ansible was started, with ``~`` and variables
    expanded.
    """
    return str(unfrackpath(path, follow=False))


def write_atomically(path: str, content: str) -> None:
    """Write the file, and create missing folders. Whoever could not read the file before cannot
    read it afterwards. Raises OSError, and then leaves the file as it was.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    new = os.path.join(folder, f".{secrets.token_hex(16)}.new")
    try:
        with open(new, "xb") as stream:
            _narrow_mode(path, stream.fileno())
            stream.write(content.encode(errors="backslashreplace"))
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(
            new, path
        )  # whatever is there, even a link; only a directory stays, and that is an error
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(new)
        raise


def _narrow_mode(path: str, new: int) -> None:
    """Take the rights from a new file that the regular file in whose place it will be does not
    give.
    """
    with contextlib.suppress(FileNotFoundError):
        old = os.lstat(path).st_mode
        mode = os.fstat(new).st_mode
        # Some file systems know no modes, and refuse to set one.
        if stat.S_ISREG(old) and mode & ~old:
            os.fchmod(new, stat.S_IMODE(mode & old))


def prepare_outputs(
    given: Mapping[str, str], others: Mapping[str, str], directories: Sequence[str], prefix: str
) -> dict[str, str]:
    """Make sure that the outputs can be written, and return their paths by option, as they were
    given.

    ``others``: the paths of files that are no outputs, by what names them; ``directories``: those
    of the blueprint. A plan that is the approved one is left out: it is read, and no
    plan is written. Raises PlatformError.
    """
    outputs = {
        option: path
        for option, path in given.items()
        if path and not _is_approved(option, path, others)
    }
    folders = [os.path.realpath(absolute_path(directory)) for directory in directories]
    obstacles = {option: why_not_writable(absolute_path(path)) for option, path in outputs.items()}
    problems = [
        *_path_conflicts(outputs, others, folders, prefix),
        *_unwritable(outputs, obstacles, prefix),
    ]
    if problems:
        raise PlatformError(*problems)
    return outputs


def write_outputs(
    outputs: Mapping[str, str], contents: Mapping[str, str], prefix: str
) -> list[str]:
    """Write those that have a content; what went wrong is returned. ``prefix`` precedes the names
    of options.
    """
    reasons = {}
    for option, path in outputs.items():
        try:
            if option in contents:
                write_atomically(absolute_path(path), contents[option])
        except OSError as error:
            reasons[option] = os_error_text(error)
    return _unwritable(outputs, reasons, prefix)


def _is_approved(option: str, path: str, others: Mapping[str, str]) -> bool:
    approved = others.get(APPROVED, "")
    return (
        bool(approved)
        and option == PLAN
        and os.path.realpath(absolute_path(path)) == os.path.realpath(approved)
    )


def _path_conflicts(
    outputs: Mapping[str, str], others: Mapping[str, str], folders: Sequence[str], prefix: str
) -> Iterator[str]:
    """Outputs that share a path, or that the next run would read as a part of the blueprint."""
    named = {os.path.realpath(path): name for name, path in others.items()}
    paths = {option: os.path.realpath(absolute_path(path)) for option, path in outputs.items()}
    for option, real in paths.items():
        other = named.setdefault(real, option)
        if other != option:
            name = f"{prefix}{other}" if other in outputs or other == APPROVED else other
            yield f"{prefix}{option} and {name} name the same file, {outputs[option]}."
        if any(os.path.commonpath([real, folder]) == folder for folder in folders):
            problem = (
                f"is inside the blueprint directory ({outputs[option]}), so the next run would"
                " read it"
            )
            yield f"{prefix}{option} {problem}. Choose another path."


def _unwritable(outputs: Mapping[str, str], reasons: Mapping[str, str], prefix: str) -> list[str]:
    return [
        f"{prefix}{option} cannot be written to {outputs[option]}: {why}."
        for option, why in reasons.items()
        if why
    ]
