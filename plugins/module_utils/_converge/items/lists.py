# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists that were read for a plan. They are asked for objects by scope, by ID, by name and by
what they refer to, each in the scope to which it belongs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..._errors import ApiError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.listing import Listing, ListKey
from ..._model.platform import Platform, list_key
from ..._model.scope import OWN_SCOPE, Scope, scope_of
from ..._threads import InterruptiblePool
from .item import TEAM_KIND, Item, Key, item_of
from .references import Teams

# A list to read, of a kind in a scope.
ListToRead = tuple[type[Kind], Scope]


class Lists:
    """What the service has shown for a plan."""

    def __init__(self, teams: Teams, lists: Mapping[ListKey, Listing | None]) -> None:
        """``lists``: None for one that the service does not show."""
        self._teams = teams
        self._lists = {key: listing for key, listing in lists.items() if listing is not None}
        # The lists of undeclared objects that the service does not show.
        self.unreadable = [key for key, listing in lists.items() if listing is None]
        # By kind, all that its lists show, each object once.
        self._whole: dict[str, Listing] = {TEAM_KIND.plural: teams.records}
        # The first team whose list shows an object.
        self._teams_of: dict[Key, Scope] = {}
        self._items: dict[Key, Item] = {}
        # Objects that a GET shows in another scope than the one whose entry wants them.
        self.objects_elsewhere: list[Item] = []
        # The objects of the lists that only a GET shows.
        self.unlisted: set[Key] = set()

    def add(self, kind: type[Kind], scope: Scope, record: Values) -> None:
        """Add to the list of a scope what only a GET shows."""
        key = list_key(kind, scope)
        listing = self._lists.get(key) or Listing((), kind.fields)
        self._lists[key] = listing.plus(record)
        self._whole.pop(kind.plural, None)
        self.unlisted.add(_key_of(kind, record))

    def listing(self, kind: type[Kind], scope: Scope) -> Listing:
        """Empty also for what was not read, and for a team that does not exist yet."""
        if kind is TEAM_KIND:
            return self._teams.records
        listing = self._lists.get(list_key(kind, scope), Listing((), kind.fields))
        if scope.team:
            return listing
        # The own list may show what is a team's, too.
        return listing.part(lambda record: self.owner(kind, record) == OWN_SCOPE)

    def has(self, kind: type[Kind], scope: Scope) -> bool:
        return scope.is_planned or list_key(kind, scope) in self._lists

    def item(self, kind: type[Kind], record: Values) -> Item:
        """The item of an object that a list shows, without what entries want of it."""
        key = _key_of(kind, record)
        if key not in self._items:
            self._items[key] = item_of(kind, record, self.owner(kind, record))
        return self._items[key]

    def owner(self, kind: type[Kind], record: Values) -> Scope:
        """The scope to which an object belongs; a team is its own."""
        if kind is TEAM_KIND:
            return self._teams.with_id(str(record["id"]))

        def find(other: type[Kind], record_id: object) -> list[Values]:
            return self._all(other).where("id", record_id)

        self._all(kind)
        listed_in = self._teams_of.get(_key_of(kind, record), OWN_SCOPE)
        return scope_of(kind, record, listed_in, find, self._teams.with_id)

    def items(self, kind: type[Kind], scope: Scope | None = None) -> Sequence[Item]:
        """The objects that the list of a scope shows, whosever they are; by default, those of all
        lists.
        """
        records = self._all(kind) if scope is None else self.listing(kind, scope)
        return [self.item(kind, record) for record in records]

    @property
    def all_items(self) -> Iterator[Item]:
        for kind in KINDS.values():
            yield from self.items(kind)

    def where(self, kind: type[Kind], field: str, value: object) -> Sequence[Item]:
        """The objects of a kind, in all scopes, whose field has this value: a name, the ID of what
        an option refers to.
        """
        return [self.item(kind, record) for record in self._all(kind).where(field, value)]

    def bearers(self, kind: type[Kind], name: str) -> Iterator[Item]:
        """The objects that bear a name of a kind, or have it as a field, in all scopes; also as a
        GET shows them.
        """
        yield from self.where(kind, kind.name_field, name)
        for item in self.objects_elsewhere:
            if item.kind is kind and kind.normalize(item.name) == kind.normalize(name):
                yield item
        for other in KINDS.values():
            for field, plural in other.embeds.items():
                if plural == kind.plural:
                    yield from self.where(other, field, name)

    def get(self, key: Key) -> Item | None:
        """The object of a kind and an ID, if a list shows it."""
        plural, record_id = key
        return next(iter(self.where(KINDS[plural], "id", record_id)), None)

    def _all(self, kind: type[Kind]) -> Listing:
        """All objects of a kind, whichever lists show them. What a team's list shows counts for
        more.
        """
        if kind.plural not in self._whole:
            self._whole[kind.plural] = Listing(self._records(kind), kind.fields)
        return self._whole[kind.plural]

    def _records(self, kind: type[Kind]) -> Iterator[Values]:
        keys = [key for key in self._lists if key.kind == kind.plural]
        for key in sorted(keys, key=lambda key: key.team_id is not None):
            for record in self._lists[key]:
                if key.team_id:
                    team = self._teams.with_id(key.team_id)
                    self._teams_of.setdefault(_key_of(kind, record), team)
                yield record


def read_listings(
    platform: Platform, required: Iterable[ListToRead], reported: Iterable[ListToRead] = ()
) -> dict[ListKey, Listing | None]:
    """Lists, with those of what their objects refer to. Raises ApiError for what cannot be read;
    what only the report needs is None if the service does not show it.
    """
    needed = _readable(required)
    wanted = {**needed, **_readable(reported)}

    def read(key: ListKey) -> Listing | None:
        try:
            return platform.whole_listing(*wanted[key])
        except ApiError as error:
            if error.status != 403 or error.is_throttling or key in needed:
                raise
            return None

    with InterruptiblePool(platform.workers) as pool:
        return dict(zip(wanted, pool.map(read, wanted)))


def _readable(wanted: Iterable[ListToRead]) -> dict[ListKey, ListToRead]:
    """A team that does not exist has no lists, and the list of teams is read already."""
    found = {}
    for kind, scope in dict.fromkeys(wanted):
        if kind.is_in_team and kind.is_listed and not scope.is_planned:
            for other in (kind, *kind.references.values()):
                found[list_key(other, scope)] = other, scope
    return found


def _key_of(kind: type[Kind], record: Values) -> Key:
    return kind.plural, str(record["id"])
