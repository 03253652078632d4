# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One object that is to be deleted: looked at right before, and after the service refuses.

A list may be seconds old, so it finds the object, and one GET decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from .._api.retries import LOOKUP_DELAYS
from .._errors import ApiError, PlatformError
from .desired_object import DesiredObject
from .fields import Values, is_same
from .kind import Kind
from .platform import Platform

# The statuses that say that there is no such object.
NOT_FOUND = (404, 410)


def delete_once(resource: DesiredObject, live: Values, send: Callable[[], None]) -> bool:
    """Delete an object, as it was found, by ``send``. Returns whether that was a change: not if it
    was gone before.

    Raises PlatformError if it is another one by now, and ApiError if it is still there, or if that
    is unknown.
    """
    is_shown = _look(resource, live)
    try:
        send()
    except ApiError as refusal:
        if not refusal.is_refusal:
            raise
        is_gone = is_shown and _is_gone(resource, live, refusal)
        if not is_gone and _is_listed(resource, live, refusal):
            label = resource.label(live[resource.name_field])
            refusal.add_sentence(f"The list still shows the {label}.")
            refusal.result = {"changed": False}
            raise
        return is_shown or refusal.follows_silence or resource.get_operation is None
    return True


def _look(resource: DesiredObject, live: Values) -> bool:
    """Look at the object by one GET, if there is one: True if that shows it.

    Raises PlatformError if it is another one by now, which a loop does not look for again, and
    ApiError for all but a refusal, which proves nothing.
    """
    record = resource.platform.show(type(resource), resource.address(live))
    if record is None:
        return False
    differences = " and ".join(_differences(resource, live, record))
    if differences:
        label = resource.label(live[resource.name_field])
        message = f"The {label} {differences} now. Nothing was deleted."
        raise PlatformError(message, result={"changed": False})
    return any(record[field] for field in ("id", resource.name_field))


def _differences(resource: DesiredObject, live: Values, record: Values) -> Iterator[str]:
    """What the object is by now, if that is something else. What a response leaves out says
    nothing.
    """
    name_field = resource.name_field
    # The options that must still hold.
    compared: Collection[str] = resource.desired.values
    if resource.is_in_plan:
        compared = {name_field, *resource.references}
    if _is_other(record["id"], live["id"]):
        yield f"has the id {record['id']}"
    name = resource.normalize(record[name_field])
    if name_field in compared and _is_other(name, resource.normalize(live[name_field])):
        yield f"is called {record[name_field]}"
    for option, other in resource.references.items():
        other_id = record[f"{option}_id"]
        if option in compared and _is_other(other_id, live[f"{option}_id"]):
            yield f"belongs to the {option} {_name_of(other, other_id, resource.platform)}"
    if resource.scope_kind and _is_in_other_team(resource, live, record):
        team = _name_of(resource.scope_kind, record["team_id"], resource.platform)
        yield f"is in the team {team}"


def _is_other(shown: object, known: object) -> bool:
    return shown not in (None, "") and not is_same(shown, known)


def _name_of(kind: type[Kind], record_id: object, platform: Platform) -> object:
    """The name of the object with an ID, as far as a GET shows it."""
    record = platform.get(kind, record_id)
    return record[kind.name_field] if record else record_id


def _is_in_other_team(resource: DesiredObject, live: Values, record: Values) -> bool:
    if not _is_other(record["team_id"], live["team_id"]):
        return False
    return not resource.scope.holds(record) or resource.owner_of(record) != resource.scope


def _is_gone(resource: DesiredObject, live: Values, refusal: ApiError) -> bool:
    """True if a GET says of what it has shown before that it is not there."""
    operation = resource.get_operation
    if operation is None or refusal.status not in NOT_FOUND:
        return False
    try:
        operation(resource.api, resource.address(live))
    except ApiError as error:
        return error.status in NOT_FOUND
    return False


def _is_listed(resource: DesiredObject, live: Values, refusal: ApiError) -> bool:
    """Whether the list shows the object. A list that is late is read again."""
    may_be_late = refusal.status in NOT_FOUND
    delays = LOOKUP_DELAYS if may_be_late else LOOKUP_DELAYS[:1]
    for seconds in delays:
        resource.api.client.clock.sleep(seconds)
        resource.platform.lists.invalidate()
        record = resource.find()
        if record is None or not is_same(record["id"], live["id"]):
            return False
    return True
