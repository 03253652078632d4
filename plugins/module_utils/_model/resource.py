# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One wanted object: finding it, planning for it, carrying a plan out."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence

from .._api.retries import create_once
from .._errors import ApiError, Outcome, PlatformError
from .._text import some_of
from .fields import Values
from .kind import Kind, Wanted
from .listing import Listing
from .platform import REMOVE_OTHERS, Platform, Scope, described, list_key, sole
from .step import Action, Done, Step, plan_absent, plan_nothing, plan_present


class Resource(Kind):
    """One wanted object in its scope. Subclasses define how it is matched, and how it is written.

    ``create`` and ``update`` send a step, and return the object of the answer and the object afterwards; ``delete``
    sends a deletion.

    There are two ways to read it, which prove different things: ``find`` (the whole list, which may be cached: that it
    exists, uniquely, or does not) and ``look`` (the list, read again).
    """

    create: Callable[[Step], Values]
    update: Callable[[Step], Values]
    delete: Callable[[Step], None]

    def __init__(
        self, wanted: Wanted, platform: Platform, scope: Scope, referred: Mapping[str, Values] | None = None
    ) -> None:
        self.wanted = wanted
        self.platform = platform
        self.api = platform.api
        self.scope = scope
        self.referred = dict(referred or {})

    def plan(self) -> Step:
        """Read the live state, and determine the required step."""
        return self.plan_for(self.find())

    def plan_for(self, live: Values | None) -> Step:
        """The required step, given the live object. Raises PlatformError if the object can only be read here, because
        it belongs to a team and the list without a team mixes those of several.
        """
        step = self.decide(live)
        is_write = step.is_change and step.live
        team_id = self.platform.read_only_team(type(self), self.scope, step.live) if is_write else None
        if team_id is not None:
            raise PlatformError(
                f"team: {self.singular} {step.live[self.name_field]} belongs to the team {team_id}. Without team, the"
                f" service lists the {self.plural} of several teams, which can only be read. Set team to {team_id}."
            )
        return step

    def decide(self, live: Values | None) -> Step:
        """The step by the object alone."""
        if self.wanted.is_absent:
            return plan_absent(self.fields, live)
        if self.wanted.is_exists and live is not None:
            return plan_nothing(live)
        known = {"team_id": self.scope.team_id} if self.is_in_team else {}
        is_resent = self.wanted.options.get("write_only_fields") == "always"
        return plan_present(self.fields, self._values_for(live), live, known, is_resent)

    def former(self, items: Listing) -> Values | None:
        """The object that is to be moved from another scope, among those that exist there. Raises like ``match``."""
        wanted = dataclasses.replace(self.wanted, name=None) if self.wanted.id else self.wanted
        return type(self)(wanted, self.platform, self.scope).match(items)

    def plan_move(self, live: Values, origin: Scope) -> Step:
        """The step that moves an object from another scope, and brings it into the wanted state."""
        step = self.decide(live)
        return Step(
            Action.UPDATE,
            live,
            expected={**step.expected, "team_id": self.scope.team_id},
            changes={**step.changes, "team": self.scope.slug},
            before={**step.before, "team": origin.slug},
            origin=origin.team,
        )

    def _values_for(self, live: Values | None) -> Values:
        """The target values, and for an existing object the empty ones of fields that were not given."""
        is_reset = live and self.wanted.options.get("unlisted_fields") == "clear"
        unlisted = [option for option in self.fields.resettable if option not in self.wanted.values]
        return {**dict.fromkeys(unlisted if is_reset else (), ""), **self.wanted.values}

    def apply(self, step: Step, is_held_to_plan: bool = False) -> Done:
        """Carry out the step.

        ``is_held_to_plan``: an object created by someone else in the meantime is not changed, as that was not planned.
        """
        if step.action is Action.CREATE:
            return self._create(step, is_held_to_plan)
        if step.action is Action.UPDATE:
            return self._wrote(step, self.update(step))
        if step.action is Action.DELETE:
            self._delete(step)
            return self._wrote(step, {})
        return Done(step, step.live, changed=False)

    def find(self) -> Values | None:
        """The object, proven by whole lists. Raises PlatformError if several match."""
        return self.match(self.with_shown(self.platform.listing(type(self), self.scope)))

    def with_shown(self, items: Listing) -> Listing:
        """The listed objects, and those that may be the wanted one and that the service shows only by themselves."""
        return items

    def match(self, items: Listing) -> Values | None:
        """The matching object among all that exist; raises PlatformError if the match is not certain."""
        live, earlier = self.named(items), self.named_before(items)
        if not earlier:
            return live
        if live is not None or len(earlier) > 1:
            raise PlatformError(self.both_exist([live, *earlier] if live else earlier))
        return self.addressable(earlier[0], items)

    def named(self, items: Listing) -> Values | None:
        """The object with the wanted name."""
        return sole(self.name_field, self.wanted.name, items, {self.name_field: self.form}, REMOVE_OTHERS)

    def named_before(self, items: Listing) -> list[Values]:
        """The objects with one of the earlier names."""
        found = (sole("previously", name, items, {self.name_field: self.form}) for name in self.wanted.previously)
        return [item for item in found if item is not None]

    def both_exist(self, items: Sequence[Values]) -> str:
        """The message for refusing to rename one of several objects."""
        listed = " and ".join(f"{item[self.name_field]} ({described(item)})" for item in items)
        return (
            f"previously: {listed} both exist. Only one of them can be the {self.singular} {self.wanted.name}. Delete"
            " or rename the other, or remove its name from previously."
        )

    def addressable(self, live: Values, _items: Listing) -> Values:
        """The object, if a request can address it unambiguously; raises PlatformError if not."""
        return live

    def look(self) -> Values | None:
        """The object that a creation would have made, if it exists after all; bypasses the cache."""
        self.platform.lists.forget()
        return self.find()

    def read_again(self, live: Values) -> Values | None:
        """The object with this one's id, from the list, read again."""
        self.platform.lists.forget(self.plural)
        found = self.platform.listing(type(self), self.scope).where("id", live["id"])
        return found[0] if found else None

    def complete(self, _step: Step, item: Values) -> Values:
        """Send what a creation cannot include; returns the object afterwards."""
        return item

    def remarks(self, _step: Step) -> Values:
        """Additional results of the module, besides the object."""
        return {}

    def not_compared(self, step: Step) -> list[str]:
        """The given options that cannot be compared with the live values, and that the step does not send."""
        if self.wanted.is_absent:
            return []
        given = (option for option in self.unshown if self.wanted.options.get(option) not in (None, {}))
        return [option for option in given if option not in step.changes]

    def is_unscoped_creation(self, step: Step) -> bool:
        """Return whether the object is created in the own scope without this having been requested."""
        is_unscoped = self.is_in_team and self.scope.team is None and not self.wanted.is_in_own_scope
        return is_unscoped and step.action is Action.CREATE

    @staticmethod
    def is_generated(_live: Values, _platform: Platform, _scope: Scope) -> bool:
        """Return whether the service created the object itself, so that it is never declared or deleted on its own."""
        return False

    def _create(self, step: Step, is_held_to_plan: bool) -> Done:
        item = self._created_meanwhile()
        if item is not None:
            return self._adopt(item, is_held_to_plan)
        item, lost = create_once(self.api.http.retries(), lambda: self.create(step), self.look)
        if lost is None or (
            lost.outcome is not Outcome.REFUSED and not self.fields.differing(self.wanted.values, item)
        ):
            with after_a_write():
                return self._wrote(step, self.complete(step, item))
        return self._adopt(item, is_held_to_plan)

    def _adopt(self, item: Values, is_held_to_plan: bool) -> Done:
        """Bring an object into the wanted state that exists without a confirmed creation, and may be someone else's.

        Raises PlatformError under an approved plan if it differs, or is a team: all that is planned in it would be that
        person's.
        """
        step = self.plan_for(item)
        if is_held_to_plan and (self.is_scope or step.is_change or self.fields.differing(self.wanted.values, item)):
            raise PlatformError(
                f"Somebody else has created the {self.singular} {self.wanted.name} since the plan. Using or changing it"
                " was not approved. Plan again."
            )
        return self.apply(step)

    def _created_meanwhile(self) -> Values | None:
        """The object, if someone created it after the list was read on which the creation relies."""
        return self.match(self.platform.listing_by_now(type(self), self.scope))

    def _delete(self, step: Step) -> None:
        """A refusal may mean that the object is already gone, perhaps by this very request: the list decides."""
        try:
            self.delete(step)
        except ApiError as error:
            if error.outcome is not Outcome.REFUSED or error.status == 401:
                raise
            self.platform.lists.forget()
            if self.find() is not None:
                raise

    def _wrote(self, step: Step, item: Values) -> Done:
        item = self.in_scope(item)
        if step.origin:
            self.platform.lists.wrote(list_key(type(self), Scope(step.origin)), step.live, None)
        self.platform.lists.wrote(list_key(type(self), self.scope), step.live, item, self.touches)
        return Done(step, item or step.live, changed=True)

    def in_scope(self, item: Values) -> Values:
        """The object of an answer, which must be in the wanted team: else each run would create another one."""
        if self.scope.holds(item):
            return item
        raise PlatformError(
            f"team: the service put the {self.in_words()} {item.get('id')} into the team"
            f" {item['team_id']}, not into {self.scope} ({self.scope.team_id}). Ask its operator.",
            result={"changed": True, self.singular: item},
        )


@contextlib.contextmanager
def after_a_write() -> Iterator[None]:
    """A block whose failures come after a write, so that the task has changed something, and is not tried again."""
    try:
        yield
    except PlatformError as error:
        error.result = error.result or {"changed": True}
        raise


def no_team_given(names: Sequence[str]) -> str:
    """The warning about objects that are created without an explicit team."""
    return (
        f"No team is set, so these objects are created in your own scope: {some_of(names)}. Set team, or"
        " own_scope: true if this is intended."
    )
