# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals: all unsuccessful answers (§7)."""

from __future__ import annotations

import json
from typing import Any


class Refusal(Exception):
    """An unsuccessful answer: a status, with the body that is documented for it."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status

    def body(self, extra: dict[str, Any]) -> tuple[str, bytes]:
        """Media type and content."""
        if self.status == 401:
            return "text/plain", b""
        if self.status == 403:
            text = " ".join([self.message, *(str(value) for value in extra.values())])
            return "text/plain; charset=utf-8", text.encode(errors="replace")
        document = {"code": self.status, "message": self.message, **extra}
        return "application/json", json.dumps(document, ensure_ascii=False).encode(errors="replace")


class Invalid(Refusal):
    """400: one of the provided values in the request body or query is invalid."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"One of the provided values in the request is invalid: `{field}` {problem}")
