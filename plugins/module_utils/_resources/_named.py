# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources that have an id and a name: either finds them, and both together rename."""

from __future__ import annotations

import typing as t

from .._client.errors import PlatformError
from .._fields import Values, is_same
from .._plan import Step
from ._base import Resource
from ._listing import Listing
from ._options import check_filled
from ._platform import Platform, sole


class NamedResource(Resource):
    """A project by its name, a team by its slug, and either by its id."""

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
            self._check_name(item)
            return item
        shown = {option: value for option, value in item.items() if value is not None}
        return self.look() or {**step.expected, **shown}

    def confirmed(self, answer: t.Mapping[str, t.Any], live: Values, changes: Values) -> Values:
        """The object of an update's answer, read again where the answer holds none, a part of one, or an old one."""
        shown = self.fields.shown(answer)
        if shown.get("id") is not None and not is_same(shown["id"], live["id"]):
            raise PlatformError(
                f"{self.key} {live['id']} was to be changed, and the service answered with {shown['id']}: check both."
            )
        is_object = shown.get("id") is not None and shown.get(self.name_field) is not None
        unchanged = {option: value for option, value in live.items() if option not in changes}
        item = {**self.fields.result({}), **unchanged, **shown}
        if not is_object:
            item = self._read_changed(live, changes)
        elif self.fields.differing(changes, item):
            item = self._compared(item, self.read_again(live), changes)
        self._check_name(item)
        return item

    def _read_changed(self, live: Values, changes: Values) -> Values:
        item = self.read_again(live)
        if item is None:
            raise PlatformError(f"{self.key} {live['id']} was changed, and cannot be read afterwards.")
        if self.fields.differing(changes, item):
            raise PlatformError(
                f"{self.key} {live['id']} was to be changed, and the service answered with success but shows it"
                " as before. Run the task again."
            )
        return item

    def _compared(self, answered: Values, listed: Values | None, changes: Values) -> Values:
        """The answer may be an old one. But a service may also write a value otherwise than it was sent."""
        if listed is not None and not self.fields.differing(changes, listed):
            return listed
        for option in self.fields.differing(changes, answered):
            self.platform.warnings.append(
                f"{option}: the service shows it otherwise for the {self.key} {answered[self.name_field]} than it was"
                " sent, and so every run will send it again."
            )
        return answered

    def _check_name(self, item: Values) -> None:
        """A service that gives another name would be asked for the wanted one in every run, and make one more each."""
        if self.name is not None and item[self.name_field] != self.name:
            error = PlatformError(
                f"{self.name_field}: the service calls the {self.key} {item['id']} {item[self.name_field]}, and not"
                f" {self.name}. Write it so, or delete it."
            )
            error.result = {"changed": True, self.key: item}
            raise error
