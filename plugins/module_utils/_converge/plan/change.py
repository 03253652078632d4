# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The immutable values that the passes exchange: changes, and refusals of a plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

from ..._errors import InvalidOption, PlatformError
from ..._model.fields import Values
from ..._model.kind import Desired
from ..._model.platform import Platform
from ..._model.resource import Resource
from ..._model.scope import OWN_SCOPE, Scope
from ..._model.step import Action, AppliedStep, Step
from ..blueprint.entries import Entry
from .objects import Key, LiveObject, ObjectKey, Reference, team_slug_for_results

# Why a change is left out.
PROTECTED = "protected"
DEPENDENCY = "dependency"
NOT_SELECTED = "not_selected"
NOT_INVITED = "invite"
UNAVAILABLE = "unavailable"
# The guard of what no option decides.
BLUEPRINT_GUARD = "blueprint"


@dataclasses.dataclass(frozen=True, eq=False)
class Change:
    """A planned step for one object. A pass returns new ones, and never patches one in place."""

    kind: type[Resource]
    key: Key
    desired: Desired
    step: Step
    # Where its entry looks for the object.
    scope: Scope = OWN_SCOPE
    # What declares it; None for an object to prune.
    entry: Entry | None = None
    # The object that exists, in the team to which it belongs; None if there is none.
    live_object: LiveObject | None = None
    # What the options of its entry name.
    references: Mapping[str, Reference] = dataclasses.field(default_factory=dict)
    # What the service deletes with it.
    cascade: tuple[LiveObject, ...] = ()
    # The changes that must be applied first.
    dependencies: frozenset[Key] = frozenset()
    # Why it is left out.
    skip_reason: str | None = None
    # Why it cannot be planned.
    planning_error: PlatformError | None = None
    # By which it is approved.
    step_id: str | None = None
    # What came of it.
    applied: AppliedStep | None = None
    apply_error: PlatformError | None = None

    @property
    def live(self) -> Values:
        return self.step.live

    @property
    def latest_record(self) -> Values:
        """The record that applying the step returned, else the one that the step predicts."""
        if self.applied and self.applied.record:
            return self.applied.record
        return self.made_record or self.step.expected

    @property
    def made_record(self) -> Values:
        """The object of a creation that failed after it was made, if it is the one that was to be
        made; else ``{}``.
        """
        record = self.apply_error.result.get(self.kind.singular) if self.apply_error else None
        if not record or not self.scope.holds(record):
            return {}
        return record if record[self.kind.name_field] == self.name else {}

    @property
    def is_left(self) -> bool:
        """True if the step is still to be done."""
        return self.step_id is not None and self.applied is None and not self.made_record

    @property
    def live_key(self) -> ObjectKey | None:
        return (self.kind.plural, str(self.live["id"])) if self.live else None

    @property
    def id_or_key(self) -> object:
        return str(self.live["id"]) if self.live else self.key

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
    def is_declared(self) -> bool:
        """True if an entry wants it to exist."""
        return self.entry is not None and not self.desired.is_absent

    @property
    def object_after(self) -> LiveObject:
        """The object as the step leaves it."""
        if not self.kind.is_in_team:
            return LiveObject(self.kind, self.step.expected, Scope(self.step.expected))
        return LiveObject(self.kind, self.step.expected, self.object_scope)

    @property
    def object_scope(self) -> Scope:
        """The scope to which the object belongs, or will: the own list may show an object of a
        team.
        """
        if self.live_object and self.kind.is_in_team:
            return self.live_object.scope
        return self.scope

    @property
    def deleted_state(self) -> tuple[object, ...]:
        """What must not have changed when a planned deletion is applied, besides the ID. Fields
        that are objects, or refer to one, are left out: other steps of the plan may change them.
        """
        left_out = {*self.kind.embeds, *self.kind.references}
        values = {
            option: value for option, value in self.step.before.items() if option not in left_out
        }
        return self.kind.normalize(self.name), self.scope, self.object_scope, values

    def cascade_message(self, obj: LiveObject) -> str:
        """A clause for guards: this step would also delete another object."""
        verb = "deleting" if self.is_deletion else "changing"
        return f"{verb} the {self.description} would also delete the {obj.kind.singular} {obj.name}"

    def resource(self, platform: Platform, applied: Mapping[Key, Change] | None = None) -> Resource:
        """What sends the step, with references to the newest records of what the plan has made so
        far.
        """
        latest = self.with_latest_references(applied or {})
        records = {option: reference.record for option, reference in latest.references.items()}
        return self.kind(self.desired, platform, latest.scope, records, is_in_plan=True)

    def with_latest_references(self, applied: Mapping[Key, Change]) -> Change:
        """The same change; it refers to objects as they are by now."""
        references = {}
        for option, reference in self.references.items():
            change = applied.get(reference.key) if reference.key else None
            record = change.latest_record if change else reference.record
            references[option] = dataclasses.replace(reference, record=record)
        return dataclasses.replace(self, scope=self._latest_scope(applied), references=references)

    def _latest_scope(self, applied: Mapping[Key, Change]) -> Scope:
        change = applied.get(self.scope.key) if self.scope.key else None
        return dataclasses.replace(self.scope, team=change.latest_record) if change else self.scope


Changes = tuple[Change, ...]


class Refusal(NamedTuple):
    """Why a plan is not applied."""

    # The option that forbids it.
    guard: str
    message: str | InvalidOption

    @property
    def problem(self) -> str | InvalidOption:
        """The message with the guard before it, unless it names a part of that option itself."""
        if isinstance(self.message, InvalidOption) or self.guard == BLUEPRINT_GUARD:
            return self.message
        return InvalidOption(self.guard, self.message)
