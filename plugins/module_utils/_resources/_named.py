# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources that have an id and a name: either finds them, and both together rename."""

from __future__ import annotations

import typing as t

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._fields import Values, is_same
from ansible_collections.hosting.platform.plugins.module_utils._plan import Step
from ansible_collections.hosting.platform.plugins.module_utils._resources._base import Resource
from ansible_collections.hosting.platform.plugins.module_utils._resources._listing import Listing
from ansible_collections.hosting.platform.plugins.module_utils._resources._options import check_filled
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import Platform, sole


class NamedResource(Resource):
    """``name_field``: the option that names the object beside ``id`` (a project's name, a team's slug)."""

    name_field: str

    def __init__(self, platform: Platform, options: t.Mapping[str, t.Any]) -> None:
        super().__init__(platform, options)
        self.id = options.get("id")
        self.name = self.wanted.get(self.name_field)
        check_filled(options, "id")

    def get(self, address: t.Any) -> Values | None:
        """What one GET shows under this id or name; ``None`` proves nothing."""
        raise NotImplementedError

    def match(self, items: Listing) -> Values | None:
        field, value = ("id", self.id) if self.id else (self.name_field, self.name)
        live = sole(field, value, items, {field: str})
        if self.id:
            self._check_id(live, items)
        if live is not None:
            self._check_address(live, items)
        return live

    def _check_id(self, live: Values | None, items: Listing) -> None:
        if live is None:
            if self.is_wanted:
                raise PlatformError(f"id: no {self.key} has the id {self.id}. Leave id out to create one.")
        elif self.name and self.name != live[self.name_field]:
            if not self.is_wanted:
                raise PlatformError(
                    f"{self.name_field}: the {self.key} {self.id} is not {self.name} but {live[self.name_field]}."
                    " Nothing was deleted; give the id alone, or the right one."
                )
            taken = items.where(self.name_field, self.name)
            if taken:
                raise PlatformError(
                    f"{self.name_field}: {self.key} {live['id']} cannot be renamed to {self.name}:"
                    f" {taken[0]['id']} has that {self.name_field} already."
                )

    def _check_address(self, live: Values, items: Listing) -> None:
        """Objects are addressed by id; where that is another's name, see which of the two the service means by it."""
        if any(item is not live for item in items.where(self.name_field, live["id"])):
            shown = self.get(live["id"])
            if shown is None or not is_same(shown["id"], live["id"]):
                raise PlatformError(
                    f"{self.key} {live['id']} cannot be addressed: another {self.key} bears its id as"
                    f" {self.name_field}, and the service answers with that one. Rename the other first."
                )

    def complete(self, step: Step, item: Values) -> Values:
        """The created object, read again where the answer shows little more than its id."""
        if item[self.name_field] is not None:
            return item
        shown = {option: value for option, value in item.items() if value is not None}
        return self.look() or {**step.expected, **shown}

    def confirmed(self, answer: t.Mapping[str, t.Any], live: Values, changes: Values) -> Values:
        """The object of an update's answer, read again where the answer holds none, a part of one, or an old one."""
        item = self.fields.result(answer)
        if item["id"] is not None and not is_same(item["id"], live["id"]):
            raise PlatformError(
                f"{self.key} {live['id']} was to be changed, and the service answered with {item['id']}: check both."
            )
        is_object = item["id"] is not None and item[self.name_field] is not None
        if is_object and not self.fields.differing(changes, item):
            return item
        again = self.every_afresh().where("id", live["id"])
        if is_object:
            # A service may write a value otherwise than it was sent: that is no failure.
            return again[0] if again and not self.fields.differing(changes, again[0]) else item
        if not again:
            raise PlatformError(f"{self.key} {live['id']} was changed, and cannot be read afterwards.")
        if self.fields.differing(changes, again[0]):
            raise PlatformError(
                f"{self.key} {live['id']} was to be changed, and the service answered with success but shows it"
                " as before. Run the task again."
            )
        return again[0]
