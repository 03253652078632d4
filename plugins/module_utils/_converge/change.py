# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What travels through the passes: frozen changes, and what they are about. Nothing here is patched in place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .._errors import PlatformError
from .._model.fields import Values
from .._model.kind import Kind, Wanted
from .._model.kinds.registry import KINDS
from .._model.platform import OWN_SCOPE, Scope
from .._model.resource import Resource
from .._model.step import Action, Done, Step
from .blueprint.entries import Entry

# The kind whose objects are the scopes of all others.
SCOPE = next(kind for kind in KINDS.values() if kind.is_scope)

# A change's place in the blueprint, or the kind and id of what is pruned.
Key = tuple[str, object]
ObjectKey = tuple[str, str]
Explanation = Callable[[str], str]

# Why a change is left out.
PROTECTED = "protected"
DEPENDENCY = "dependency"
NOT_SELECTED = "not_selected"
NOT_INVITED = "invite"
UNAVAILABLE = "unavailable"


@dataclasses.dataclass(frozen=True, eq=False)
class Ref:
    """What an option names: an object as it is known, and the change that makes or changes it, if there is one.

    ``aliases``: its other names, before and after the plan; ``gone``: why nothing may refer to it any more, by the name
    that does.
    """

    kind: type[Kind]
    item: Values
    key: Key | None = None
    aliases: frozenset[str] = frozenset()
    gone: Explanation | None = None

    @property
    def id(self) -> str | None:
        return None if self.item.get("id") is None else str(self.item["id"])

    @property
    def name(self) -> str:
        return str(self.item.get(self.kind.name_field) or "")

    @property
    def identity(self) -> object:
        return self.key if self.id is None else self.id

    @property
    def scope(self) -> Scope:
        """The scope that the object is, if it is a team."""
        return Scope(self.item, self.key, self.aliases)


@dataclasses.dataclass(frozen=True, eq=False)
class Object:
    """An object that exists, in a scope, which is the own one for teams. ``owner``: the team to which it belongs, if
    only the own scope's list shows it.
    """

    kind: type[Kind]
    item: Values
    scope: Scope = OWN_SCOPE
    owner: Scope | None = None

    @property
    def key(self) -> ObjectKey:
        return self.kind.plural, str(self.item["id"])

    @property
    def name(self) -> str:
        return str(self.item.get(self.kind.name_field) or "")

    @property
    def slug(self) -> str | None:
        """The team's, ``""`` in the own scope, None for teams."""
        return slug_in_results(self.kind, self.scope)

    @property
    def team_names(self) -> frozenset[str]:
        """Every slug by which a selector may name its team; ``""`` is the own scope."""
        return frozenset[str]().union(*(scope.names for scope in self._teams))

    @property
    def team_ids(self) -> frozenset[str]:
        return frozenset[str]().union(*(scope.ids for scope in self._teams))

    @property
    def _teams(self) -> list[Scope]:
        """The scopes in which selectors match it; a team is its own."""
        return [Scope(self.item)] if self.kind is SCOPE else [self.scope, *([self.owner] if self.owner else [])]

    @property
    def label(self) -> str:
        return self.kind.label(self.name, self.slug)


@dataclasses.dataclass(frozen=True, eq=False)
class Change:
    """One object's share of the plan: an entry's, or that of an object to prune (``entry`` is None then).

    ``refs``: what its options name; ``origin``: the scope that it moves from; ``owner``: the team to which an object of
    the own scope's list belongs; ``along``: what the service deletes with
    it; ``needs``: the keys of the changes that come first; ``reason``: why it is left out; ``problem``: why it cannot
    be planned; ``id``: by which it is approved; ``done``, ``error``: what came of it.
    """

    kind: type[Resource]
    key: Key
    wanted: Wanted
    step: Step
    scope: Scope = OWN_SCOPE
    entry: Entry | None = None
    refs: Mapping[str, Ref] = dataclasses.field(default_factory=dict)
    origin: Scope | None = None
    owner: Scope | None = None
    along: tuple[Object, ...] = ()
    needs: frozenset[Key] = frozenset()
    reason: str | None = None
    problem: PlatformError | None = None
    id: str | None = None
    done: Done | None = None
    error: PlatformError | None = None

    @property
    def live(self) -> Values:
        return self.step.live

    @property
    def item(self) -> Values:
        """The object as it is known by now."""
        return (self.done.item if self.done else {}) or self.step.expected

    @property
    def live_key(self) -> ObjectKey | None:
        return (self.kind.plural, str(self.live["id"])) if self.live else None

    @property
    def identity(self) -> object:
        return str(self.live["id"]) if self.live else self.key

    @property
    def name(self) -> str:
        """As the entry names it; an entry with an id may not."""
        known = self.step.expected.get(self.kind.name_field)
        if self.entry is None or (self.wanted.id and known):
            return str(known)
        return self.entry.name

    @property
    def slug(self) -> str | None:
        return slug_in_results(self.kind, self.scope)

    @property
    def label(self) -> str:
        """The entry, or for a pruned object its kind and name."""
        return self.entry.label if self.entry else f"{self.kind.plural} {self.name}"

    @property
    def shown(self) -> str:
        """The object in words: ``project shop of acme``."""
        return self.kind.label(self.name, self.slug)

    @property
    def is_pending(self) -> bool:
        """Return whether there is something to do, or was before it was done."""
        return self.step.is_change and self.reason is None

    @property
    def is_deletion(self) -> bool:
        return self.is_pending and self.step.is_deletion

    @property
    def is_creation(self) -> bool:
        return self.is_pending and self.step.action is Action.CREATE

    @property
    def is_move(self) -> bool:
        return self.is_pending and self.origin is not None

    @property
    def is_declared(self) -> bool:
        """Return whether an entry wants it to exist."""
        return self.entry is not None and not self.wanted.is_absent

    @property
    def existing(self) -> Object:
        """The object as it is; if it moves, in the team that it leaves."""
        return Object(self.kind, self.live, self.origin or self.scope, self.owner)

    @property
    def deleted_state(self) -> tuple[object, ...]:
        """What must not have changed when a planned deletion is applied, besides the ID. Fields that are objects, or
        refer to one, are left out: other steps of the plan may change them.
        """
        left_out = {*self.kind.embeds, *self.kind.references}
        values = {option: value for option, value in self.step.before.items() if option not in left_out}
        return self.kind.form(self.name), self.scope.identity, self.owner and self.owner.identity, values

    @property
    def resulting(self) -> Object:
        """The object as the step leaves it."""
        return Object(self.kind, self.step.expected, self.scope, self.owner)

    def taking(self, thing: Object) -> str:
        """In words, that the service deletes another object with it."""
        verb = "deleting" if self.is_deletion else "changing"
        return f"{verb} the {self.shown} would also delete the {thing.kind.singular} {thing.name}"


Changes = tuple[Change, ...]


class Refusal(NamedTuple):
    """Why a plan is not carried out. ``guard``: the option that forbids it."""

    guard: str
    message: str


def slug_in_results(kind: type[Kind], scope: Scope) -> str | None:
    return scope.slug if kind.is_in_team else None
