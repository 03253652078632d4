# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A log file with one line per request. It contains nothing that a service says or that a request carries."""

from __future__ import annotations

import contextlib
import datetime
import errno
import json
import os
import stat
import weakref
from http import HTTPStatus
from typing import Any

from .._errors import ApiError, InvalidOption, Outcome
from .._files import FOR_THE_OWNER, obstacle_of, reason_of

OPTION = "request_log"
APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
WITHOUT_AN_ANSWER = {
    Outcome.UNPROCESSED: "not sent",
    Outcome.BROKEN: "connection lost",
    Outcome.UNKNOWN: "no answer that can be read",
}


class RequestLog:
    """The file, open for appending. Each line is one write, so those of several threads and processes stay intact."""

    def __init__(self, path: str) -> None:
        """Raises InvalidOption: nothing is written through a link, or into a file of others or that others may read."""
        try:
            self._file = os.open(path, APPENDING, FOR_THE_OWNER)
            weakref.finalize(self, os.close, self._file)
            problem = _obstacle(self._file)
        except OSError as error:
            # In the system's words, these would be puzzles.
            is_no_file = error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR)
            problem = (is_no_file and obstacle_of(path)) or reason_of(error)
        except ValueError:
            problem = "it is not the path of a file"
        if problem:
            raise InvalidOption(OPTION, f"{path} cannot be written: {problem}.")

    def write(self, line: dict[str, Any]) -> None:
        """Append a line, or nothing if it does not fit: a full disk does not stop the work in progress."""
        data = json.dumps(line).encode() + b"\n"
        with contextlib.suppress(OSError):
            written = os.write(self._file, data)
            if written < len(data):
                os.ftruncate(self._file, os.fstat(self._file).st_size - written)


def _obstacle(file: int) -> str:
    """What is wrong with the open file; empty if it is the owner's alone, also by its mode from now on."""
    found = os.fstat(file)
    if not stat.S_ISREG(found.st_mode):
        return "it is not a regular file"
    if found.st_uid != os.geteuid():
        return "it belongs to another user"
    if found.st_nlink > 1:
        return "it is also the file of another name"
    try:
        os.fchmod(file, FOR_THE_OWNER)
    except OSError as error:  # as on a file system without modes
        return f"its mode cannot be set: {reason_of(error)}"
    return ""


def now() -> str:
    """The time in UTC, with milliseconds."""
    moment = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    return moment.replace("+00:00", "Z")


def words_for(error: BaseException) -> str:
    """What went wrong, in our own words or the standard's, never in the service's."""
    if not isinstance(error, ApiError):
        return "interrupted"
    if error.status is None:
        return WITHOUT_AN_ANSWER[error.outcome]
    if 200 <= error.status < 300:
        return "unreadable answer"
    try:
        return HTTPStatus(error.status).phrase
    except ValueError:
        return "unknown status"
