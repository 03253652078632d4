# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals: all unsuccessful answers (§7). Each defines its own status and body."""

from __future__ import annotations

import json
from typing import Any


class Refusal(Exception):
    """An unsuccessful answer: a status with the documented error body."""

    status = 400

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        if status is not None:
            self.status = status

    def body(self, extra: dict[str, Any]) -> tuple[str, bytes]:
        """Media type and content."""
        document = {"code": self.status, "message": self.message, **extra}
        return "application/json", json.dumps(document, ensure_ascii=False).encode(errors="replace")


class Invalid(Refusal):
    """400: one of the provided values in the request body or query is invalid."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"One of the provided values in the request is invalid: `{field}` {problem}")


class Unauthenticated(Refusal):
    """401: the description, and so the body, is empty."""

    status = 401

    def __init__(self) -> None:
        super().__init__("")

    def body(self, extra: dict[str, Any]) -> tuple[str, bytes]:  # noqa: ARG002
        return "text/plain", b""


class Forbidden(Refusal):
    """403: text only."""

    status = 403

    def body(self, extra: dict[str, Any]) -> tuple[str, bytes]:
        text = " ".join([self.message, *(str(value) for value in extra.values())])
        return "text/plain; charset=utf-8", text.encode(errors="replace")


class NotOffered(Refusal):
    """501: the specification does not show what was requested, and nothing is invented."""

    status = 501


def not_found(status: int, message: str) -> Refusal:
    """The answer for a missing object, for which the specification gives no status."""
    return Forbidden(message) if status == Forbidden.status else Refusal(message, status)
