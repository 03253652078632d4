# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service, read under our names: complete lists, parts of them, and the scope in which to look
for an object.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any

from .._api.http import INVALID_PATH_VALUES
from .._api.operations import Api
from .._api.paging import PagingError
from .._api.transport import timestamp_of
from .._errors import ApiError, InvalidOption
from .._text import did_you_mean
from .age import REJECTED_LIST, send_to_young
from .fields import Values, is_same
from .finding import matching, only_one
from .kind import Kind
from .listing import WHOLE_TASK, ListCache, Listing, ListKey
from .options import Options
from .scope import OWN_SCOPE, Scope, scope_of

# A service with several clocks may still add items that are dated before the newest one of a list
# that was read.
CLOCK_SLACK_MS = 1000


@dataclasses.dataclass(eq=False)
class Platform:
    """The service, read under our names."""

    api: Api
    # The cache of lists.
    lists: ListCache = dataclasses.field(default_factory=ListCache)
    # For the user.
    warnings: list[str | InvalidOption] = dataclasses.field(default_factory=list)
    # How many threads may send requests at a time.
    workers: int = 1
    # Only what was approved may be done: nothing is changed that somebody else has created since.
    is_approved_plan: bool = False
    # Is called with a blueprint's plan, before its first write.
    on_plan: Callable[[Values], None] | None = None
    # The option that leaves a team out, ``""`` for a task that asks one alone; None as long as
    # nobody knows how many it asks.
    team_option: str | None = None
    # A single task in check mode takes what is missing for what an earlier task of its play makes.
    assumes_missing: bool = False
    # A module that only reads shows all that the own list does, also what is a team's.
    shows_teams: bool = False
    # The teams to which the caller belongs, as ``_read_teams`` has found them.
    _teams: Listing | None = None
    # True if the service did not list them.
    _are_teams_refused: bool = False

    def tell(self, line: str) -> None:
        """Show a line to the user immediately, if anyone would see it."""
        notify = self.api.client.run.notify
        if notify:
            notify(line)

    def with_task_cache(self, **details: Any) -> Platform:
        """The same service, with lists that are cached until the task ends, and other details."""
        return dataclasses.replace(self, lists=ListCache(WHOLE_TASK), **details)

    def listing(self, kind: type[Kind], scope: Scope, *, is_up_to_date: bool = False) -> Listing:
        """All objects of a kind in a scope: what of its list is in it. The own scope excludes what
        is a team's.

        ``is_up_to_date``: also what was created since the list was read, so that it proves that an
        object does not exist.
        """
        listing = self.whole_listing(kind, scope)
        if is_up_to_date:
            self.lists.catch_up(
                list_key(kind, scope), listing, lambda: self._newer(kind, scope, listing)
            )
        if scope.team or not kind.is_in_team or self.shows_teams:
            return listing
        return listing.part(lambda record: self.owner_of(kind, scope, record) == OWN_SCOPE)

    def whole_listing(self, kind: type[Kind], scope: Scope) -> Listing:
        """All that a list shows: the own one may show what is a team's, too."""
        if scope.is_planned or not kind.is_listed:
            return Listing((), kind.fields)
        return self.lists.get(
            list_key(kind, scope), lambda: Listing(self.list_page(kind, scope, {}), kind.fields)
        )

    def find(self, kind: type[Kind], scope: Scope, value: str, field: str = "") -> Values | None:
        """The listed object with the value of an option in its field of that name; or that an
        option named as its kind means, by its ID or its name.

        Where a module that only reads sees one of the caller's own and others, it is that one.
        Raises PlatformError, which lists them, for several.
        """
        records = self.listing(kind, scope)
        matches = (
            records.where(field, value) if field else matching(value, records, kind.name_field)
        )
        if self.shows_teams and len(matches) > 1:
            own = [record for record in matches if self.owner_of(kind, scope, record) == OWN_SCOPE]
            matches = own if len(own) == 1 else matches
        return only_one(field or kind.singular, value, matches)

    def suggest(self, kind: type[Kind], scope: Scope, name: str) -> str:
        """A sentence that suggests what the scope has of a name near this one, or ``""``."""
        return did_you_mean(name, [record[kind.name_field] for record in self.listing(kind, scope)])

    def owner_of(self, kind: type[Kind], scope: Scope, record: Values) -> Scope:
        """The scope to which an object belongs that a scope's list, or a GET, shows.

        What its record does not tell is read: the own projects, for aliases that name no team, and
        the teams.
        """
        if scope.team:
            return scope
        find_team = functools.partial(self._callers_team, kind)
        return scope_of(kind, record, OWN_SCOPE, self.find_own, find_team)

    def find_own(self, kind: type[Kind], record_id: Any) -> list[Values]:
        """The objects of an ID, of which there is one at most, that the own list shows."""
        return self.whole_listing(kind, OWN_SCOPE).where("id", record_id)

    def _callers_team(self, kind: type[Kind], team_id: str) -> Scope:
        """The caller's team of an ID; the own scope if there is none. If the service does not list
        the teams, each counts as one.
        """
        if self._teams is None and not self._are_teams_refused:
            self._read_teams(kind.scope_kind or kind)
        if self._teams is None:
            return Scope({"id": team_id, "slug": team_id})
        for team in self._teams.where("id", team_id):
            return Scope(team)
        return OWN_SCOPE

    def _read_teams(self, team_kind: type[Kind]) -> None:
        """Ask, once a task, to which teams the caller belongs. Warns of a refusal."""
        try:
            self._teams = self.listing(team_kind, OWN_SCOPE)
        except ApiError as error:
            if not error.is_refusal:
                raise
            self._are_teams_refused = True
            self.warnings.append(
                f"{error} What names a team is not taken for your own: it is unknown which of"
                " the teams are yours."
            )

    def show(self, kind: type[Kind], address: Any) -> Values | None:
        """What one GET of an ID or a name shows: perhaps another object, in whatever scope.

        None if the service refuses the request or the address cannot be in a path. None does not
        prove absence: the specification does not say how "not found" is answered.
        """
        if (
            kind.get_operation is None
            or len(str(address)) < kind.path_minimum
            or address in INVALID_PATH_VALUES
        ):
            return None
        try:
            return kind.fields.to_result(kind.get_operation(self.api, address))
        except ApiError as error:
            if not error.is_refusal:
                raise
            return None

    def get(
        self, kind: type[Kind], address: Any, field: str = "", scope: Scope = OWN_SCOPE
    ) -> Values | None:
        """As ``show``, but None for another object than the one of this address.

        ``field``: the one that must hold the address; by default, the ID or the name. ``scope``: if
        it is a team, the object must name it.
        """
        record = self.show(kind, address)
        if record is None:
            return None
        if scope.team and not is_same(record["team_id"], scope.team_id):
            return None
        fields = (field,) if field else ("id", kind.name_field)
        found = [kind.normalize(record[name]) for name in fields]
        return record if kind.normalize(address) in found else None

    def find_named(self, kind: type[Kind], scope: Scope, id_or_name: str) -> Values | None:
        """The object that an option names as its kind means: listed, or shown by one GET."""
        listed = self.find(kind, scope, id_or_name)
        return listed or self.find_unlisted(kind, scope, id_or_name)

    def find_unlisted(self, kind: type[Kind], scope: Scope, id_or_name: str) -> Values | None:
        """The team, or the object of a team, that the list lacks and one GET shows: lists may be
        late. A response that is not it says nothing, unless the service rejects the token or
        throttles.
        """
        if kind.is_in_team and scope.team_id is None:
            return None
        try:
            return self.get(kind, id_or_name, scope=scope)
        except ApiError as error:
            if error.is_throttling or (error.status or 0) < 500:
                raise
            return None

    def find_anywhere(self, kind: type[Kind], name: str) -> Values | None:
        """The object of this name as GET shows it, in whatever scope it is. None proves nothing.

        It is asked for as given, and in the forms in which a service may have stored it.
        """
        for form in dict.fromkeys((name, *kind.forms(name))):
            record = self.get(kind, form, kind.name_field)
            if record is not None:
                return record
        return None

    def list_page(self, kind: type[Kind], scope: Scope, query: Options) -> list[Values]:
        """The objects of a scope within the page options, in the service's order.

        ``query``: these options, and the filters that the kind's operation takes.
        """
        if scope.is_planned:
            return []
        found = self.read_list(
            scope, lambda: kind.list_operation(self.api, teamId=scope.team_id, **query)
        )
        records = [kind.fields.to_result(record) for record in found]
        in_scope = [record for record in records if scope.holds(record)]
        limit = query.get("limit")
        if limit is None or len(in_scope) == len(records):
            return in_scope
        return self.list_page(kind, scope, {**query, "limit": None})[:limit]

    def read_list(self, scope: Scope, read: Callable[[], list[Values]]) -> list[Values]:
        """A list of a scope, which may be a team so young that the service rejects it. What fails
        of it names the team.
        """
        if not scope.team:
            return read()
        try:
            return send_to_young(self.api.client.clock, [scope.team], read, REJECTED_LIST)
        except ApiError as error:
            error.team = scope.slug
            error.team_option = self.team_option or ""
            raise
        except PagingError as error:
            error.add_sentence(f"It is a list of the team {scope.slug}.")
            raise

    def _newer(self, kind: type[Kind], scope: Scope, known: Listing) -> Iterable[Values]:
        """Objects that may have been created since a list was read: usually one page of the
        newest.
        """
        timestamps = (timestamp_of(record.get("created_at")) for record in known)
        newest = max(filter(None, timestamps), default=None)
        since = int(newest) - CLOCK_SLACK_MS if newest else None
        try:
            return self.list_page(kind, scope, {"since": since})
        except PagingError:
            return self.list_page(kind, scope, {})


def list_key(kind: type[Kind], scope: Scope) -> ListKey:
    """The cache key of a list."""
    return ListKey(kind.plural, str(scope.identity) if scope.team else None)
