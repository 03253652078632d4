# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One object that is to be deleted: looked at right before, and after the service refuses.

A list may be seconds old, so it finds the object, and one GET decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .._api.retries import LOOKUP_DELAYS
from .._errors import ApiError, PlatformError
from .desired_object import DesiredObject
from .fields import Values, is_same
from .kind import Kind
from .scope import OWN_SCOPE

# The statuses that say that there is no such object.
NOT_FOUND = (404, 410)


class Deletion:
    """``live``: the object as it was found."""

    def __init__(self, resource: DesiredObject, live: Values) -> None:
        self._resource = resource
        self._kind = type(resource)
        self._platform = resource.platform
        self._live = live
        # The options that must still hold.
        self._compared: Collection[str] = resource.desired.values
        if resource.is_in_plan:
            self._compared = {resource.name_field, *resource.references}
        self._is_shown = False

    def look(self) -> None:
        """Look at the object by one GET, if there is one. Raises PlatformError if it is another
        one by now, which a loop does not look for again, and ApiError for all but a refusal, which
        proves nothing.
        """
        record = self._platform.show(self._kind, self._kind.address(self._live))
        if record is None:
            return
        differences = " and ".join(self._differences(record))
        if differences:
            message = f"The {self._label} {differences} now. Nothing was deleted."
            raise PlatformError(message, result={"changed": False})
        self._is_shown = any(record[field] for field in ("id", self._kind.name_field))

    def confirm(self, refusal: ApiError) -> bool:
        """Whether a refused deletion, after which the object is gone, was a change. Raises
        ``refusal`` if the object is still there.
        """
        if not refusal.is_refusal:
            raise refusal
        if not self._is_gone(refusal) and self._is_listed(refusal):
            refusal.add_sentence(f"The list still shows the {self._label}.")
            refusal.result = {"changed": False}
            raise refusal
        return self._is_shown or refusal.follows_silence or self._kind.get_operation is None

    @property
    def _label(self) -> str:
        return self._kind.label(self._live[self._kind.name_field], None)

    def _differences(self, record: Values) -> Iterator[str]:
        """What the object is by now, if that is something else. What a response leaves out says
        nothing.
        """
        if record["id"] is not None and not is_same(record["id"], self._live["id"]):
            yield f"has the id {record['id']}"
        name = record[self._kind.name_field]
        if self._kind.name_field in self._compared and name and not self._is_name(name):
            yield f"is called {name}"
        for option, other in self._kind.references.items():
            other_id = record[f"{option}_id"]
            is_same_one = is_same(other_id, self._live[f"{option}_id"])
            if option in self._compared and other_id not in (None, "") and not is_same_one:
                yield f"belongs to the {option} {self._name_of(other, other_id)}"
        if self._kind.is_in_team and self._is_in_other_team(record):
            yield f"is in the team {self._name_of(self._kind.scope_kind, record['team_id'])}"

    def _is_name(self, name: str) -> bool:
        return self._kind.normalize(name) == self._kind.normalize(self._live[self._kind.name_field])

    def _name_of(self, kind: type[Kind] | None, record_id: object) -> object:
        """The name of the object with an ID, as far as a GET shows it."""
        record = self._platform.get(kind, record_id) if kind else None
        return record[kind.name_field] if kind and record else record_id

    def _is_in_other_team(self, record: Values) -> bool:
        team_id = record["team_id"]
        if not team_id or is_same(team_id, self._live["team_id"]):
            return False
        scope = self._resource.scope
        if scope.team:
            return not is_same(team_id, scope.team_id)
        return self._resource.owner_of(record) != OWN_SCOPE

    def _is_gone(self, refusal: ApiError) -> bool:
        """True if a GET says of what it has shown before that it is not there."""
        operation = self._kind.get_operation
        if operation is None or not self._is_shown or refusal.status not in NOT_FOUND:
            return False
        try:
            operation(self._platform.api, self._kind.address(self._live))
        except ApiError as error:
            return error.status in NOT_FOUND
        return False

    def _is_listed(self, refusal: ApiError) -> bool:
        """Whether the list shows the object. A list that is late is read again."""
        may_be_late = refusal.status in NOT_FOUND
        delays = LOOKUP_DELAYS if may_be_late else LOOKUP_DELAYS[:1]
        for seconds in delays:
            self._platform.api.client.clock.sleep(seconds)
            self._platform.lists.invalidate()
            record = self._resource.find()
            if record is None or not is_same(record["id"], self._live["id"]):
                return False
        return True
