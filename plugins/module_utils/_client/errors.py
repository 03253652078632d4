# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong, as typed exceptions. Only ``_run.py`` turns them into a failed task."""

from __future__ import annotations

import enum
import typing as t

from .._text import printable


class Outcome(enum.Enum):
    """What a failed request may have done to the server's state."""

    REFUSED = "the server answered that it would not do it"
    UNPROCESSED = "the server certainly did not process it"
    BROKEN = "the server failed, or closed the connection: it may have been processed"
    UNKNOWN = "no answer came in time, or none that can be read: it may still be under way"


class PlatformError(Exception):
    """A failure that is told to the user; the message says what happened and what to do.

    Names and texts of the service stand in messages, so each argument is one line in which nothing acts on a terminal;
    only the lines of several arguments are lines of the message. ``result`` holds what a failed task returns beside
    ``msg`` and ``failure``.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(printable, lines)))
        self.result: dict[str, t.Any] = {}

    @property
    def failure(self) -> dict[str, t.Any]:
        """The contract's ``failure`` of a task that failed without an API call."""
        return {"operation": None, "method": None, "path": None, "status": None, "code": None, "message": None}

    def explain(self, addition: str) -> None:
        """Add a sentence to the message."""
        self.args = (f"{self} {printable(addition)}",)


class InvalidOption(PlatformError):
    """An option's value cannot be used; the message names the option and never quotes a secret."""

    def __init__(self, option: str, problem: str) -> None:
        super().__init__(f"{option}: {problem}")
        self.option = option


class ApiError(PlatformError):
    """A call to the API failed.

    ``status`` is the HTTP status, ``None`` where no answer came; ``code`` and ``api_message`` are those of the error
    body (section 7 of the API's specification) where there was one. ``temporary`` says that the same request may
    succeed a little later, ``retry_after`` after how many seconds if the server said so; ``advice`` says what to do,
    as far as the status tells.
    """

    def __init__(
        self,
        operation: str,
        path: str,
        problem: str,
        outcome: Outcome,
        temporary: bool = False,
        status: int | None = None,
        code: int | None = None,
        api_message: str | None = None,
        retry_after: float | None = None,
        advice: str = "",
    ) -> None:
        self._fact = f"{operation} failed: {problem}"
        super().__init__(f"{self._fact} {advice}".rstrip())
        self.operation = operation
        self.path = path
        self.outcome = outcome
        self.temporary = temporary
        self.status = status
        self.code = code
        self.api_message = api_message
        self.retry_after = retry_after

    def advise(self, advice: str) -> None:
        """Say what to do in place of what the status alone suggests."""
        self.args = (printable(f"{self._fact} {advice}"),)

    @property
    def failure(self) -> dict[str, t.Any]:
        return {
            "operation": self.operation,
            "method": self.operation.split(" ", 1)[0],
            "path": self.path,
            "status": self.status,
            "code": self.code,
            "message": self.api_message,
        }
