# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The immutable values that the passes exchange: changes, the live objects and references in them, and refusals."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .._errors import PlatformError
from .._model.fields import Values
from .._model.kind import Desired, Kind
from .._model.kinds.registry import KINDS
from .._model.platform import OWN_SCOPE, Scope
from .._model.resource import Resource
from .._model.step import Action, AppliedStep, Step
from .blueprint.entries import Entry

# The kind whose objects are the scopes of all others.
TEAM_KIND = next(kind for kind in KINDS.values() if not kind.is_in_team)

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
class Reference:
    """The object that an option refers to: its newest record and, if this plan creates or updates it, the key of that
    change.

    ``known_names``: its other names, before and after the plan; ``unusable_reason``: why nothing may refer to it any
    more, by the name that does.
    """

    kind: type[Kind]
    record: Values
    key: Key | None = None
    known_names: frozenset[str] = frozenset()
    unusable_reason: Explanation | None = None

    @property
    def id(self) -> str | None:
        return None if self.record.get("id") is None else str(self.record["id"])

    @property
    def name(self) -> str:
        return str(self.record.get(self.kind.name_field) or "")

    @property
    def id_or_key(self) -> object:
        return self.key if self.id is None else self.id

    @property
    def scope(self) -> Scope:
        """The scope that the object is, if it is a team."""
        return Scope(self.record, self.key, self.known_names)


@dataclasses.dataclass(frozen=True, eq=False)
class LiveObject:
    """An object that exists, in a scope, which is the own one for teams. ``owner``: the team to which it belongs, if
    only the own scope's list shows it.
    """

    kind: type[Kind]
    record: Values
    scope: Scope = OWN_SCOPE
    owner: Scope | None = None

    @property
    def key(self) -> ObjectKey:
        return self.kind.plural, str(self.record["id"])

    @property
    def name(self) -> str:
        return str(self.record.get(self.kind.name_field) or "")

    @property
    def team_slug(self) -> str | None:
        """The team's, ``""`` in the own scope, None for teams."""
        return team_slug_for_results(self.kind, self.scope)

    @property
    def scopes(self) -> list[Scope]:
        """The scopes in which selectors match it; a team is its own."""
        return [Scope(self.record)] if self.kind is TEAM_KIND else [self.scope, *([self.owner] if self.owner else [])]

    @property
    def label(self) -> str:
        return self.kind.label(self.name, self.team_slug)

    @property
    def sort_key(self) -> tuple[int, str, str]:
        """By kind, team and name, whatever the order of the lists."""
        return list(KINDS).index(self.kind.plural), self.team_slug or "", self.name


@dataclasses.dataclass(frozen=True, eq=False)
class Change:
    """A planned step for one object, with its dependencies. ``entry`` is None for an object to prune.

    ``references``: what its options name; ``moved_from``: the scope that it moves from; ``owner``: the team to which an
    object of the own scope's list belongs; ``cascade``: what the service deletes with it; ``dependencies``: the keys of
    the changes that come first; ``skip_reason``: why it is left out; ``planning_error``: why it cannot be planned;
    ``step_id``: by which it is approved; ``applied``, ``apply_error``: what came of it.
    """

    kind: type[Resource]
    key: Key
    desired: Desired
    step: Step
    scope: Scope = OWN_SCOPE
    entry: Entry | None = None
    references: Mapping[str, Reference] = dataclasses.field(default_factory=dict)
    moved_from: Scope | None = None
    owner: Scope | None = None
    cascade: tuple[LiveObject, ...] = ()
    dependencies: frozenset[Key] = frozenset()
    skip_reason: str | None = None
    planning_error: PlatformError | None = None
    step_id: str | None = None
    applied: AppliedStep | None = None
    apply_error: PlatformError | None = None

    @property
    def live(self) -> Values:
        return self.step.live

    @property
    def latest_record(self) -> Values:
        """The newest record: the one that applying the step returned, else the one that the step predicts."""
        return (self.applied.record if self.applied else {}) or self.step.expected

    @property
    def live_key(self) -> ObjectKey | None:
        return (self.kind.plural, str(self.live["id"])) if self.live else None

    @property
    def id_or_key(self) -> object:
        return str(self.live["id"]) if self.live else self.key

    @property
    def name(self) -> str:
        """The name in the entry; for an entry with only an ID, the live name."""
        known = self.step.expected.get(self.kind.name_field)
        if self.entry is None or (self.desired.id and known):
            return str(known)
        return self.entry.name

    @property
    def team_slug(self) -> str | None:
        return team_slug_for_results(self.kind, self.scope)

    @property
    def label(self) -> str:
        """The entry, or for a pruned object its kind and name."""
        return self.entry.label if self.entry else f"{self.kind.plural} {self.name}"

    @property
    def description(self) -> str:
        """The object in words: ``project shop of acme``."""
        return self.kind.label(self.name, self.team_slug)

    @property
    def is_pending(self) -> bool:
        """True if there is something to do, or was before it was done."""
        return self.step.is_change and self.skip_reason is None

    @property
    def is_deletion(self) -> bool:
        return self.is_pending and self.step.is_deletion

    @property
    def is_creation(self) -> bool:
        return self.is_pending and self.step.action is Action.CREATE

    @property
    def is_move(self) -> bool:
        return self.is_pending and self.moved_from is not None

    @property
    def is_declared(self) -> bool:
        """True if an entry wants it to exist."""
        return self.entry is not None and not self.desired.is_absent

    @property
    def live_object(self) -> LiveObject:
        """The object as it is; if it moves, in the team that it leaves."""
        return LiveObject(self.kind, self.live, self.moved_from or self.scope, self.owner)

    @property
    def deleted_state(self) -> tuple[object, ...]:
        """What must not have changed when a planned deletion is applied, besides the ID. Fields that are objects, or
        refer to one, are left out: other steps of the plan may change them.
        """
        left_out = {*self.kind.embeds, *self.kind.references}
        values = {option: value for option, value in self.step.before.items() if option not in left_out}
        return self.kind.normalize(self.name), self.scope.identity, self.owner and self.owner.identity, values

    @property
    def object_after(self) -> LiveObject:
        """The object as the step leaves it."""
        return LiveObject(self.kind, self.step.expected, self.scope, self.owner)

    def cascade_message(self, obj: LiveObject) -> str:
        """A clause for guards: this step would also delete another object."""
        verb = "deleting" if self.is_deletion else "changing"
        return f"{verb} the {self.description} would also delete the {obj.kind.singular} {obj.name}"


Changes = tuple[Change, ...]


class Refusal(NamedTuple):
    """Why a plan is not carried out. ``guard``: the option that forbids it."""

    guard: str
    message: str


def team_slug_for_results(kind: type[Kind], scope: Scope) -> str | None:
    return scope.slug if kind.is_in_team else None
