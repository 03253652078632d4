# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Failures, as typed exceptions. Only ``_run/module.py`` turns them into an outcome."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from ._text import escape_line, escape_lines


class Effect(enum.Enum):
    """The possible effects of a failed request on the server's state; in words, where no status
    came.
    """

    REJECTED = "rejected"  # the server answered that it would not do it
    NOT_PROCESSED = "not sent"  # or the server answered that it did not process it
    INTERRUPTED = "connection lost"  # or the server failed: it may have been processed
    UNKNOWN = "no usable response"  # or none in time: it may still be under way


class PlatformError(Exception):
    """A failure reported to the user; the message says what happened and what to do.

    Messages contain names and texts from the service, so each argument becomes one line without
    anything that acts on a terminal; only separate arguments start new lines. An argument may be an
    error, whose lines are taken over. ``result`` holds what a failed task returns besides ``msg``
    and ``failure``.
    """

    def __init__(
        self, *problems: str | PlatformError, result: dict[str, Any] | None = None
    ) -> None:
        # The numbers of the lines that begin with the name of an option, by which a role adds its
        # prefix.
        self.option_lines: list[int] = []
        lines: list[str] = []
        for problem in problems:
            if isinstance(problem, PlatformError):
                self.option_lines += [len(lines) + number for number in problem.option_lines]
                lines += str(problem).split("\n")
            else:
                lines.append(escape_line(problem))
        super().__init__("\n".join(lines))
        self.result = result or {}

    @property
    def failure(self) -> dict[str, Any]:
        """The ``failure`` that is documented for a task that failed without an API call."""
        return {
            "operation": None,
            "method": None,
            "path": None,
            "status": None,
            "code": None,
            "message": None,
        }

    def add_sentence(self, sentence: str) -> None:
        """Add a sentence to the message."""
        self.args = (f"{self} {escape_line(sentence)}",)


class InvalidOption(PlatformError):
    """An option's value cannot be used; the message begins with the option, and never quotes a
    secret.

    ``separator``: what stands between the option and the problem. A space makes them a sentence.
    """

    def __init__(self, option: str, problem: str, separator: str = ": ") -> None:
        super().__init__(f"{option}{separator}{problem}")
        self.option = option
        self.problem = problem
        self.option_lines = [0]


@dataclasses.dataclass(frozen=True)
class Fault:
    """A failed API call: in words, by its effect on the service, and by whether a retry makes
    sense.

    ``temporary``: the same request may succeed later. ``advice``: what to do, as far as the fault
    shows it. The rest is in the service's own terms, and ``None`` without a response: ``code`` and
    ``message`` are those of the error body (section 7 of the API's specification), ``retry_after``
    the seconds that the service asks to wait.
    """

    problem: str
    effect: Effect
    temporary: bool = False
    advice: str = ""
    status: int | None = None
    code: int | None = None
    message: str | None = None
    retry_after: float | None = None


class ApiError(PlatformError):
    """A call to the API failed. ``operation`` is written as in section 4 of its specification,
    ``path`` as sent.
    """

    def __init__(self, operation: str, path: str, fault: Fault) -> None:
        super().__init__()
        self.operation = operation
        self.path = path
        self.fault = fault
        self.effect = fault.effect
        self.status = fault.status
        self.set_advice(fault.advice)

    def copy(self) -> ApiError:
        """The same failure as an exception of its own, because each may be explained further."""
        error = ApiError(self.operation, self.path, self.fault)
        error.args = self.args
        return error

    @property
    def is_throttling(self) -> bool:
        """True if the service answered that it is throttling."""
        return self.effect is Effect.NOT_PROCESSED and self.status is not None

    def set_advice(self, advice: str) -> None:
        """Replace the advice that the status alone suggests."""
        self.args = (
            escape_line(f"{self.operation} failed: {self.fault.problem} {advice}".rstrip()),
        )

    @property
    def failure(self) -> dict[str, Any]:
        return {
            "operation": self.operation,
            "method": self.operation.split(" ", 1)[0],
            "path": self.path,
            "status": self.fault.status,
            "code": self.fault.code,
            # Shown wherever a failed task is shown.
            "message": self.fault.message and escape_lines(self.fault.message),
        }
