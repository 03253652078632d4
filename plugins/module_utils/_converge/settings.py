# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the module ``blueprint`` besides the blueprint itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._errors import InvalidOption
from .selectors import ENTRY_KEYS, read_selectors

# The actions that can be limited, each with its past participle.
LIMITED = {"create": "created", "update": "changed", "delete": "deleted", "invite": "invited"}


class Settings:
    """``prune``: the kinds; ``prune_limit``: in percent; ``only``: what is selected, ``None`` for everything;
    ``limits``: the maximum number of steps per action; ``approved``: the ids of the permitted steps, ``None`` for any.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Raises InvalidOption."""
        check_workers(options["workers"])
        self.prune: Sequence[str] = options["prune"]
        self.prune_limit: int = options["prune_limit"]
        if not 0 <= self.prune_limit <= 100:
            raise InvalidOption("prune_limit", "must be a percentage from 0 to 100.")
        only, approved = options["only"], options["approved"]
        self.only = None if only is None else read_selectors("only", only, ENTRY_KEYS)
        self.ignore = read_selectors("ignore", options["ignore"])
        self.protect = read_selectors("protect", options["protect"])
        self.invite: bool = options["invite"]
        given: Mapping[str, int | None] = options["limits"] or {}
        self.limits = {action: most for action, most in given.items() if most is not None}
        for action, most in self.limits.items():
            if most < 0:
                raise InvalidOption("limits", f"{action} must be a whole number, 0 or more.")
        self.approved = None if approved is None else frozenset(approved)


def check_workers(workers: int) -> None:
    if workers < 1:
        raise InvalidOption("workers", "must be 1 or more.")
