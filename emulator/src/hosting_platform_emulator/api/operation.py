# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of the API's operations, by their names in §4."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..checks import Check, Checks, Text
from ..description import Described, describe_operation
from .call import Answer, Call

Shape = Callable[[Checks, Mapping[str, Any]], Checks]
"""What a query or body may hold: as it is described, changed by the switches."""

Handler = Callable[[Call], Answer]


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    handler: Handler
    described: Described
    query: Shape
    body: Shape

    @property
    def pattern(self) -> re.Pattern[str]:
        """A pattern for method and raw path, with named groups for the path's values."""
        return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.name))

    def checks_of_body(self, described: Checks, switches: Mapping[str, Any]) -> Checks:
        """What a body may hold, in the form that is described, or in any."""
        checks = self.body(described, switches)
        if switches["malformed_names"] == "refused":
            return checks
        return {field: _formless(check) for field, check in checks.items()}


OPERATIONS: dict[str, Operation] = {}


def _formless(check: Check) -> Check:
    return replace(check, pattern="") if isinstance(check, Text) else check


def _as_described(checks: Checks, _switches: Mapping[str, Any]) -> Checks:
    return checks


def operation(
    name: str, *, query: Shape = _as_described, body: Shape = _as_described
) -> Callable[[Handler], Handler]:
    """Register a function as the operation of this name."""

    def register(handler: Handler) -> Handler:
        OPERATIONS[name] = Operation(name, handler, describe_operation(name), query, body)
        return handler

    return register
