# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``protect`` keeps."""

from __future__ import annotations

from ..blueprint.options import BlueprintOptions
from .change import Changes
from .objects import LiveObject, reference_id
from .snapshot import Snapshot


class Protection:
    """What ``protect`` keeps: what it matches, and what refers to that: a project's aliases. What a
    plan gives a protected name counts as protected before, too.
    """

    def __init__(self, changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> None:
        self._selectors = options.protect
        self._snapshot = snapshot
        self._renamed = {
            change.live_key: change.object_after for change in changes if change.is_rename
        }

    def covers(self, obj: LiveObject) -> bool:
        return obj.is_matched_by(self._selectors) or bool(self.protected_references(obj))

    def protected_references(self, obj: LiveObject) -> list[LiveObject]:
        """The protected objects to which one refers, as far as lists show them."""
        found = []
        for option, kind in obj.kind.references.items():
            referenced = self._snapshot.by_id(kind, reference_id(obj, option))
            if referenced and self._is_matched(referenced):
                found.append(referenced)
        return found

    def _is_matched(self, obj: LiveObject) -> bool:
        after = self._renamed.get(obj.key, obj)
        return obj.is_matched_by(self._selectors) or after.is_matched_by(self._selectors)
