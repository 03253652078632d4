# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the module ``blueprint`` beside the blueprint itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from .._client.errors import InvalidOption
from .._resources.fields import Values
from .._resources.kind import Kind
from .._text import nearest

LIMITED = ("create", "update", "delete")


@dataclasses.dataclass(frozen=True)
class Settings:
    """``prune``: the kinds; ``prune_limit``: in percent; ``limits``: the most steps of each action; ``approved``: the
    ids of the steps that may be taken, ``None`` for any.
    """

    prune: Sequence[str] = ()
    prune_limit: int = 30
    protect: Sequence[str] = ()
    limits: Mapping[str, int] = dataclasses.field(default_factory=dict)
    approved: frozenset[str] | None = None
    workers: int = 8

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Settings:
        """Raises InvalidOption."""
        check_workers(options["workers"])
        if not 0 <= options["prune_limit"] <= 100:
            raise InvalidOption("prune_limit", "must be a percentage from 0 to 100.")
        approved = options["approved"]
        return cls(
            options["prune"],
            options["prune_limit"],
            options["protect"],
            _limits(options["limits"] or {}),
            None if approved is None else frozenset(approved),
            options["workers"],
        )

    def protects(self, kind: type[Kind], live: Values) -> bool:
        """Tell whether an object may not be deleted."""
        name = live.get(kind.name_field) or ""
        return any(kind.matches(name, pattern) for pattern in self.protect)


def check_workers(workers: int) -> None:
    if workers < 1:
        raise InvalidOption("workers", "must be 1 or more.")


def _limits(given: Mapping[str, Any]) -> dict[str, int]:
    limits = {}
    for action, most in given.items():
        if action not in LIMITED:
            raise InvalidOption("limits", f"unknown action {action}.{nearest(action, LIMITED)}")
        if most is None:
            continue
        text = str(most).strip()
        if isinstance(most, bool) or not (text.isascii() and text.isdigit()):
            raise InvalidOption("limits", f"{action} must be a whole number, 0 or more.")
        limits[action] = int(text)
    return limits
