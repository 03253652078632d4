# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on the control node that are written whole, and belong to their writer.

Each is created in the target folder under an unpredictable name, and then renamed. So no link is
followed, nothing is written into a file that someone else has placed there, and nobody reads a
partial file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from ansible.utils.path import unfrackpath


def absolute_path(path: str) -> str:
    """The absolute path: from the directory in which Ansible was started, with ``~`` and variables
    expanded.
    """
    return str(unfrackpath(path, follow=False))


def real_path(path: str) -> Path:
    """The place of a file or a folder, whatever links lead there."""
    return Path(os.path.realpath(absolute_path(path)))


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
