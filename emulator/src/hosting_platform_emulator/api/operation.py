# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of the API's operations, by their names in §4."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..checks import Checks
from .call import Answer, Call

Declared = Checks | Callable[[Mapping[str, Any]], Checks]
"""The fields that a query or body may hold; a function of the switches where those decide."""

Handler = Callable[[Call], Answer]

OPERATIONS: dict[str, Operation] = {}


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    handler: Handler
    query: Declared
    body: Declared | None
    path_minimum: int
    is_login: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """A pattern for method and raw path, with named groups for the path's values."""
        return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.name))


def operation(
    name: str,
    *,
    query: Declared | None = None,
    body: Declared | None = None,
    path_minimum: int = 0,
    is_login: bool = False,
) -> Callable[[Handler], Handler]:
    """Register a function as the operation of this name."""

    def register(handler: Handler) -> Handler:
        OPERATIONS[name] = Operation(name, handler, query or {}, body, path_minimum, is_login)
        return handler

    return register


def resolved(declared: Declared, switches: Mapping[str, Any]) -> Checks:
    return declared(switches) if callable(declared) else declared
