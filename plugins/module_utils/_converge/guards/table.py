# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""All guards: what a plan must not do, before the first write.

A guard takes a plan and yields a message for each thing that it refuses. It reads nothing but the
plan, sends no request, and raises nothing. Each stands in ``GUARDS`` under the option that a user
would change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ..._errors import InvalidOption
from ..blueprint.options import LIMITED
from ..items.plan import Plan
from .conflicts import find_conflicts
from .declared import check_only
from .limits import check_approved, check_limit, check_prune_limit
from .protect import check_ignore, check_protect

# The guard of what no option decides.
BLUEPRINT_GUARD = "blueprint"


class Refusal(NamedTuple):
    """Why a plan is not applied."""

    # The option that forbids it.
    guard: str
    message: str | InvalidOption

    @property
    def problem(self) -> str | InvalidOption:
        """The message with the guard before it, unless it names a part of that option itself."""
        if isinstance(self.message, InvalidOption) or self.guard == BLUEPRINT_GUARD:
            return self.message
        return InvalidOption(self.guard, self.message)


def check_guards(plan: Plan) -> list[Refusal]:
    """The refusals of all guards; empty if the plan may be applied."""
    refusals: list[Refusal] = []
    for name, check in GUARDS.items():
        refusals += [Refusal(name, message) for message in dict.fromkeys(check(plan))]
    return refusals


GUARDS: Mapping[str, Callable[[Plan], Iterator[str | InvalidOption]]] = {
    "protect": check_protect,
    "ignore": check_ignore,
    BLUEPRINT_GUARD: find_conflicts,
    "only": check_only,
    "prune_limit": check_prune_limit,
    **{f"limits.{action}": partial(check_limit, action) for action in LIMITED},
    "approved": check_approved,
}
