# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists that a plan has read, and what is asked of them: objects by their IDs, names and what
they refer to, each in the scope to which it belongs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..._model.belonging import scope_of
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.listing import Listing, ListKey
from ..._model.platform import list_key
from ..._model.scope import OWN_SCOPE, Scope
from .item import TEAM_KIND, Item, Key, item_of
from .teams import Teams


class Lists:
    """What the service has shown for a plan."""

    def __init__(self, teams: Teams, lists: Mapping[ListKey, Listing] | None = None) -> None:
        self._teams = teams
        self._lists = dict(lists or {})
        # By kind, all that its lists show, each object once.
        self._whole: dict[str, Listing] = {}
        # The scopes whose lists show an object.
        self._scopes: dict[Key, list[Scope]] = {}
        self._items: dict[Key, Item] = {}
        # Objects that a GET shows in another scope than the one whose entry wants them.
        self.objects_elsewhere: list[Item] = []
        # The objects of the lists that only a GET shows.
        self._unlisted: set[Key] = set()

    def add(
        self, kind: type[Kind], scope: Scope, record: Values, *, is_listed: bool = True
    ) -> None:
        """Add to the list of a scope what only a GET shows. It counts as listed where it was late,
        and not for what is deleted if it is not.
        """
        key = list_key(kind, scope)
        listing = self._lists.get(key) or Listing((), kind.fields)
        self._lists[key] = listing.plus(record)
        self._whole.pop(kind.plural, None)
        if not is_listed:
            self._unlisted.add((kind.plural, str(record["id"])))

    def listing(self, kind: type[Kind], scope: Scope) -> Listing:
        """Empty also for what was not read, and for a team that does not exist yet."""
        if kind is TEAM_KIND:
            return self._teams.records
        listing = self._lists.get(list_key(kind, scope), Listing())
        if scope.team:
            return listing
        # The own list may show what is a team's, too.
        return listing.part(lambda record: self.owner(kind, record) == OWN_SCOPE)

    def has(self, kind: type[Kind], scope: Scope) -> bool:
        return scope.is_planned or kind is TEAM_KIND or list_key(kind, scope) in self._lists

    def is_listed(self, item: Item) -> bool:
        """False for what only a GET shows."""
        return item.key not in self._unlisted

    def whole(self, kind: type[Kind]) -> Listing:
        """All objects of a kind, whichever lists show them. What a team's list shows counts for
        more.
        """
        if kind is TEAM_KIND:
            return self._teams.records
        if kind.plural not in self._whole:
            self._whole[kind.plural] = Listing(self._records(kind), kind.fields)
        return self._whole[kind.plural]

    def _records(self, kind: type[Kind]) -> Iterator[Values]:
        keys = [key for key in self._lists if key.kind == kind.plural]
        for key in sorted(keys, key=lambda key: key.team_id is not None):
            scope = self._teams.with_id(key.team_id) if key.team_id else OWN_SCOPE
            for record in self._lists[key]:
                scopes = self._scopes.setdefault((kind.plural, str(record["id"])), [])
                if scope not in scopes:
                    scopes.append(scope)
                yield record

    def item(self, kind: type[Kind], record: Values) -> Item:
        """The item of an object that a list shows, without what entries want of it."""
        key = (kind.plural, str(record["id"]))
        if key not in self._items:
            self._items[key] = item_of(kind, record, self.owner(kind, record))
        return self._items[key]

    def owner(self, kind: type[Kind], record: Values) -> Scope:
        """The scope to which an object belongs; a team is its own."""
        if kind is TEAM_KIND:
            return self._teams.with_id(str(record["id"]))

        def find(other: type[Kind], record_id: object) -> list[Values]:
            return self.whole(other).where("id", record_id)

        return scope_of(kind, record, self.listed_in(kind, record), find, self._teams.with_id)

    def listed_in(self, kind: type[Kind], record: Values) -> Collection[Scope]:
        """The scopes whose lists show an object."""
        self.whole(kind)
        return self._scopes.get((kind.plural, str(record["id"])), ())

    def where(self, kind: type[Kind], field: str, value: object) -> Iterator[Item]:
        """The objects of a kind, in all scopes, whose field has this value: an ID, a name, the ID
        of what an option refers to.
        """
        return self._items_of(kind, self.whole(kind).where(field, value))

    def find_item(self, kind: type[Kind], record: Values | None) -> Item | None:
        """The item of a record, if a list shows it."""
        return self.by_id(kind, record["id"]) if record else None

    def by_id(self, kind: type[Kind], record_id: object) -> Item | None:
        return next(self.where(kind, "id", record_id), None)

    def with_name(self, kind: type[Kind], name: object) -> Iterator[Item]:
        """The objects of a name, also as a GET shows them in another scope."""
        yield from self.where(kind, kind.name_field, name)
        for item in self.objects_elsewhere:
            if item.kind is kind and kind.normalize(item.name) == kind.normalize(name):
                yield item

    def listed_items(self, kind: type[Kind], scope: Scope) -> Iterator[Item]:
        """The objects that the list of a scope shows, whosever they are."""
        return self._items_of(kind, self.listing(kind, scope))

    @property
    def all_items(self) -> Iterator[Item]:
        for kind in KINDS.values():
            yield from self.of_kind(kind)

    def of_kind(self, kind: type[Kind]) -> Iterator[Item]:
        return self._items_of(kind, self.whole(kind))

    def _items_of(self, kind: type[Kind], records: Iterable[Values]) -> Iterator[Item]:
        for record in records:
            yield self.item(kind, record)
