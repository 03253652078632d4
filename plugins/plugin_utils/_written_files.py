# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on the control node that are written whole, and belong to their writer.

Each is created in the target folder under an unpredictable name, and then renamed. So no link is followed, nothing is
written into a file that someone else has placed there, and nobody reads a partial file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator

from ansible.utils.path import unfrackpath

FOR_ALL = 0o666  # subject to the umask


def absolute_path(path: str) -> str:
    """The absolute path: from the directory in which Ansible was started, with ``~`` and variables expanded."""
    return str(unfrackpath(path, follow=False))


def try_out(path: str) -> None:
    """Create the folders of the file, and a temporary file in the last one. Raises OSError."""
    with _beside(path):
        pass


def write(path: str, content: str) -> None:
    """Write the file, and create missing folders. Raises OSError, and then leaves the file as it was."""
    with _beside(path) as (file, name, folder):
        with open(file, "wb", closefd=False) as stream:
            stream.write(content.encode(errors="backslashreplace"))
        os.fsync(file)
        # Replaces whatever is there, even a link; only a directory stays, and that is an error.
        os.replace(name, os.path.basename(path), src_dir_fd=folder, dst_dir_fd=folder)
        with contextlib.suppress(OSError):  # not every file system supports it; the file is in place
            os.fsync(folder)


@contextlib.contextmanager
def _beside(path: str) -> Iterator[tuple[int, str, int]]:
    """A new file in the same folder as another, which is removed again unless it has been renamed: its descriptor, its
    name, and the descriptor of the folder.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        name = f".{secrets.token_hex(16)}.new"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(name, flags, FOR_ALL, dir_fd=folder)
        try:
            yield file, name, folder
        finally:
            os.close(file)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)
    finally:
        os.close(folder)
