# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One desired object: finding it, planning its step, and applying that."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from .._api.retries import create_once
from .._errors import ApiError, Effect, InvalidOption, PlatformError
from .._text import join_some
from .belonging import Belonging
from .fields import Values
from .finding import GIVE_ID, REMOVE_OTHERS, describe
from .kind import Desired, Kind
from .listing import Listing
from .platform import Platform, list_key
from .scope import OWN_SCOPE, Scope
from .step import Action, AppliedStep, Step, plan_absent, plan_nothing, plan_present


class Resource(Kind):
    """One desired object in its scope. Subclasses define how it is matched, and how it is written.

    ``create``, ``update`` and ``delete`` send a step. ``create`` returns the object of the
    response, ``update`` the object as it is afterwards.

    ``find`` reads the complete list, perhaps from the cache, and proves that the object exists once
    or not at all. ``look_up`` does the same without the cache.
    """

    create: Callable[[Step], Values]
    update: Callable[[Step], Values]
    delete: Callable[[Step], None]

    def __init__(
        self,
        desired: Desired,
        platform: Platform,
        scope: Scope,
        referenced: Mapping[str, Values] | None = None,
    ) -> None:
        self.desired = desired
        self.platform = platform
        self.api = platform.api
        self.scope = scope
        self.referenced = dict(referenced or {})

    def plan(self) -> Step:
        """Read the live state, and determine the required step."""
        live = self.find()
        if live is None:
            self.judge_hidden()
        step = self.plan_for(live)
        self.warn_about(step)
        return step

    def judge_hidden(self) -> None:
        """Warn of an absent object that is a team's, and raises PlatformError before one is created
        beside it.
        """
        hidden = self.find_hidden()
        if hidden is None:
            return
        problem = self.describe_hidden(hidden)
        if not self.desired.is_absent:
            raise problem
        self.platform.warnings.append(problem)

    def find_hidden(self) -> Belonging | None:
        """The object that is meant, if it is in the own list and ``own_scope: true`` leaves it out,
        because it belongs to a team.
        """
        if not self.scope.excludes_teams:
            return None
        records = self.platform.listing(type(self), OWN_SCOPE)
        found = records.where("id", self.desired.id)
        found = found or records.where(self.name_field, self.desired.name, self.normalize)
        return self._belonging(found[0]) if found else None

    def describe_hidden(self, hidden: Belonging) -> InvalidOption:
        """Whose an object is that ``own_scope: true`` leaves out, and what to do."""
        slug = hidden.scope.slug
        label = self._label(hidden.record)
        problem = f"the {label} belongs to the team {slug}. Set team to {slug}."
        if self.desired.is_absent:
            problem = (
                f"the {label} belongs to the team {slug}, so it counts as absent."
                f" To delete it, set team to {slug}."
            )
        return InvalidOption("own_scope", problem)

    def _label(self, record: Values) -> str:
        return f"{self.display_name()} {record[self.name_field]}"

    def warn_about(self, _step: Step) -> None:
        """Warn of what a step does, and its diff does not show."""
        return

    def plan_for(self, live: Values | None) -> Step:
        """The required step, given the live object.

        Raises PlatformError if the object can only be read here, because it belongs to a team and
        the list without a team mixes those of several.
        """
        step = self.compute_step(live)
        if not step.is_change or not step.live:
            return step
        belonging = self._belonging(step.live)
        if not belonging.may_be_written:
            team_id = belonging.team_id
            raise PlatformError(
                f"team: {self.singular} {step.live[self.name_field]} belongs to the team {team_id}."
                f" Without team, the service lists the {self.plural} of several teams, which can"
                f" only be read. Set team to {team_id}."
            )
        return step

    def _belonging(self, record: Values) -> Belonging:
        """Whose an object is that the scope's list shows."""
        return self.platform.belonging(type(self), self.scope, record)

    def compute_step(self, live: Values | None) -> Step:
        """The step by the object alone."""
        if self.desired.is_absent:
            return plan_absent(self.fields, live)
        if self.desired.is_create_only and live is not None:
            return plan_nothing(live)
        known = {"team_id": self.scope.team_id} if self.is_in_team else {}
        is_resent = self.desired.options.get("write_only_fields") == "always"
        return plan_present(self.fields, self._values_for(live), live, known, resend=is_resent)

    def _values_for(self, live: Values | None) -> Values:
        """The target values, and those that ``unlisted_fields: clear`` empties."""
        is_reset = live and self.desired.options.get("unlisted_fields") == "clear"
        unlisted = [
            option for option in self.fields.resettable if option not in self.desired.values
        ]
        return {**dict.fromkeys(unlisted if is_reset else (), ""), **self.desired.values}

    def apply(self, step: Step, *, is_approved_plan: bool = False) -> AppliedStep:
        """Carry out the step.

        ``is_approved_plan``: an object created by someone else in the meantime is not changed, as
        that was not planned.
        """
        with self.fields.naming_options():
            return self.send(step, is_approved_plan=is_approved_plan)

    def send(self, step: Step, *, is_approved_plan: bool) -> AppliedStep:
        """Send the requests of the step."""
        if step.action is Action.CREATE:
            return self._create(step, is_approved_plan=is_approved_plan)
        if step.action is Action.UPDATE:
            return self._record_write(step, self.update(step))
        if step.action is Action.DELETE:
            self._delete(step)
            return self._record_write(step, {})
        return AppliedStep(step, step.live, changed=False)

    def find(self) -> Values | None:
        """The object, proven by whole lists. Raises PlatformError if several match."""
        return self.match(self.with_unlisted(self.platform.listing(type(self), self.scope)))

    def with_unlisted(self, records: Listing) -> Listing:
        """The listed objects, and the desired one if the service shows it only by itself."""
        return records

    def match(self, records: Listing) -> Values | None:
        """The matching object among all that exist.

        Raises PlatformError if the match is not certain.
        """
        live = self.find_by_name(records)
        previous = self.find_by_previous_names(records)
        if not previous:
            return live
        if live is not None or len(previous) > 1:
            raise PlatformError(
                self.describe_ambiguous_rename([live, *previous] if live else previous)
            )
        return self.check_addressable(previous[0], records)

    def find_by_name(self, records: Listing) -> Values | None:
        """The object with the desired name."""
        return self._find_by(self.name_field, self.desired.name, records, REMOVE_OTHERS)

    def find_by_previous_names(self, records: Listing) -> list[Values]:
        """The objects with one of the earlier names.

        Where the own list shows a team's object, it is no rival of one that belongs to no team.
        """
        found = [self._find_by("previously", name, records) for name in self.desired.previous_names]
        previous = [record for record in found if record is not None]
        live = self.find_by_name(records) if previous and self.scope.team is None else None
        if live is None:
            return previous
        scope = self._belonging(live).scope
        return [record for record in previous if self._belonging(record).scope == scope]

    def _find_by(
        self, option: str, name: str | None, records: Listing, advice: str = GIVE_ID
    ) -> Values | None:
        """The object with the name that an option gives."""
        return self.platform.find_in(
            records, type(self), self.scope, option, name, (self.name_field,), advice
        )

    def describe_ambiguous_rename(self, records: Sequence[Values]) -> str:
        """The message for refusing to rename one of several objects."""
        listed = " and ".join(
            f"{record[self.name_field]} ({describe(record)})" for record in records
        )
        return (
            f"previously: {listed} both exist. Only one of them can be the {self.singular}"
            f" {self.desired.name}. Delete"
            " or rename the other, or remove its name from previously."
        )

    def check_addressable(self, live: Values, _records: Listing) -> Values:
        """The object, if a request can address it unambiguously; raises PlatformError if not."""
        return live

    def look_up(self) -> Values | None:
        """The object that a creation would have made, if it exists after all; bypasses the
        cache.
        """
        self.platform.lists.invalidate()
        return self.find()

    def reread(self, live: Values) -> Values | None:
        """The object with this one's id, from the list, read again."""
        self.platform.lists.invalidate(self.plural)
        found = self.platform.listing(type(self), self.scope).where("id", live["id"])
        return found[0] if found else None

    def finish_creation(self, _step: Step, record: Values) -> Values:
        """Send what a creation cannot include; returns the object afterwards."""
        return record

    def extra_results(self, _step: Step) -> Values:
        """Additional results of the module, besides the object."""
        return {}

    def not_compared(self, step: Step) -> list[str]:
        """The given options that the step does not send, because they cannot be compared."""
        if self.desired.is_absent:
            return []
        given = (
            option
            for option in self.write_only_options
            if self.desired.options.get(option) not in (None, {})
        )
        return [option for option in given if option not in step.changes]

    def is_unscoped_creation(self, step: Step) -> bool:
        """True if the object is created in the own scope without this having been requested."""
        is_unscoped = not self.scope.team and not self.scope.excludes_teams
        return self.is_in_team and is_unscoped and step.action is Action.CREATE

    @staticmethod
    def is_generated(_live: Values, _platform: Platform, _scope: Scope) -> bool:
        """True if the service created the object itself: it is never declared or deleted alone."""
        return False

    def _create(self, step: Step, *, is_approved_plan: bool) -> AppliedStep:
        """Create the object, unless it exists by now.

        One that exists without a confirmed creation is adopted.
        """
        record = self._created_meanwhile()
        if record is not None:
            return self._adopt(record, is_approved_plan=is_approved_plan)
        record, lost = create_once(self.api.new_retries(), lambda: self.create(step), self.look_up)
        if lost is None or (
            lost.effect is not Effect.REJECTED
            and not self.fields.changed_values(self.desired.values, record)
        ):
            with mark_changed_on_failure():
                applied = self._record_write(step, self.finish_creation(step, record))
                self._warn_of_team(applied.record)
                return applied
        return self._adopt(record, is_approved_plan=is_approved_plan)

    def _warn_of_team(self, record: Values) -> None:
        """Warn if the service has put into a team what was created in the own scope alone."""
        if not self.scope.excludes_teams:
            return
        belonging = self._belonging(record)
        if not belonging.is_own:
            slug = belonging.scope.slug
            problem = (
                f"the service put the {self._label(record)} into the team {slug}."
                f" Set team to {slug}, or no later task finds it."
            )
            self.platform.warnings.append(InvalidOption("own_scope", problem))

    def _adopt(self, record: Values, *, is_approved_plan: bool) -> AppliedStep:
        """Bring an object into the desired state that exists without a confirmed creation, and may
        be someone else's.

        Raises PlatformError under an approved plan if it differs, or is a team: all that is planned
        in it would be that person's.
        """
        step = self.plan_for(record)
        differs = step.is_change or self.fields.changed_values(self.desired.values, record)
        if is_approved_plan and (not self.is_in_team or differs):
            raise PlatformError(
                f"Somebody else has created the {self.singular} {self.desired.name} since the"
                " plan. Using or changing"
                " it was not approved. Plan again."
            )
        return self.send(step, is_approved_plan=False)

    def _created_meanwhile(self) -> Values | None:
        """The object, if someone created it after the list was read on which the creation
        relies.
        """
        return self.match(self.platform.up_to_date_listing(type(self), self.scope))

    def _delete(self, step: Step) -> None:
        """A refusal may mean that the object is gone, perhaps by this request: the list decides."""
        try:
            self.delete(step)
        except ApiError as error:
            if error.effect is not Effect.REJECTED or error.status == 401:
                raise
            self.platform.lists.invalidate()
            if self.find() is not None:
                raise

    def _record_write(self, step: Step, record: Values) -> AppliedStep:
        record = self.check_team(record)
        if step.origin:
            self.platform.lists.record_write(
                list_key(type(self), Scope(step.origin)), step.live, None
            )
        self.platform.lists.record_write(
            list_key(type(self), self.scope), step.live, record, self.also_changes
        )
        return AppliedStep(step, record or step.live, changed=True)

    def check_team(self, record: Values) -> Values:
        """The object of a response. In another team, each run would create another one."""
        if self.scope.holds(record):
            return record
        raise PlatformError(
            f"team: the service put the {self.display_name()} {record.get('id')} into the team"
            f" {record['team_id']} instead of {self.scope} ({self.scope.team_id}). Contact the"
            " service's operator.",
            result={"changed": True, self.singular: record},
        )


@contextlib.contextmanager
def mark_changed_on_failure() -> Iterator[None]:
    """A block whose failures come after a write: the task is changed, and not tried again."""
    try:
        yield
    except PlatformError as error:
        error.result = error.result or {"changed": True}
        raise


def own_scope_warning(names: Sequence[str]) -> str:
    """The warning about objects that are created without an explicit team."""
    return (
        f"No team is set, so these objects are created in your own scope: {join_some(names)}. Set"
        " team, or"
        " own_scope: true if this is intended."
    )
