# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Failures, as typed exceptions. Only ``_run/module.py`` turns them into an outcome.

What the user sees, and where it is defined if not here:

PlatformError          a failure, with what to do
 ├ InvalidOption       an option, or its value
 │  ├ MissingOption    one that is needed has no value
 │  ├ WrongType        a value of another type                   _model/options.py
 │  └ NotFound         what it names does not exist              _model/missing.py
 ├ ApiError            a call of the API
 ├ PagingError         a list that is not proven to be complete  _api/paging.py
 └ NotExportable       objects that no blueprint can say         _converge/unexportable.py

What is caught where it is raised, and becomes one of these:

UnusableExchange       an answer                                 _api/transport.py
EncryptedKey           a client's key                            _api/connection_files.py
FileProblem            a place in a file of a blueprint          plugin_utils/files/_file_problem.py
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ._text import escape_line, escape_lines

# How the user's own names of options differ from the module's: a role's are ``converge_only``.
OptionNames = Mapping[str, str]
MODULE_NAMES: OptionNames = MappingProxyType({})


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
        super().__init__(*problems)
        self.result = result or {}

    def __str__(self) -> str:
        return self.text()

    def text(self, names: OptionNames = MODULE_NAMES) -> str:
        """The message for somebody who sets options under these names."""
        return "\n".join(
            problem.text(names) if isinstance(problem, PlatformError) else escape_line(problem)
            for problem in self.args
        )

    @property
    def failure(self) -> dict[str, Any] | None:
        """The API call that failed, as it is documented; ``None`` if none did."""
        return None

    def to_result(self, names: OptionNames = MODULE_NAMES) -> dict[str, Any]:
        """What a failed task or step returns in any case: ``msg``, and ``failure`` where a call
        failed.
        """
        msg = {"msg": self.text(names)}
        return {**msg, "failure": self.failure} if self.failure else msg

    def add_sentence(self, sentence: str) -> None:
        """Add a sentence to the message."""
        *others, last = self.args
        self.args = (*others, f"{last} {sentence}")


class InvalidOption(PlatformError):
    """An option's value cannot be used; the message begins with the option, and never quotes a
    secret.

    ``option`` may have more behind its name: ``only[1]``, ``limits.delete``. ``separator``: what
    stands between the option and the problem. A space makes them a sentence.
    """

    def __init__(self, option: str, problem: str, separator: str = ": ") -> None:
        super().__init__(problem)
        self.option = option
        self.problem = problem
        self._separator = separator

    @property
    def name(self) -> str:
        """The option's name alone."""
        return re.split(r"\W", self.option, maxsplit=1)[0]

    def text(self, names: OptionNames = MODULE_NAMES) -> str:
        rest = self.option.removeprefix(self.name)
        name = names.get(self.name, self.name)
        return f"{escape_line(name + rest + self._separator)}{super().text(names)}"


class MissingOption(InvalidOption):
    """An option that the task needs has no value."""


@dataclasses.dataclass(frozen=True)
class Fault:
    """A failed API call: in words, by its effect on the service, and by whether a retry makes
    sense.

    ``temporary``: the same request may succeed later. ``advice``: what to do, as far as the fault
    shows it. The rest is in the service's own terms, and ``None`` without a response: ``code`` and
    ``message`` are those of the error body (section 7 of the API's specification), ``retry_after``
    the seconds that the service asks to wait, ``answered_at`` when it responded, by its own clock,
    in seconds since the epoch.
    """

    problem: str
    effect: Effect
    temporary: bool = False
    advice: str = ""
    status: int | None = None
    code: int | None = None
    message: str | None = None
    retry_after: float | None = None
    answered_at: float | None = None


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
        # True if a try of the same request had no answer, so that it may have been carried out.
        self.follows_silence = False
        # The slug of the team whose list was asked for.
        self.team = ""
        # The option that leaves out this team, where a task asks several.
        self.team_option = ""
        self.set_advice(fault.advice)

    def copy(self) -> ApiError:
        """The same failure as an exception of its own, because each may be explained further."""
        error = ApiError(self.operation, self.path, self.fault)
        error.args = self.args
        error.team = self.team
        return error

    def text(self, names: OptionNames = MODULE_NAMES) -> str:
        place = f" of the team {escape_line(self.team)}" if self.team else ""
        text = f"{self.operation}{place} failed: {super().text(names)}"
        if not self.team_option:
            return text
        option = names.get(self.team_option, self.team_option)
        return f"{text} To go on without this team, leave it out with {option}."

    @property
    def is_throttling(self) -> bool:
        """True if the service answered that it is throttling."""
        return self.effect is Effect.NOT_PROCESSED and self.status is not None

    @property
    def is_refusal(self) -> bool:
        """True if the service refused this request, rather than the token or the load."""
        is_client_error = self.status is not None and 400 <= self.status < 500
        return is_client_error and self.status != 401 and not self.is_throttling

    @property
    def is_silence(self) -> bool:
        """True if the request was sent, and had no answer."""
        return self.effect is not Effect.NOT_PROCESSED and self.status is None

    @property
    def is_ambiguous(self) -> bool:
        """True if the request may have been processed."""
        return self.effect in (Effect.INTERRUPTED, Effect.UNKNOWN)

    def set_advice(self, advice: str) -> None:
        """Replace the advice that the status alone suggests."""
        self.args = (f"{self.fault.problem} {advice}".rstrip(),)

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
