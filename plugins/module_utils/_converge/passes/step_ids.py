# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 9, identify: the ids by which a plan is approved, equal exactly for the same change of the
same object.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from ..._model.fields import Values
from ..._model.scope import Scope
from ..._model.step import Action
from ..blueprint.options import BlueprintOptions
from ..plan.change import NOT_INVITED, Change, Changes
from ..plan.objects import TEAM_KIND, Reference

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


def assign_step_ids(
    changes: Changes, base_url: str, user: str, options: BlueprintOptions
) -> Changes:
    """Give every pending change its step id.

    References count by ID; what this plan creates counts by its name until it exists. The step id
    by name stays valid as long as an entry declares the object, but not for a team: its slug is the
    whole platform's, and anybody may have taken it. ``user``: the ID of the token's user, who owns
    the own scope.
    """
    identifier = _Identifier(base_url, user, options)
    return tuple(identifier.identified(change) for change in changes)


def skip_unapproved_invitations(changes: Changes, options: BlueprintOptions) -> Changes:
    """Skip the invitations that the approval does not list: they may have been sent by a run that
    was interrupted.
    """
    approved = options.approved
    if approved is None:
        return changes
    return tuple(
        replace(change, skip_reason=NOT_INVITED, step_id=None)
        if change.is_pending
        and change.step.action is Action.INVITE
        and change.step_id not in approved
        else change
        for change in changes
    )


class _Identifier:
    """Computes step ids for one platform and one user."""

    def __init__(self, base_url: str, user: str, options: BlueprintOptions) -> None:
        self._address = platform_address(base_url)
        self._user = user
        self._approved = options.approved or frozenset()

    def identified(self, change: Change) -> Change:
        is_left = change.is_pending or change.step_id is not None
        if change.applied or not is_left:
            return change
        return replace(change, step_id=self._id_of(change))

    def _id_of(self, change: Change) -> str:
        """The id that is approved, if one is; else the one by IDs."""
        digests = [self._digest(change, variant) for variant in self._reference_variants(change)]
        for digest in digests:
            if digest in self._approved:
                return digest
        return digests[0]

    def _reference_variants(self, change: Change) -> Iterator[dict[str, ReferenceVariant]]:
        """What the step refers to, in every variant that an approval may hold; first by id, where
        there is one.
        """
        variants: dict[str, list[ReferenceVariant]] = {}
        if not change.desired.is_absent:
            variants |= {
                option: _variants_of(reference) for option, reference in change.references.items()
            }
        if change.kind.is_in_team:
            variants[TEAM_KIND.singular] = [self._variant_of_scope(change.scope)]
        for position in (0, -1):
            yield {option: found[position] for option, found in variants.items()}

    def _variant_of_scope(self, scope: Scope) -> ReferenceVariant:
        if scope.team is None:
            return "user", self._user
        if scope.is_planned:
            return "planned", scope.slug
        return "id", str(scope.team_id)

    def _digest(self, change: Change, reference_variants: dict[str, ReferenceVariant]) -> str:
        """Of all that is changed and where, and of nothing that is only presentation."""
        step = change.step
        counted_by_id = (*change.kind.references, TEAM_KIND.singular)
        after = {
            option: value for option, value in step.changes.items() if option not in counted_by_id
        }
        before = {
            option: value for option, value in step.before.items() if option != TEAM_KIND.singular
        }
        parts = [
            self._address,
            change.kind.plural,
            reference_variants,
            None if step.live.get("id") is None else str(step.live["id"]),
            change.kind.normalize(step.live.get(change.kind.name_field) or change.name),
            step.action.value,
            _with_empty_as_null(
                {**before, **_values_of_other_steps(change)},
                keep_empty=step.action is Action.UPDATE,
            ),
            _with_empty_as_null(after, keep_empty=True),
            sorted(obj.key for obj in change.cascade),
        ]
        text = json.dumps(
            json.loads(json.dumps(parts)), sort_keys=True
        )  # JSON's keys are text, which can be sorted
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def _variants_of(reference: Reference) -> list[ReferenceVariant]:
    variants = []
    if reference.id is not None:
        variants.append(("id", reference.id))
    if reference.key:
        variants.append(("planned", reference.kind.normalize(reference.name)))
    return variants


def _values_of_other_steps(change: Change) -> Values:
    """Replacements for values that other steps of the same plan may change, so that a repeated run
    computes the same step id: what it refers to counts by its id, and for a deletion, fields that
    are objects do not count.
    """
    values: Values = {
        option: str(change.live[f"{option}_id"])
        for option in change.kind.references
        if option in change.step.before
    }
    if change.step.is_deletion:
        values |= dict.fromkeys(change.kind.embeds)
    return values


def _with_empty_as_null(values: Values, *, keep_empty: bool) -> dict[str, Any]:
    """Null, the empty string and a missing value are equal. All that is sent counts, and what it
    replaces.
    """
    filled = {option: None if value == "" else value for option, value in values.items()}
    return {option: value for option, value in filled.items() if value is not None or keep_empty}
