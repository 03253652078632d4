# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One desired object in its scope, and how it is found there. What is sent is in `resource.py`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from .._api.operations import Api
from .._errors import ApiError, InvalidOption, PlatformError
from .fields import Values, is_same
from .finding import REMOVE_OTHERS, describe, only_one
from .kind import Desired, Kind
from .listing import Listing
from .platform import Platform
from .scope import Scope


@dataclasses.dataclass(eq=False)
class DesiredObject(Kind):
    """One desired object in its scope. All that finds it sends GETs alone.

    A module calls ``find``. A blueprint calls ``find_by_name``, and then ``match_previous``, for
    all entries of a kind and scope, with the list that it has read.
    """

    desired: Desired
    platform: Platform
    scope: Scope
    # What its options name, as far as it is known.
    referenced: dict[str, Values] = dataclasses.field(default_factory=dict)
    # A plan has shown the object, so a deletion must be of what that showed, and not only of what
    # the user gave.
    is_in_plan: bool = False

    @property
    def api(self) -> Api:
        """The operations of the service."""
        return self.platform.api

    def find(self) -> Values | None:
        """The object, by whole lists, perhaps cached ones: it exists once, or not at all.

        Raises PlatformError if several match, and InvalidOption for a team's in the own scope; one
        that is to be absent there draws a warning.
        """
        found = self.match(self.with_unlisted(self.platform.listing(type(self), self.scope)))
        if found is None:
            from .own_scope import check_teams  # few lack one

            check_teams(self.platform, type(self), self.scope, self.desired)
        return found

    def with_unlisted(self, records: Listing) -> Listing:
        """Hook. Called by ``find`` with the complete list of the scope. Returns it, with what the
        desired one may be and the service shows only by itself.
        """
        return records

    def match(self, records: Listing) -> Values | None:
        """The matching object among all that exist.

        Raises PlatformError if the match is not certain.
        """
        return self.match_previous(self.find_by_name(records), records, {})

    def match_previous(
        self, named: Values | None, records: Listing, declared: Mapping[str, str]
    ) -> Values | None:
        """The object that has the desired name, else one of the earlier names.

        ``named``: what ``find_by_name`` has found. ``declared``: what others mean by its name, and
        what they are called, by its ID: that is never renamed. Raises PlatformError if the match is
        not certain.
        """
        found = [
            only_one("previously", name, records.where(self.name_field, name))
            for name in self.desired.previous_names
        ]
        candidates = [record for record in found if record]
        if named is not None:
            rivals = [record for record in candidates if str(record["id"]) not in declared]
            candidates = [named, *rivals]
        if len(candidates) > 1:
            raise PlatformError(self._describe_ambiguous_rename(candidates))
        if named is not None or not candidates:
            return named
        live = candidates[0]
        label = declared.get(str(live["id"]))
        if label is None:
            return self.check_addressable(live)
        name = live[self.name_field]
        raise InvalidOption(
            "previously",
            f"{name} exists and {self.desired.name} does not, and {label} declares {name} too."
            f" Remove it from previously, or give {label} another name.",
        )

    def find_by_name(self, records: Listing) -> Values | None:
        """Hook. The object with the desired name, among all of the scope. Raises PlatformError for
        several. Sends a GET at most, and only where an address is ambiguous.
        """
        name = self.desired.name
        found = records.where(self.name_field, name)
        return only_one(self.name_field, name, found, REMOVE_OTHERS)

    def _describe_ambiguous_rename(self, records: Sequence[Values]) -> str:
        """The message for refusing to rename one of several objects."""
        listed = " and ".join(
            f"{record[self.name_field]} ({describe(record)})" for record in records
        )
        return (
            f"previously: {listed} both exist."
            f" Only one of them can be the {self.singular} {self.desired.name}."
            " Delete or rename the other, or remove its name from previously."
        )

    def check_addressable(self, live: Values) -> Values:
        """Hook. Called for each object that a step may write. Returns it if a request addresses it,
        and nothing else. Raises PlatformError if not.
        """
        return live

    def reread(self, live: Values) -> Values | None:
        """Called after a write whose answer does not show all. Returns the object with this one's
        ID, by one GET, else from the list; or None.
        """
        try:
            record = self.platform.show(type(self), self.address(live))
        except ApiError:
            record = None
        if record and is_same(record["id"], live["id"]):
            return record
        return self.find_listed(live)

    def find_listed(self, live: Values) -> Values | None:
        """The object with this one's id, from the list, read again."""
        self.platform.lists.invalidate(self.plural)
        found = self.platform.listing(type(self), self.scope).where("id", live["id"])
        return found[0] if found else None

    def owner_of(self, record: Values) -> Scope:
        """The scope to which an object belongs that the scope's list, or a GET, shows."""
        return self.platform.owner_of(type(self), self.scope, record)
