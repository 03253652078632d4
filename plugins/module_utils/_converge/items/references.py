# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option may name: what exists, and what the plan makes, renames or deletes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..._errors import InvalidOption
from ..._model.finding import describe
from ..._model.listing import Listing
from ..._model.scope import OWN_SCOPE, Scope
from ..._text import did_you_mean
from .item import TEAM_KIND, Item, item_of

NOT_A_TEAM = (
    "is not declared, and is neither the id nor the slug of a team that this token can see."
)


class References:
    """What names of one kind mean in one scope, after this run. They compare exactly.

    ``items``: those that entries of the scope make; ``listed``: those of what its list shows.
    """

    def __init__(self, items: Sequence[Item], listed: Iterable[Item]) -> None:
        declared = {item.key for item in items}
        self.items = [*items, *(item for item in listed if item.key not in declared)]
        self._index: dict[str, list[Item]] = defaultdict(list)
        for item in self.items:
            for name in {*_names_after(item), item.live_name} - {""}:
                self._index[name].append(item)
        for item in items:
            # What only has to exist may keep an earlier name, and is meant by the declared one.
            self._index.setdefault(item.name, [item])

    def find(self, name: str) -> Sequence[Item]:
        """All that a name may mean, also an earlier one, and what the plan deletes."""
        return self._index.get(name, ())

    def resolve(self, option: str, name: str, where: str, *, is_lenient: bool = False) -> Item:
        """The object that an option names. With ``is_lenient``, it may be one that this run
        deletes.

        ``where``: the end of the sentence that says that nothing has this name. Raises
        InvalidOption if the name is ambiguous or means nothing.
        """
        found = self.find(name)
        usable = [item for item in found if not _obstacle(item, name)]
        if len({item.key for item in usable}) > 1:
            listed = "; ".join(describe(item.latest_record) for item in usable)
            problem = f"{name} matches {len(usable)} objects ({listed}). Use the id of one of them."
            raise InvalidOption(option, problem)
        if usable:
            return usable[0]
        if not found:
            names = [_names_after(item)[-1] for item in self.items if not unusable_reason(item)]
            raise InvalidOption(option, f"{name} {where}{did_you_mean(name, names)}")
        if is_lenient and name in _names_after(found[0]):
            return found[0]
        raise InvalidOption(option, _obstacle(found[0], name))


class Teams(References):
    """What the names of teams mean: those that exist, and what the entries of this run make of
    them.
    """

    def __init__(self, items: Sequence[Item], records: Listing) -> None:
        """``items``: those of the entries that declare teams; ``records``: the teams that exist."""
        self.records = records
        super().__init__(items, [item_of(TEAM_KIND, record, Scope(record)) for record in records])
        # All of them, declared and listed. First those to which something may refer.
        self.scopes = [item.named_scope for item in sorted(self.items, key=unusable_reason)]
        self._by_id = {str(scope.team_id): scope for scope in self.scopes if not scope.is_planned}
        self._by_name = {"": OWN_SCOPE}
        for scope in self.scopes:
            self._by_name.setdefault(scope.slug, scope)
        for scope in self.scopes:
            for name in scope.known_names:
                self._by_name.setdefault(name, scope)

    def check(self, name: str, *, is_lenient: bool) -> None:
        """Raises InvalidOption for a name that means no team, or an earlier one. With
        ``is_lenient``, the plan may delete the team.
        """
        if name:
            self.resolve("team", name, NOT_A_TEAM, is_lenient=is_lenient)

    def named(self, name: str) -> Scope:
        """The scope that a name means, also an earlier one; one that holds nothing for an unknown
        name.
        """
        return self._by_id.get(name) or self._by_name.get(name) or unknown_team(name)

    def with_id(self, team_id: str) -> Scope:
        """A team by its ID; the own scope if the caller has no team of this ID."""
        return self._by_id.get(team_id, OWN_SCOPE)


def unknown_team(name: str, team_id: str | None = None) -> Scope:
    """The scope of a team of which only a name, or the ID, is known: it holds nothing."""
    return Scope({"id": team_id, TEAM_KIND.name_field: name})


def unusable_reason(item: Item) -> str:
    """Why nothing may refer to what an entry declares, and what to do; ``""`` if something may."""
    if item.problem:
        return f"{item.name} is declared by {item.label}, which is invalid."
    if item.entry and item.desired.is_absent:
        absent = f"{item.label} declares {item.name} with state=absent."
        return f"{absent} Remove what needs it, too, or keep it."
    return ""


def _obstacle(item: Item, name: str) -> str:
    """Why nothing may refer to an item by a name, and what to do; ``""`` if something may."""
    current = _names_after(item)
    reason = unusable_reason(item)
    if reason or name in (*current, item.name):
        return reason
    return f"{name} is renamed to {current[-1]} by {item.label}. Use {current[-1]} here."


def _names_after(item: Item) -> tuple[str, str]:
    """The ID and the name that an object has after the run."""
    record = item.latest_record
    return str(record.get("id") or ""), str(record.get(item.kind.name_field) or "")
