# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources with an id and a name: found by either, renamed by giving both, and found by earlier names."""

from __future__ import annotations

import unicodedata
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
            raise PlatformError(f"id: {self.why_missing()}")
        return super().decide(live)

    def addressable(self, live: Values, items: Listing) -> Values:
        """The object, which is addressed by its id."""
        if self.is_hidden(live, live["id"], items.where(self.name_field, live["id"])):
            raise PlatformError(
                f"{self.singular} {live['id']} cannot be addressed: another {self.singular} bears its id as"
                f" {self.name_field}, and the service answers with that one. Rename that one first."
            )
        return live

    def is_hidden(self, live: Values, address: Any, items: list[Values]) -> bool:
        """Return whether the service answers with another object at this address, which others of the items share."""
        if all(item is live for item in items):
            return False
        shown = self.platform.shown(type(self), address)
        return shown is None or not is_same(shown["id"], live["id"])

    def _check_name_of(self, live: Values, items: Listing) -> None:
        """Check that the object with the wanted id has the wanted name, or may get it."""
        if self.wanted.name == live[self.name_field]:
            return
        if self.wanted.is_absent:
            raise PlatformError(
                f"{self.name_field}: the {self.singular} {self.wanted.id} is {live[self.name_field]}, not"
                f" {self.wanted.name}. Nothing was deleted. Omit {self.name_field}, or correct it."
            )
        taken = items.where(self.name_field, self.wanted.name)
        if taken and not self.wanted.is_exists:
            raise PlatformError(
                f"{self.name_field}: {self.singular} {live['id']} cannot be renamed to {self.wanted.name}:"
                f" {taken[0]['id']} already has that {self.name_field}."
            )

    def why_missing(self) -> str:
        """The message for an id that no object has."""
        return f"no {self.singular} has the id {self.wanted.id}. Omit id to create one."

    def complete(self, step: Step, item: Values) -> Values:
        """The created object, read back if the answer does not show all that was sent."""
        known = {**step.expected, **{option: value for option, value in item.items() if value is not None}}
        self._check_name({**item, self.name_field: known[self.name_field]})
        is_whole = None not in (item[self.name_field], item["created_at"])
        if is_whole and not self.fields.differing(step.changes, item):
            return item
        shown = self.read_again(item) or known
        self._check_name(shown)
        return self._compared(shown, step.changes)

    @after_a_write()
    def confirmed(self, shown: Values, live: Values, changes: Values) -> Values:
        """The updated object as the answer shows it, read back if that is none, a partial one, or an old one."""
        if shown.get("id") is not None and not is_same(shown["id"], live["id"]):
            raise PlatformError(
                f"The {self.singular} {live['id']} was to be changed, but the service answered with {shown['id']}."
                " Check both."
            )
        is_object = None not in (shown.get("id"), shown.get(self.name_field))
        item = {**live, **shown}
        if not is_object or self.fields.differing(changes, item):
            found = self.read_again(live)
            if not is_object and (found is None or self.fields.differing(changes, found)):
                raise PlatformError(
                    f"The {self.singular} {live['id']} was to be changed. The service reported success, but shows it"
                    " unchanged. Run the task again."
                )
            item = self._compared(found or item, changes)
        self._check_name(item)
        return item

    def _compared(self, shown: Values, changes: Values) -> Values:
        """The object as the service shows it; warns if it stores a value differently."""
        for option in self.fields.differing(changes, shown):
            self.platform.warnings.append(
                f"{option}: the service shows another value for the {self.singular} {shown[self.name_field]} than"
                " was sent, so every run will send it again."
            )
        return shown

    def _check_name(self, item: Values) -> None:
        """Check the name: if the service assigned another one, every run would create one more object."""
        if self.wanted.name is not None and item[self.name_field] != self.wanted.name:
            error = PlatformError(
                f"{self.name_field}: the service calls the {self.singular} {item['id']} {item[self.name_field]}, not"
                f" {self.wanted.name}. Use that name, or delete the {self.singular}."
            )
            both = (str(item[self.name_field]), self.wanted.name)
            if len({unicodedata.normalize("NFC", name) for name in both}) == 1:
                error.explain("The two look the same: Unicode has several ways to write a letter with an accent.")
            error.result = {"changed": True, self.singular: item}
            raise error
