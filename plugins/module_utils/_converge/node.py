# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node of the plan: an entry or a pruned object, its step, and the outcome. And the live objects that it is about."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator

from .._errors import PlatformError
from .._model.fields import Values
from .._model.kind import Kind
from .._model.kinds.registry import level_of
from .._model.kinds.team import Team
from .._model.platform import Scope
from .._model.resource import Resource
from .._model.step import Done, Known, Step
from .entries import Entry
from .selectors import Selectors

# Why an object that would be changed is left alone.
PROTECTED = "protected"
DEPENDENCY = "dependency"
NOT_SELECTED = "not_selected"
NOT_INVITED = "invite"


@dataclasses.dataclass(frozen=True, eq=False)
class LiveObject:
    """An object and the scope that shows it. ``item`` is empty for a node whose object does not exist."""

    kind: type[Kind]
    item: Values
    scope: Scope

    @property
    def key(self) -> tuple[str, str]:
        """Its identity, whichever scope shows it."""
        return self.kind.plural, str(self.item.get("id"))

    @property
    def name(self) -> str:
        return str(self.item[self.kind.name_field])

    @property
    def team(self) -> str | None:
        """The slug, ``""`` in the own scope, ``None`` for teams."""
        return self.scope.slug if self.kind.is_in_team else None

    def is_covered_by(self, selectors: Selectors) -> bool:
        """Return whether selectors match it, by its name and any slug of its team: also an earlier one, or what was
        protected before a rename would be deleted after it.
        """
        name = self.item.get(self.kind.name_field) or ""
        if not self.kind.is_in_team:
            return selectors.match(self.kind, [name], [str(name)])
        entry = self.scope.team.entry if isinstance(self.scope.team, Node) else None
        earlier = entry.wanted.previously if entry else []
        return selectors.match(self.kind, [name], {*slugs_of(self.scope), *earlier})


@dataclasses.dataclass(frozen=True, eq=False)
class GoesAlong(LiveObject):
    """An object that steps for other objects delete. ``nodes``: those of the steps, in order."""

    nodes: list[Node] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class Node:
    """One object's share of the plan. Other nodes refer to it, and read its current state from ``item``.

    ``entry``: ``None`` for an object that is pruned. ``team``: the slug, ``""`` in the own scope, ``None`` for teams.
    ``needs``: the nodes that must succeed first. ``along``: what the service deletes with it.
    """

    bound: Resource
    step: Step
    entry: Entry | None = None
    needs: list[Node] = dataclasses.field(default_factory=list)
    along: list[GoesAlong] = dataclasses.field(default_factory=list)
    skip_reason: str | None = None
    done: Done | None = None
    error: PlatformError | None = None

    @property
    def kind(self) -> type[Resource]:
        return type(self.bound)

    @property
    def referred(self) -> list[tuple[str, type[Kind], Known]]:
        """What its options name, as option, kind and object; an object to be absent needs none of it but its team."""
        named = {} if self.bound.wanted.is_absent else self.bound.referred
        team = self.bound.scope.team if self.kind.is_in_team else None
        return [
            *((option, self.kind.references[option], known) for option, known in named.items()),
            *([("team", Team, team)] if team else []),
        ]

    @property
    def live(self) -> LiveObject:
        return LiveObject(self.kind, self.step.live, self.bound.scope)

    @property
    def item(self) -> Values:
        return (self.done.item if self.done else {}) or self.step.expected

    @property
    def name(self) -> str:
        known = self.step.expected.get(self.kind.name_field)
        if self.entry is None or (self.entry.wanted.id and known):
            return str(known)
        return self.entry.name

    @property
    def team(self) -> str | None:
        return self.live.team

    @property
    def label(self) -> str:
        """The entry, or for a pruned object its kind and name."""
        return self.entry.label if self.entry else f"{self.kind.plural} {self.name}"

    @property
    def is_pending(self) -> bool:
        """Return whether there is a step to carry out, or was before it was carried out."""
        return self.step.is_change and self.skip_reason is None

    @property
    def is_pending_deletion(self) -> bool:
        return self.is_pending and self.step.is_deletion

    @property
    def lacks_what_it_needs(self) -> bool:
        return any(need.error or need.skip_reason == DEPENDENCY for need in self.needs)

    def carry_out(self, is_held_to_plan: bool) -> None:
        """Carry out the step, unless it or a node that it needs has failed."""
        if self.error:
            return
        if self.lacks_what_it_needs:
            self.skip_reason = DEPENDENCY
            return
        with self.keeping_failure():
            self.done = self.bound.apply(self.step, is_held_to_plan)

    @contextlib.contextmanager
    def keeping_failure(self) -> Iterator[None]:
        """A block whose failure is kept for the report."""
        try:
            yield
        except PlatformError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 (one entry's failure must not lose the results of the others)
            self.error = PlatformError(f"Unexpected {type(error).__name__}: {error}. Please report it as a bug.")


def turn_of(node: Node) -> tuple[bool, int]:
    """The sort key of a step: by the levels of their kinds, deletions last and in reverse."""
    level = level_of(node.kind)
    return (True, -level) if node.step.is_deletion else (False, level)


def slugs_of(scope: Scope) -> set[str]:
    """The slugs that a scope's team has, gets by the plan, or is declared by."""
    if not isinstance(scope.team, Node):
        return {scope.slug}
    former = scope.team.step.live.get("slug")
    declared = scope.team.entry.wanted.name if scope.team.entry else None
    return {scope.slug, *(str(slug) for slug in (former, declared) if slug)}
