# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 6, prune: what exists and nobody declares is deleted where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..._model.kind import Desired
from ..._model.kinds.registry import KINDS
from ..._model.step import plan_nothing
from ..blueprint.options import BlueprintOptions
from ..plan.change import PROTECTED, Change, Changes
from ..plan.declarations import find_undeclared
from ..plan.objects import LiveObject
from ..plan.protection import Protection
from ..plan.snapshot import Snapshot


def add_prunes(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> Changes:
    """Add a deletion of each undeclared object, of the kinds that the blueprint names, in the teams
    of the run; or a skip if ``protect`` keeps it. The own scope is never pruned: nobody can tell
    whose everything in it is.
    """
    kinds = snapshot.kinds.intersection(options.prune)
    if not kinds:
        return changes
    protection = Protection(changes, snapshot, options)
    undeclared = find_undeclared(changes, kinds, snapshot, options)
    return (*changes, *_prunes(undeclared, snapshot, protection))


def _prunes(
    undeclared: list[LiveObject], snapshot: Snapshot, protection: Protection
) -> Iterator[Change]:
    for obj in undeclared:
        if obj.scope.team and snapshot.is_listed(obj.kind, obj.record):
            yield _prune_change(obj, snapshot, protection)


def _prune_change(obj: LiveObject, snapshot: Snapshot, protection: Protection) -> Change:
    """The deletion of an undeclared object, skipped if it is protected. Raises PlatformError if
    it cannot be addressed.
    """
    kind = KINDS[obj.kind.plural]
    desired = Desired({"state": "absent", "id": obj.record["id"]}, {}, obj.name)
    change = Change(kind, obj.key, desired, plan_nothing(obj.record), obj.scope, live_object=obj)
    if protection.covers(obj):
        return replace(change, skip_reason=PROTECTED)
    resource = kind(desired, snapshot.platform, obj.scope)
    records = snapshot.listing(kind, obj.scope)
    return replace(change, step=resource.plan_for(resource.check_addressable(obj.record, records)))
