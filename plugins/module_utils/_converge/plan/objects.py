# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan speaks of: objects that exist, and references to objects that exist or are
planned.
"""

from __future__ import annotations

import dataclasses

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.scope import OWN_SCOPE, Scope
from ..blueprint.selectors import Selectors

# The kind whose objects are the scopes of all others.
TEAM_KIND = next(kind for kind in KINDS.values() if not kind.is_in_team)

# What identifies a change: its place in the blueprint, or the kind and ID of what is pruned.
Key = tuple[str, object]
ObjectKey = tuple[str, str]


@dataclasses.dataclass(frozen=True, eq=False)
class LiveObject:
    """An object that the service shows, or one as a step leaves it."""

    kind: type[Kind]
    record: Values
    # The scope to which it belongs; a team is its own.
    scope: Scope
    # The scopes whose lists show it.
    listed_in: tuple[Scope, ...] = ()

    @property
    def key(self) -> ObjectKey:
        return self.kind.plural, self.id

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @property
    def name(self) -> str:
        return str(self.record.get(self.kind.name_field) or "")

    @property
    def team_slug(self) -> str | None:
        """The team's, ``""`` in the own scope, None for teams."""
        return team_slug_for_results(self.kind, self.scope)

    @property
    def label(self) -> str:
        return self.kind.label(self.name, self.team_slug)

    @property
    def sort_key(self) -> tuple[int, str, str]:
        """By kind, team and name, whatever the order of the lists."""
        return list(KINDS).index(self.kind.plural), self.team_slug or "", self.name

    def has_valid(self, option: str) -> bool:
        """True if an entry could give an option this value: a service may hold what none takes."""
        value = self.record[option] or ""
        return isinstance(value, (str, int)) and not self.kind.fields.problem_of(option, str(value))

    @property
    def has_valid_name(self) -> bool:
        return self.has_valid(self.kind.name_field)

    def is_matched_by(self, selectors: Selectors, entry_scope: Scope | None = None) -> bool:
        """True if a selector matches it by its name, in the team to which it belongs or in that of
        its entry. Every slug of a team counts, also an earlier one: else a rename would end the
        protection of all that is in the team.
        """
        scopes = [self.scope]
        if entry_scope is not None and self.kind.is_in_team:
            scopes.append(entry_scope)
        return any(
            selectors.match(self.kind, [self.name], scope.names, scope.ids) for scope in scopes
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Reference:
    """The object that an option refers to."""

    kind: type[Kind]
    # The newest record of it.
    record: Values
    # The change of this plan that creates or updates it, if one does.
    key: Key | None = None
    # Its other names, before and after the plan.
    known_names: frozenset[str] = frozenset()
    # Why nothing may refer to it any more.
    unusable_reason: str = ""

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


def team_object(kind: type[Kind], record: Values) -> LiveObject:
    """The object of a team's record: it is its own scope."""
    return LiveObject(kind, record, Scope(record), (OWN_SCOPE,))


def reference_id(obj: LiveObject, option: str) -> str:
    """The ID of the object to which an option of this one refers."""
    return str(obj.record[f"{option}_id"])


def object_named(kind: type[Kind], name: str, scope: Scope) -> LiveObject:
    """An object of which nothing but the name is known, because it does not exist yet."""
    record = {**kind.fields.to_result({}), kind.name_field: name}
    return LiveObject(kind, record, scope if kind.is_in_team else Scope(record))


def scope_named(name: str) -> Scope:
    """The scope of a team that neither exists nor is declared: it holds nothing."""
    if not name:
        return OWN_SCOPE
    return Scope({"id": None, TEAM_KIND.name_field: name})


def team_slug_for_results(kind: type[Kind], scope: Scope) -> str | None:
    return scope.slug if kind.is_in_team else None
