# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A log file with one line per request. It contains nothing that a service says or that a request carries."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import stat
import threading
import weakref
from http import HTTPStatus
from typing import Any

from .._common.errors import ApiError, InvalidOption, Outcome
from .._common.files import FOR_THE_OWNER, reason_of

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
        self._path = path
        self._lock = threading.Lock()
        self._open()

    def reopen(self) -> None:
        """Continue with the file that is now at the path. Raises InvalidOption."""
        self.close()
        self._open()

    def close(self) -> None:
        with self._lock:
            self._close()

    def write(self, line: dict[str, Any]) -> None:
        """Append a line. A full disk, or a log closed in the meantime, does not stop the work in progress."""
        with self._lock, contextlib.suppress(OSError):
            if self._close.alive:
                os.write(self._file, json.dumps(line).encode() + b"\n")

    def _open(self) -> None:
        """Open the file for its owner only: nothing is written through a link, or into a file of others."""
        try:
            self._file = os.open(self._path, APPENDING, FOR_THE_OWNER)
        except OSError as error:
            raise self._refusal(reason_of(error)) from None
        except ValueError:
            raise self._refusal("it is not the path of a file") from None
        self._close = weakref.finalize(self, os.close, self._file)
        problem = _obstacle(os.fstat(self._file)) or self._closed_to_others()
        if problem:
            self.close()
            raise self._refusal(problem)

    def _closed_to_others(self) -> str:
        """Why only the owner may not be let in, as on a file system without modes; empty if it was done."""
        try:
            os.fchmod(self._file, FOR_THE_OWNER)
        except OSError as error:
            return f"its mode cannot be set: {reason_of(error)}"
        return ""

    def _refusal(self, reason: str) -> InvalidOption:
        return InvalidOption(OPTION, f"{self._path} cannot be written: {reason}.")


def _obstacle(found: os.stat_result) -> str:
    if not stat.S_ISREG(found.st_mode):
        return "it is not a regular file"
    if found.st_uid != os.geteuid():
        return "it belongs to another user"
    return "it is also the file of another name" if found.st_nlink > 1 else ""


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
