# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as guards judge it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..blueprint.options import BlueprintOptions
from .change import Change, Changes
from .objects import LiveObject
from .snapshot import Snapshot


class Plan(NamedTuple):
    """What is to be done, what was read for it, and what the task allows."""

    changes: Changes
    snapshot: Snapshot
    options: BlueprintOptions

    @property
    def deletions(self) -> Iterator[Change]:
        return (change for change in self.changes if change.is_deletion)

    @property
    def writes(self) -> Iterator[Change]:
        """All that is sent but deletions."""
        return (change for change in self.changes if change.is_write)

    @property
    def cascades(self) -> Iterator[tuple[Change, LiveObject]]:
        """Each object that goes with a step, with the change of that."""
        for change in self.changes:
            for obj in change.cascade:
                yield change, obj

    @property
    def deleted_objects(self) -> Iterator[LiveObject]:
        """All that is gone after the plan."""
        for change in self.deletions:
            if change.live_object:
                yield change.live_object
        for _change, obj in self.cascades:
            yield obj
