# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ids by which a plan is approved, equal exactly for the same change of the same object."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from .._model.fields import Values
from .._model.platform import Platform
from .._model.scope import Scope
from .._model.step import Action
from .items.item import NOT_INVITED, TEAM_KIND, Item
from .items.plan import Plan

DEFAULT_PORTS = {"http": 80, "https": 443}
# How a reference counts, and by what: by an ID, or by the name of what the plan makes.
ReferenceVariant = tuple[str, str]


def platform_address(base_url: str) -> str:
    """The address of a platform in one form: the case of its host says nothing, nor does a slash at
    the end.
    """
    try:
        parts = urlsplit(base_url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:  # a plan file that somebody has edited
        return base_url
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}{parts.path.rstrip('/')}"


def read_user_id(plan: Plan, platform: Platform) -> str:
    """The ID of the token's user, who owns the own scope, if a step of that is pending; else
    ``""``. Raises ApiError.
    """
    pending = (item for item in plan.items if item.is_pending and item.kind.is_in_team)
    is_own = any(item.scope.team is None for item in pending)
    return str(platform.api.get_user()["id"]) if is_own else ""


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
        ids = [_digest(item, found, address) for found in _variants(item, user)]
        # The one that is approved, if one is; else the one by IDs.
        step_id = next((found for found in ids if approved and found in approved), ids[0])
        is_invitation = item.is_pending and item.step.action is Action.INVITE
        if is_invitation and approved is not None and step_id not in approved:
            item.skip(NOT_INVITED)
            item.step_id = None
        else:
            item.step_id = step_id


def _variants(item: Item, user: str) -> Iterator[Mapping[str, ReferenceVariant]]:
    """What the step refers to, in every variant that an approval may hold; first by id, where
    there is one.
    """
    references = {} if item.desired.is_absent else item.references
    for by_name in (False, True):
        variants = {
            option: _variant_of(other, by_name=by_name) for option, other in references.items()
        }
        if item.kind.is_in_team:
            variants[TEAM_KIND.singular] = _variant_of_scope(item.latest_scope, user)
        yield variants


def _variant_of(item: Item, *, by_name: bool) -> ReferenceVariant:
    """Only what an entry declares counts by its name, too."""
    record = item.latest_record
    if record.get("id") is None or (by_name and item.entry):
        return "planned", item.kind.normalize(str(record.get(item.kind.name_field) or ""))
    return "id", str(record["id"])


def _variant_of_scope(scope: Scope, user: str) -> ReferenceVariant:
    if scope.team is None:
        return "user", user
    if scope.is_planned:
        return "planned", scope.slug
    return "id", str(scope.team_id)


def _digest(item: Item, references: Mapping[str, ReferenceVariant], address: str) -> str:
    """Of all that is changed and where, and of nothing that is only presentation."""
    step = item.step
    counted_by_id = (*item.kind.references, TEAM_KIND.singular)
    after = {option: value for option, value in step.changes.items() if option not in counted_by_id}
    before = {
        option: value for option, value in step.before.items() if option != TEAM_KIND.singular
    }
    parts = [
        address,
        item.kind.plural,
        references,
        None if step.live.get("id") is None else str(step.live["id"]),
        item.kind.normalize(step.live.get(item.kind.name_field) or item.name),
        step.action.value,
        _with_empty_as_null(
            {**before, **_values_of_other_steps(item)}, keep_empty=step.action is Action.UPDATE
        ),
        _with_empty_as_null(after, keep_empty=True),
        sorted(other.key for other in item.cascade),
    ]
    # JSON's keys are text, which can be sorted.
    text = json.dumps(json.loads(json.dumps(parts)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _values_of_other_steps(item: Item) -> Values:
    """Replacements for values that other steps of the same plan may change, so that a repeated run
    computes the same step id: what it refers to counts by its id, and for a deletion, fields that
    are objects do not count.
    """
    values: Values = {
        option: str(item.live[f"{option}_id"])
        for option in item.kind.references
        if option in item.step.before
    }
    if item.step.is_deletion:
        values |= dict.fromkeys(item.kind.embeds)
    return values


def _with_empty_as_null(values: Values, *, keep_empty: bool) -> dict[str, Any]:
    """Null, the empty string and a missing value are equal. All that is sent counts, and what it
    replaces.
    """
    filled = {option: None if value == "" else value for option, value in values.items()}
    return {option: value for option, value in filled.items() if value is not None or keep_empty}
