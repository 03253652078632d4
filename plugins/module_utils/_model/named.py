# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources with an id and a name: found by either, renamed by giving both, and found by earlier names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._errors import InvalidOption, PlatformError
from .fields import Values, is_same
from .kind import Wanted
from .listing import Listing
from .options import check_filled
from .platform import sole
from .resource import Resource, after_a_write
from .step import Step


class NamedResource(Resource):
    """A project by its name, a team by its slug, and either by its id."""

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> Wanted:
        check_filled(options, "id")
        wanted = super().check(options)
        if wanted.id is None and wanted.name is None:
            raise InvalidOption(cls.name_field, "has no value. Set it, or set id.")
        if wanted.is_exists and options.get("previously"):
            raise InvalidOption("previously", "cannot be used with state=exists, which renames nothing. Omit it.")
        for position, name in enumerate(options.get("previously") or []):
            for invalid in cls.fields.problems({cls.name_field: name}):
                raise InvalidOption(f"previously[{position}]", invalid.problem)
        return wanted

    def named(self, items: Listing) -> Values | None:
        """The object with the wanted id or name."""
        field, value = ("id", self.wanted.id) if self.wanted.id else (self.name_field, self.wanted.name)
        live = sole(field, value, items, {field: str})
        if live is None:
            return None
        if self.wanted.id and self.wanted.name:
            self._check_name_of(live, items)
        return self.addressable(live, items)

    def decide(self, live: Values | None) -> Step:
        if live is None and self.wanted.id and not self.wanted.is_absent:
            raise PlatformError(f"id: no {self.singular} has the id {self.wanted.id}. Omit id to create one.")
        return super().decide(live)

    def addressable(self, live: Values, items: Listing) -> Values:
        address = self.address(live)
        others = [item for field in ("id", self.name_field) for item in items.where(field, address) if item is not live]
        shown = self.platform.shown(type(self), address) if others else live
        if shown is None or not is_same(shown["id"], live["id"]):
            raise PlatformError(
                f"{self.singular} {live[self.name_field]} cannot be addressed: the service answers for {address} with"
                f" the {self.singular} of which that is the id or {self.name_field}, too. Rename one of them."
            )
        return live

    def address(self, live: Values) -> Any:
        """What stands for the object in a path."""
        return live["id"]

    def _check_name_of(self, live: Values, items: Listing) -> None:
        """Check that the object with the wanted id has the wanted name, or may get it."""
        if self.wanted.name == live[self.name_field]:
            return
        if self.wanted.is_absent:
            raise PlatformError(
                f"{self.name_field}: the {self.singular} {self.wanted.id} is {live[self.name_field]}, not"
                f" {self.wanted.name}. Nothing was deleted. Omit {self.name_field}, or correct it."
            )
        if not self.wanted.is_exists:
            self.check_free(live, self.wanted.name, items)

    def check_free(self, live: Values, name: str | None, items: Listing) -> None:
        """Check that no object has the name which this one is to get."""
        for other in items.where(self.name_field, name):
            raise PlatformError(
                f"{self.name_field}: the {self.singular} {live['id']} cannot get the name {name}: {other['id']} already"
                f" has that {self.name_field}."
            )

    def complete(self, step: Step, item: Values) -> Values:
        return self.confirmed(item, step.expected, step.changes)

    @after_a_write()
    def confirmed(self, shown: Values, known: Values, changes: Values) -> Values:
        """The object as the answer shows it, read again where that is none, a part of one, or an old one.

        Warns where the service stores a value differently, and fails where it is the name: every run would create one
        more object.
        """
        sent = {option: value for option, value in changes.items() if option in self.fields.returned}
        item = {**known, **sent, **shown}
        if None in (shown.get("id"), shown.get(self.name_field)) or self.fields.differing(changes, shown):
            item = self.read_again(item) or item
            for option in self.fields.differing(changes, item):
                self.platform.warnings.append(
                    f"{option}: the service shows another value for the {self.singular} {item[self.name_field]} than"
                    " was sent, so every run will send it again."
                )
        if self.wanted.name is not None and item[self.name_field] != self.wanted.name:
            raise PlatformError(
                f"{self.name_field}: the service calls the {self.singular} {item['id']} {item[self.name_field]}, not"
                f" {self.wanted.name}. Use that name, or delete the {self.singular}.",
                result={"changed": True, self.singular: item},
            )
        return item
