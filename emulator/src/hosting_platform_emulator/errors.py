# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals: all unsuccessful answers (§7)."""


class Refusal(Exception):
    """An unsuccessful answer: a status, and the message that its body may hold."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class Invalid(Refusal):
    """One of the provided values in the request body or query is invalid."""

    def __init__(self, field: str, problem: str, status: int = 400) -> None:
        super().__init__(
            f"One of the provided values in the request is invalid: `{field}` {problem}", status
        )
