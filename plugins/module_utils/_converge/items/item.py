# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one form of an object in a plan: what is wanted of it, what exists, the step between, and
what became of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence, Set

from ..._errors import PlatformError
from ..._model.fields import Values
from ..._model.kind import Desired, Kind
from ..._model.kinds.registry import KINDS
from ..._model.platform import Platform
from ..._model.resource import Resource
from ..._model.scope import OWN_SCOPE, Scope
from ..._model.step import Action, Step, plan_nothing
from ..._text import visible_name
from ..blueprint.entries import Entry
from ..blueprint.selectors import Selectors, is_matched

# The kind whose objects are the scopes of all others.
TEAM_KIND = next(kind for kind in KINDS.values() if not kind.is_in_team)

# Why an item is left out.
PROTECTED = "protected"
DEPENDENCY = "dependency"
NOT_SELECTED = "not_selected"
NOT_INVITED = "invite"
UNAVAILABLE = "unavailable"

NO_STEP = plan_nothing(None)

# A kind, and an ID; of what does not exist, its item.
Key = tuple[str, object]


@dataclasses.dataclass(eq=False)
class Item:
    """One object of a plan.

    Each entry makes one. So does each object that no entry means and that the plan speaks of: it is
    pruned, goes along, or is not declared. What is not given at the start is set by the one
    function that the comment names.
    """

    kind: type[Resource]
    desired: Desired
    # What declares it.
    entry: Entry | None = None
    # Where its entry looks for the object; of one without an entry, whose it is. Set by
    # `find_teams`.
    scope: Scope = OWN_SCOPE
    # True if ``only`` selects its entry. Set by `find_teams`.
    is_selected: bool = False
    # What is to be done with it. Set by `match_entries`; by `select` for what is not selected, and
    # by `prune` for what is pruned.
    step: Step = NO_STEP
    # Whose the object is that exists, of what is in a team. Set by `match`.
    live_scope: Scope | None = None
    # What its options name. Set by `match`, and by `find_elsewhere`.
    references: Mapping[str, Item] = dataclasses.field(default_factory=dict)
    # Why it cannot be planned. Set by `collect_problem`, and by `select`.
    problem: PlatformError | None = None
    # All that the service deletes with it. Set by `add_cascades`.
    consequences: Sequence[Item] = ()
    # Of that, what no other step of the plan deletes before. Set by `add_cascades`.
    cascade: Sequence[Item] = ()
    # What must be applied first. Set by `add_order`.
    needs: Set[Item] = frozenset()
    # Why it is left out. Set by `select`, `prune` and `identify`; by `apply` for what is not tried.
    skip_reason: str | None = None
    # By which its step is approved. Set by `identify`.
    step_id: str | None = None
    # The step as it was applied. Set by `apply`; by `recheck` for a deletion whose object is gone.
    applied: Step | None = None
    error: PlatformError | None = None

    @property
    def live(self) -> Values:
        """The object that exists; ``{}`` if there is none."""
        return self.step.live

    @property
    def key(self) -> Key:
        """Equal for items of the same object."""
        return (self.kind.plural, str(self.live["id"]) if self.live else self)

    @property
    def reference_keys(self) -> list[Key]:
        """The keys of what an object that exists refers to."""
        return [
            (kind.plural, str(self.live[f"{option}_id"]))
            for option, kind in self.kind.references.items()
        ]

    @property
    def name(self) -> str:
        """The name after the run: that in the entry, else that of the object; ``""`` if it has
        none.
        """
        known = self.step.expected.get(self.kind.name_field)
        if self.entry is None or (self.desired.id and known):
            return str(known or "")
        return self.entry.name

    @property
    def given_name(self) -> str:
        """What its entry calls it, perhaps an ID; a team's slug."""
        return self.entry.name if self.entry and self.kind.is_in_team else self.name

    @property
    def live_name(self) -> str:
        """The name that the object has, else the one that it is to get."""
        return str(self.live.get(self.kind.name_field) or "") if self.live else self.name

    @property
    def owner(self) -> Scope:
        """Whose it is, or will be; a team is its own."""
        if self.live_scope:
            return self.live_scope
        return self.scope if self.kind.is_in_team else Scope(self.live or self.latest_record)

    @property
    def named_scope(self) -> Scope:
        """The scope that its entry names; of a team, the team itself, by all names that it has
        before and after the run.
        """
        if self.kind.is_in_team:
            return self.scope
        if self.entry is None:
            return self.owner
        names = {self.name, self.live_name, *self.desired.previous_names}
        return Scope(self.latest_record, self, frozenset(names))

    @property
    def team_slug(self) -> str | None:
        """The team's in results, ``""`` in the own scope, None for teams."""
        return self.scope.slug if self.kind.is_in_team else None

    @property
    def label(self) -> str:
        """The entry, or for an object without one its kind and name."""
        return self.entry.label if self.entry else f"{self.kind.plural} {visible_name(self.name)}"

    @property
    def description(self) -> str:
        """The object in words: ``project shop of acme``."""
        return self.kind.label(self.name, self.team_slug)

    @property
    def live_description(self) -> str:
        """The same, as it is before the run."""
        team = self.owner.slug if self.kind.is_in_team else None
        return self.kind.label(self.live_name, team)

    @property
    def sort_key(self) -> tuple[int, str, str]:
        """By kind, team and name, whatever the order of the lists."""
        return list(KINDS).index(self.kind.plural), self.team_slug or "", self.name

    @property
    def is_pending(self) -> bool:
        """True if there is something to do, or was before it was done."""
        return self.step.is_change and self.skip_reason is None

    @property
    def is_deletion(self) -> bool:
        return self.is_pending and self.step.is_deletion

    @property
    def deleted(self) -> Sequence[Item]:
        """What is gone after its step: its object, if that is deleted, and what goes along."""
        return [self, *self.cascade] if self.is_deletion else self.cascade

    @property
    def is_write(self) -> bool:
        """True for all that is sent but deletions."""
        return self.is_pending and not self.step.is_deletion

    @property
    def is_creation(self) -> bool:
        return self.is_pending and self.step.action is Action.CREATE

    @property
    def is_rename(self) -> bool:
        is_update = self.is_pending and self.step.action is Action.UPDATE
        return is_update and self.kind.name_field in self.step.changes

    @property
    def is_pruned(self) -> bool:
        return self.is_deletion and self.entry is None

    @property
    def latest_record(self) -> Values:
        """What the run has made of it so far, else what it is to make of it."""
        if self.applied and self.applied.expected:
            return self.applied.expected
        known = self.made_record or self.step.expected
        return known or {**self.kind.fields.to_result({}), self.kind.name_field: self.name}

    @property
    def latest_scope(self) -> Scope:
        """Its scope, with what the run has made of the team so far."""
        team = self.scope.key
        return team.named_scope if isinstance(team, Item) else self.scope

    @property
    def made_record(self) -> Values:
        """The object of a creation that failed after it was made, if it is the one that was to be
        made; else ``{}``.
        """
        record = self.error.result.get(self.kind.singular) if self.error else None
        if not record or not self.latest_scope.holds(record):
            return {}
        return record if record[self.kind.name_field] == self.name else {}

    def resource(self, platform: Platform) -> Resource:
        """What plans and sends the step, with all that it refers to as it is by now."""
        records = {option: item.latest_record for option, item in self.references.items()}
        return self.kind(self.desired, platform, self.latest_scope, records, is_in_plan=True)

    def describe_cascade(self, kind: type[Kind], name: str) -> str:
        """A clause for guards: this step would also delete another object."""
        verb = "deleting" if self.is_deletion else "changing"
        deleted = f"{kind.singular} {visible_name(name)}"
        return f"{verb} the {self.description} would also delete the {deleted}"

    def is_matched_by(self, selectors: Selectors) -> bool:
        """True if a selector matches the object by its name, in the team to which it belongs or in
        that of its entry. Every slug of a team counts, also an earlier one: else a rename would end
        the protection of all that is in the team.
        """
        name = self.live_name
        if self.entry and not self.live:
            name = self.entry.own_name
        return bool(selectors) and self._matches(selectors, name, self.owner)

    def will_be_matched_by(self, selectors: Selectors) -> bool:
        """The same of the object as the step leaves it."""
        expected = self.step.expected
        owner = self.owner if self.kind.is_in_team else Scope(expected)
        return self._matches(selectors, str(expected.get(self.kind.name_field) or ""), owner)

    def _matches(self, selectors: Selectors, name: str, owner: Scope) -> bool:
        scopes = [owner, self.scope] if self.kind.is_in_team else [owner]
        return any(is_matched(selectors, self.kind, [name], scope) for scope in scopes)

    def is_selected_by(self, selectors: Selectors, earlier_names: Sequence[str] = ()) -> bool:
        """True if selectors of ``only`` select it, by its name or an earlier one, and its team's
        slug after the run, or its team's ID. An object without an entry has no source.
        """
        if self.entry is None:
            selectors = [selector for selector in selectors if selector.source is None]
        else:
            source = self.entry.source
            selectors = [selector for selector in selectors if selector.matches_source(source)]
        names = [self.given_name, *earlier_names]
        return is_matched(selectors, self.kind, names, self.named_scope.final)

    def has_valid(self, option: str) -> bool:
        """True if an entry could give an option the value that the object has there: a service may
        hold any.
        """
        value = self.live[option]
        if value is None:
            return True
        return isinstance(value, str) and not self.kind.fields.problem_of(option, value)


def item_of(kind: type[Kind], record: Values, owner: Scope) -> Item:
    """The item of an object that exists, and that no entry means. Nothing is done with it."""
    desired = Desired({"state": "absent", "id": record["id"]}, {}, record[kind.name_field])
    return Item(
        KINDS[kind.plural],
        desired,
        scope=owner if kind.is_in_team else OWN_SCOPE,
        step=plan_nothing(record),
        live_scope=owner,
    )


def deletion_of(item: Item) -> Step:
    """The step by which an object goes with another one."""
    return Step(Action.DELETE, item.live, item.live)
