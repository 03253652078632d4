# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources with an id and a name: found by either or by earlier names, renamed by both."""

from __future__ import annotations

from typing import Any

from ..._errors import PlatformError
from ..._text import quote_value, yaml_text
from ..fields import Values, is_same
from ..finding import matching, only_one
from ..listing import Listing
from ..name_forms import look_alike
from ..resource import Resource
from ..step import Step


class NamedResource(Resource):
    """A project by its name, a team by its slug, and either by its id."""

    other_identifiers = ("id",)
    is_renamable = True

    @property
    def identifier(self) -> tuple[str, str | None]:
        """The field that says which object is meant, and its value."""
        return ("id", self.desired.id) if self.desired.id else (self.name_field, self.desired.name)

    def find_by_name(self, records: Listing) -> Values | None:
        """The object with the desired id or name."""
        field, value = self.identifier
        live = only_one(field, value, records.where(field, value))
        if live is None:
            return None
        if self.desired.id and self.desired.name:
            self._check_name_of(live, records)
        return self.check_addressable(live)

    def check_addressable(self, live: Values) -> Values:
        address = self.address(live)
        whole = self.platform.whole_listing(type(self), self.scope)
        found = matching(address, whole, self.name_field)
        others = [record for record in found if not is_same(record["id"], live["id"])]
        addressed = self.platform.get(type(self), address) if others else live
        if addressed is None or not is_same(addressed["id"], live["id"]):
            raise PlatformError(
                f"The {self.singular} {live[self.name_field]} cannot be addressed,"
                f" because {address} is also the id or {self.name_field}"
                f" of another {self.singular}. Rename one of them."
            )
        return live

    def _check_name_of(self, live: Values, records: Listing) -> None:
        """Check that the object with the desired id has the desired name, or may get it."""
        if self.desired.name == live[self.name_field]:
            return
        if self.desired.is_absent:
            raise PlatformError(
                f"{self.name_field}: the {self.singular} {self.desired.id} is"
                f" {live[self.name_field]}, not {self.desired.name}. Nothing was deleted."
                f" Correct {self.name_field}, or omit it."
            )
        if not self.desired.is_create_only:
            self.check_free(live, self.desired.name, records)

    def check_free(self, live: Values, name: str | None, records: Listing) -> None:
        """Check that no object has the name which this one is to get."""
        for other in records.where(self.name_field, name):
            raise PlatformError(
                f"{self.name_field}: the {self.singular} {live['id']} cannot be renamed to {name},"
                f" because the {self.singular} {other['id']} already has that {self.name_field}."
            )

    def review(self, step: Step) -> None:
        """Warn of a name that this creates or gives beside a look-alike, which a service might take
        for the same.
        """
        name = step.changes.get(self.name_field)
        if not name:
            return
        for other in self.platform.whole_listing(type(self), self.scope):
            stored = other[self.name_field]
            if look_alike(stored) != look_alike(name) or is_same(other["id"], step.live.get("id")):
                continue
            # Asked last, because it may take a request.
            if self.owner_of(other) != self.scope:
                continue
            self.platform.warnings.append(
                f"{self.name_field}: the {self.singular} {yaml_text(name)} will exist"
                f" beside {yaml_text(stored)}, which a service might take for the same."
                f" If that one is meant, write its {self.name_field} as it is stored,"
                " or add it to previously."
            )

    def finish_write(self, step: Step, answer: Values) -> Values:
        """All that was given is compared with the answer, sent or not: a service may change one
        field with another.

        Where the answer shows less or something else, the object is read again. Warns of each field
        that is stored otherwise. Raises PlatformError if it is the name: every run would create one
        more object.
        """
        given = self._values_for(step.live)
        record = {**step.expected, **answer}
        is_partial = None in (answer.get("id"), answer.get(self.name_field))
        if is_partial or self.fields.changed_values(given, answer):
            # Of a move, the list of the new team is the proof.
            reread = self.find_listed if step.origin else self.reread
            record = reread(record) or record
        problems = {
            option: self._describe_stored(option, value, record)
            for option, value in self.fields.changed_values(given, record).items()
        }
        failure = problems.pop(self.name_field, None)
        self.platform.warnings += problems.values()
        if failure:
            raise PlatformError(failure, result={"changed": True, self.singular: record})
        return record

    def _describe_stored(self, option: str, given: Any, record: Values) -> str:
        """How a field is stored that is not as it was given."""
        place = f"{self.scope.slug}/" if self.scope.team else ""
        name = self.desired.name or record[self.name_field]
        stored = quote_value(record[option])
        return (
            f"{self.singular} {place}{name}: {option} is {stored}, not {quote_value(given)}."
            " If the service stores it so, write that; if it shows changes late, or has changed it"
            " with another field, run again."
        )
