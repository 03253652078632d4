# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the module ``blueprint`` besides the blueprint itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from .._common.errors import InvalidOption
from .._planning.selectors import ENTRY_KEYS, Selectors, read_selectors

# The actions that can be limited, each with its past participle.
LIMITED = {"create": "created", "update": "changed", "delete": "deleted", "invite": "invited"}


@dataclasses.dataclass(frozen=True)
class Settings:
    """``prune``: the kinds; ``prune_limit``: in percent; ``only``: what is selected, ``None`` for everything;
    ``limits``: the maximum number of steps per action; ``approved``: the ids of the permitted steps, ``None`` for any.
    """

    prune: Sequence[str]
    prune_limit: int
    only: Selectors | None
    ignore: Selectors
    protect: Selectors
    invite: bool
    limits: Mapping[str, int]
    approved: frozenset[str] | None

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Settings:
        """Raises InvalidOption."""
        check_workers(options["workers"])
        if not 0 <= options["prune_limit"] <= 100:
            raise InvalidOption("prune_limit", "must be a percentage from 0 to 100.")
        approved, only = options["approved"], options["only"]
        return cls(
            options["prune"],
            options["prune_limit"],
            None if only is None else read_selectors("only", only, ENTRY_KEYS),
            read_selectors("ignore", options["ignore"]),
            read_selectors("protect", options["protect"]),
            options["invite"],
            _limits(options["limits"] or {}),
            None if approved is None else frozenset(approved),
        )


def check_workers(workers: int) -> None:
    if workers < 1:
        raise InvalidOption("workers", "must be 1 or more.")


def _limits(given: Mapping[str, Any]) -> dict[str, int]:
    limits = {action: most for action, most in given.items() if most is not None}
    for action, most in limits.items():
        if most < 0:
            raise InvalidOption("limits", f"{action} must be a whole number, 0 or more.")
    return limits
