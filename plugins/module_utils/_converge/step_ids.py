# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ids by which a plan is approved, equal exactly for the same change of the same object."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import urlsplit

from .._model.fields import Values
from .._model.scope import Scope
from .._model.step import Action
from .items.item import NOT_INVITED, Item
from .items.plan import Plan

# How something counts, and by what: by an ID, or by the name of what the plan makes.
Identity = tuple[str, str]


def platform_address(base_url: str) -> str:
    """The address of a platform in one form: the case of its host says nothing, nor does a slash at
    the end.
    """
    try:
        parts = urlsplit(base_url)
    except ValueError:  # a plan file that somebody has edited
        return base_url
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def read_user_id(plan: Plan) -> str:
    """The ID of the token's user, who owns the own scope, if a step of that is pending; else
    ``""``. Raises ApiError.
    """
    is_own = any(
        item.is_pending and item.kind.is_in_team and item.scope.team is None for item in plan.items
    )
    return str(plan.platform.api.get_user()["id"]) if is_own else ""


def identify(plan: Plan, user: str) -> None:
    """Set the step ID of every item that is pending or, after the run, was left.

    References count by ID; what this plan creates counts by its name until it exists. The step id
    by name stays valid as long as an entry declares the object, but not for a team: its slug is the
    whole platform's, and anybody may have taken it. An invitation that the approval does not list
    is skipped: it may have been sent by a run that was interrupted.
    """
    address = platform_address(plan.platform.api.base_url)
    approved = plan.options.approved
    for item in plan.items:
        if item.applied or not (item.is_pending or item.step_id):
            continue
        item.step_id = _digest(item, address, user, by_name=False)
        if approved is None or item.step_id in approved:
            continue
        step_id = _digest(item, address, user, by_name=True)
        if step_id in approved:
            item.step_id = step_id
        elif item.is_pending and item.step.action is Action.INVITE:
            item.skip_reason = NOT_INVITED
            item.step_id = None


def _digest(item: Item, address: str, user: str, *, by_name: bool) -> str:
    """Of all that is changed and where, and of nothing that is only presentation.

    Values that other steps of the plan may change do not count, so that a repeated run computes the
    same: what is referred to counts by its ID, and for a deletion, fields that are objects do not
    count.
    """
    step = item.step
    before = dict(step.before)
    after = dict(step.changes)
    references = {}
    for option in item.kind.references:
        after.pop(option, None)
        if option in before:
            before[option] = str(item.live[f"{option}_id"])
        if option in item.references and not item.desired.is_absent:
            references[option] = _identity_of(item.references[option], by_name=by_name)
    if step.is_deletion:
        before |= dict.fromkeys(item.kind.embeds)
    parts = [
        address,
        item.kind.plural,
        _identity_of_scope(item.latest_scope, user) if item.kind.is_in_team else None,
        references,
        None if step.live.get("id") is None else str(step.live["id"]),
        item.kind.normalize(step.live.get(item.kind.name_field) or item.name),
        step.action.value,
        _with_empty_as_null(before),
        _with_empty_as_null(after),
        sorted(other.key for other in item.cascade),
    ]
    # JSON's keys are text, which can be sorted.
    text = json.dumps(json.loads(json.dumps(parts)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _identity_of(item: Item, *, by_name: bool) -> Identity:
    """Only what an entry declares counts by its name, too."""
    record = item.latest_record
    record_id = None if by_name and item.entry else record.get("id")
    return _identity(record_id, item.kind.normalize(record.get(item.kind.name_field)))


def _identity_of_scope(scope: Scope, user: str) -> Identity:
    return _identity(scope.team_id, scope.slug) if scope.team else ("user", user)


def _identity(record_id: Any, name: str) -> Identity:
    return ("planned", name) if record_id is None else ("id", str(record_id))


def _with_empty_as_null(values: Values) -> Values:
    """Null, the empty string and a missing value are equal."""
    return {option: None if value == "" else value for option, value in values.items()}
