# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files that are written atomically, and belong to their writer.

Each is created in the target folder under an unpredictable name, and then renamed. So no link is followed, nothing is
written into a file that someone else has placed there, and nobody reads a partial file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator

FOR_ALL, FOR_THE_OWNER = 0o666, 0o600  # the first is subject to the umask


def located(path: str, folder: str) -> str:
    """The path, relative to that folder unless absolute. ``~`` is expanded, and nothing else."""
    return os.path.join(folder, os.path.expanduser(path))


def obstacle_of(path: str, *, replacing: bool = False) -> str:
    """The visible obstacle to writing the file, in words; ``""`` if there is none. Changes nothing.

    ``replacing``: a link or a pipe is no obstacle, as ``write`` replaces it.
    """
    folder, name = os.path.split(path)
    try:
        there = os.lstat(path)
    except FileNotFoundError:
        there = None
    except OSError as error:
        return reason_of(error)
    except ValueError:  # no path can contain a null character
        return "it is not the path of a file"
    if not name or (there and stat.S_ISDIR(there.st_mode)):
        return "it is a directory"
    if there and not replacing and stat.S_ISLNK(there.st_mode):
        return "it is a symbolic link"
    if there and not replacing and not stat.S_ISREG(there.st_mode):
        return "it is not a regular file"
    return _obstacle_in(_existing(folder or os.curdir), there)


def _existing(folder: str) -> str:
    """The folder, or its nearest existing ancestor."""
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder) or os.curdir
    return folder


def _obstacle_in(folder: str, there: os.stat_result | None) -> str:
    if not os.path.isdir(folder):
        return f"{folder} is not a directory"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"the directory {folder} is not writable"
    around = os.stat(folder)
    if there and around.st_mode & stat.S_ISVTX and os.geteuid() not in (0, there.st_uid, around.st_uid):
        return "it belongs to another user, and only they may replace it"
    return ""


def try_out(path: str) -> None:
    """Create the folders of the file, and a temporary file in the last one. Raises OSError."""
    with _beside(path, FOR_THE_OWNER):
        pass


def is_written(path: str, content: bytes, *, secret: bool) -> bool:
    """Return whether the file already exists as ``write`` would leave it."""
    more = os.O_NOFOLLOW | os.O_NONBLOCK  # opening a pipe would otherwise block until it has a writer
    try:
        with open(path, "rb", opener=lambda path, flags: os.open(path, flags | more)) as stream:
            found = os.fstat(stream.fileno())
            is_own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
            is_closed = not secret or stat.S_IMODE(found.st_mode) == FOR_THE_OWNER
            return is_own and is_closed and found.st_size == len(content) and stream.read() == content
    except (OSError, ValueError):
        return False


def write(path: str, content: bytes, *, secret: bool) -> None:
    """Write the file, and create missing folders. Raises OSError, and then leaves the file as it was.

    A ``secret`` is readable only by its owner; other files follow the umask.
    """
    with _beside(path, FOR_THE_OWNER if secret else FOR_ALL) as (file, name, folder):
        if secret:
            os.fchmod(file, FOR_THE_OWNER)
        with open(file, "wb", closefd=False) as stream:
            stream.write(content)
        os.fsync(file)
        # Replaces whatever is there, even a link; only a directory stays, and that is an error.
        os.replace(name, os.path.basename(path), src_dir_fd=folder, dst_dir_fd=folder)
        with contextlib.suppress(OSError):  # not every file system supports it; the file is in place
            os.fsync(folder)


@contextlib.contextmanager
def _beside(path: str, mode: int) -> Iterator[tuple[int, str, int]]:
    """A new file in the same folder as another, which is removed again unless it has been renamed: its descriptor, its
    name, and the descriptor of the folder.
    """
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    folder = os.open(os.path.dirname(path) or os.curdir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        name = f".{secrets.token_hex(16)}.new"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(name, flags, mode, dir_fd=folder)
        try:
            yield file, name, folder
        finally:
            os.close(file)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)
    finally:
        os.close(folder)


def reason_of(error: OSError) -> str:
    """The system's message for an error, in lower case to continue a sentence."""
    words = error.strerror or type(error).__name__
    return words[:1].lower() + words[1:]
