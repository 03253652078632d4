# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A log file with one line per request. It contains nothing that a service says or that a request
carries.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import json
import os
import stat
import weakref
from collections.abc import Iterator
from http.client import responses
from typing import Any

from .._errors import ApiError, InvalidOption
from .._file_access import FOR_THE_OWNER, os_error_text
from .retries import Clock

APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class RequestLog:
    """The file, open for appending. Each line is one write, so those of several threads and
    processes stay intact.
    """

    def __init__(self, path: str) -> None:
        """Raises InvalidOption, before the first request, for a file that cannot be written or
        closed to others.
        """
        try:
            self._file = os.open(path, APPENDING, FOR_THE_OWNER)
            weakref.finalize(self, os.close, self._file)
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                advice = "Name a file, or omit it to write no log."
                raise InvalidOption("request_log", f"{path} is not a regular file. {advice}")
            os.fchmod(self._file, FOR_THE_OWNER)
        except OSError as error:
            reason = f"{os_error_text(error)}."
            if error.errno == errno.ELOOP:
                reason = "it is a symbolic link. Name the file itself."
            raise InvalidOption("request_log", f"{path} cannot be written: {reason}") from None

    @contextlib.contextmanager
    def line(
        self, clock: Clock, operation: str, path: str, attempt: int, waited: float
    ) -> Iterator[dict[str, Any]]:
        """The line of a request, which the block sends. It is written at the end of the block."""
        sent_at = clock.now()
        line = {
            "time": _now(),
            "operation": operation,
            "path": path,
            "status": None,
            "attempt": attempt,
            "waited": round(waited, 3),
            "seconds": 0.0,
            "error": "interrupted",
        }
        try:
            yield line
        except ApiError as error:
            line.update(status=error.status, error=_reason_for(error))
            raise
        finally:
            line["seconds"] = round(clock.now() - sent_at, 4)
            self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        """Append a line, or nothing if it cannot be: a full disk does not stop the work in
        progress.
        """
        with contextlib.suppress(OSError):
            os.write(self._file, json.dumps(line).encode() + b"\n")


def _reason_for(error: ApiError) -> str:
    """What went wrong, in our own words or the standard's, never in the service's."""
    if error.status is None:
        return error.effect.value
    if 200 <= error.status < 300:
        return "unreadable response"
    return responses.get(error.status, "unknown status")


def _now() -> str:
    """The time in UTC, with milliseconds."""
    time = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    return time.replace("+00:00", "Z")
