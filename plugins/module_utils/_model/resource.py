# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One desired object: planning its step, and applying that."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from .._api.retries import create_once
from .._errors import ApiError, Effect, PlatformError
from .age import Returned, send_to_young
from .desired_object import DesiredObject
from .fields import Values
from .finding import describe
from .kind import Desired
from .platform import Platform, list_key
from .scope import Scope
from .step import Action, Step, plan_absent, plan_creation, plan_nothing, plan_update

# What the service may mean with a conflict about a name that the caller's list lacks.
CONFLICT_ADVICE = "The name may be somebody else's."
CONFLICT_ADVICE_OF_SEVERAL = (
    f"{CONFLICT_ADVICE} Or the service takes one change at a time: then set workers: 1."
)


class Resource(DesiredObject):
    """One desired object: what is planned for it, and sent.

    A module calls ``plan`` and then ``apply``. A blueprint finds the objects, calls ``plan_for``,
    and once all is planned ``apply``. Planning sends GETs alone, whatever hook runs. All other
    methods are called by these. Any may raise PlatformError: then this object alone has failed.
    ApiError of a list ends a plan.

    A subclass must define ``create``, ``update`` and ``delete``, and may override each method whose
    docstring begins with "Hook", here and in `DesiredObject`.
    """

    # Hook. Sends the request of a creation, once for each try. Returns the object of the response,
    # perhaps in part. Must not look whether it exists: that was done right before.
    create: Callable[[Step], Values]
    # Hook. Sends the changes of the step. Returns the object of the response, perhaps in part.
    update: Callable[[Step], Values]
    # Hook. Sends the deletion. ApiError may mean that the object is gone: ``_delete`` judges that.
    delete: Callable[[Step], None]
    # An object of the name of one whose creation was rejected or lost, perhaps somebody else's.
    stranger: Values | None = None

    def plan(self) -> Step:
        """Read the live state, and determine the required step."""
        glimpse = self.peek()
        if glimpse:
            step = self.plan_for(glimpse)
            if not step.is_change:
                return step
        step = self.plan_for(self.find() or glimpse)
        self.review(step)
        return step

    def peek(self) -> Values | None:
        """Hook, of a module alone. The object, if one request shows what is certainly the desired
        one: enough to prove that it needs no change, and that there is one which the list lacks.
        None proves nothing.
        """
        return None

    def review(self, _step: Step) -> None:
        """Hook, of a module alone. Called once a step is planned, also for one that does nothing.
        Adds warnings of what its diff does not show, and raises PlatformError for what must not be
        done.
        """
        return

    def plan_for(self, live: Values | None) -> Step:
        """Hook. The step from the live object to the desired one; a pure function of both, and of
        what the options refer to. ``live`` is from any list, or of a response.
        """
        if self.desired.is_absent:
            return plan_absent(self.fields, live)
        values = self._values_for(live)
        if live is None:
            if not self.is_creatable(self.desired):
                raise PlatformError(self.describe_missing())
            known = {"team_id": self.scope.team_id} if self.is_in_team else {}
            return plan_creation(self.fields, values, known)
        if self.desired.is_create_only:
            return plan_nothing(live)
        is_resent = self.desired.options.get("write_only_fields") == "always"
        return plan_update(self.fields, values, live, resend=is_resent)

    def describe_missing(self) -> str:
        """Hook. Why an object that does not exist is not created, and what to do."""
        return f"id: no {self.singular} has the id {self.desired.id}. Omit id to create one."

    def _values_for(self, live: Values | None) -> Values:
        """The target values, and those that ``unlisted_fields: clear`` empties."""
        if not live or self.desired.options.get("unlisted_fields") != "clear":
            return self.desired.values
        given = self.desired.values
        cleared = [option for option in self.fields.resettable if option not in given]
        return {**dict.fromkeys(cleared, ""), **given}

    def apply(self, step: Step) -> Step:
        """Carry out the step. Returns it as it was applied, with the object as it is by now."""
        if step.action is Action.CREATE:
            return self._create(step)
        if step.action is Action.UPDATE:
            return self._finish(step, self.update(step))
        if step.action is Action.DELETE:
            return self._delete(step)
        return step

    def write(
        self, send: Callable[..., Returned], *given: Any, about: Values | None = None
    ) -> Returned:
        """The response to a write in the scope, and ``about`` a team or project, which may be so
        young that the service does not know them everywhere yet.
        """
        records = [self.scope.team or {}, about or {}]
        return send_to_young(self.api.client.clock, records, lambda: send(*given))

    def look_up(self) -> Values | None:
        """Hook. Called after a creation without a usable answer, perhaps several times. Returns
        the object that it would have made, if the list shows it, read anew; None proves nothing.
        """
        self.platform.lists.invalidate()
        return self.find()

    def finish_write(self, _step: Step, answer: Values) -> Values:
        """Hook. Called once, after a creation or a change that was carried out, with what its
        response shows. Sends what that could not include, and returns the object afterwards. Must
        return its ID and name as stored. A failure counts as changed.
        """
        return answer

    @classmethod
    def not_compared(cls, desired: Desired, step: Step) -> list[str]:
        """The given options that the step does not send, because they cannot be compared."""
        if desired.is_absent:
            return []
        return [
            option
            for option in cls.write_only_options
            if desired.options.get(option) not in (None, {}) and option not in step.changes
        ]

    def is_unscoped_creation(self, step: Step) -> bool:
        """True if the object is created in the own scope without this having been requested.
        Called once all is planned.
        """
        is_unscoped = not self.scope.team and not self.desired.options.get("own_scope")
        return self.is_in_team and is_unscoped and step.action is Action.CREATE

    @staticmethod
    def is_generated(_live: Values, _platform: Platform, _scope: Scope) -> bool:
        """Hook of an export. True if the service created the object itself, with another one."""
        return False

    def _create(self, step: Step) -> Step:
        """Create the object, unless it exists by now.

        One that exists without a confirmed creation is adopted.
        """
        record = self._created_meanwhile()
        if record is None:
            record, lost = self.send_creation(step)
            if lost is None or (
                lost.effect is not Effect.REJECTED
                and not self.fields.changed_values(self.desired.values, record)
            ):
                return self._finish(step, record)
        return self._adopt(record)

    def send_creation(self, step: Step) -> tuple[Values, ApiError | None]:
        """The object, as ``create_once`` returns it. A failure says whose the name may be."""
        try:
            return create_once(self.api.client.retries(), lambda: self.create(step), self.look_up)
        except PlatformError as error:
            if self.stranger:
                error.add_sentence(
                    f"There is a {self.singular} of this name, which may be somebody else's:"
                    f" {describe(self.stranger)}."
                )
            elif isinstance(error, ApiError) and error.status == 409:
                is_alone = self.platform.workers == 1
                error.set_advice(CONFLICT_ADVICE if is_alone else CONFLICT_ADVICE_OF_SEVERAL)
            raise

    def _adopt(self, record: Values) -> Step:
        """Bring an object into the desired state that exists without a confirmed creation, and may
        be someone else's.

        Raises PlatformError under an approved plan if it differs, or is a team: all that is planned
        in it would be that person's.
        """
        step = self.plan_for(record)
        differs = step.is_change or self.fields.changed_values(self.desired.values, record)
        if self.platform.is_approved_plan and (not self.is_in_team or differs):
            raise PlatformError(
                f"Somebody else has created the {self.singular} {self.desired.name} since the plan."
                " Using or changing it was not approved. Plan again."
            )
        return self.apply(step)

    def _created_meanwhile(self) -> Values | None:
        """The object, if someone created it after the list was read on which the creation
        relies.
        """
        return self.match(self.platform.listing(type(self), self.scope, is_up_to_date=True))

    def _delete(self, step: Step) -> Step:
        """Delete the object, if it is still the same. If it was gone before, nothing changes."""
        from .deletion import delete_once  # few tasks delete

        is_change = delete_once(self, step.live, lambda: self.delete(step))
        self.platform.lists.record_deletion({**step.cascade, self.plural: [step.live]})
        return step if is_change else plan_nothing(None)

    def _finish(self, step: Step, record: Values) -> Step:
        """Finish a creation or a change, and record it. A failure comes after a write: the task is
        changed, and not tried again.
        """
        try:
            record = self.finish_write(step, record)
            self.check_team(record, step)
        except PlatformError as error:
            error.result = error.result or {"changed": True}
            raise
        lists = self.platform.lists
        if step.live:  # perhaps in the list of another scope
            lists.record_deletion({self.plural: [step.live]})
        lists.record_write(list_key(type(self), self.scope), record, self.also_changes)
        return dataclasses.replace(step, expected=record)

    def check_team(self, record: Values, step: Step) -> None:
        """Raises PlatformError for the object of a response if the service put it into another
        team: the next run would not find it, and create another one.
        """
        team = record.get("team_id")
        if not self.scope.team:
            is_new = self.is_in_team and step.action is Action.CREATE
            owner = self.owner_of(record) if is_new else self.scope
            if owner.team_id is None:
                return
            team = owner.slug
        elif self.scope.holds(record):
            return
        self.platform.lists.invalidate(self.plural)  # that of the other team lacks it
        raise PlatformError(
            f"team: the service put the {self.display_name()} {record.get(self.name_field)}"
            f" (id {record.get('id')}) into the team {team} instead of {self.scope}."
            f" Set team to {team}, or contact the service's operator.",
            result={"changed": True, self.singular: record},
        )
