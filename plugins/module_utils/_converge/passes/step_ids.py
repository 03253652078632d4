# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 7, identify: the ids by which a plan is approved, equal exactly for the same change of the same object."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from ..._model.fields import Values
from ..._model.platform import Scope
from ..._model.step import Action
from ..blueprint.options import BlueprintOptions
from ..change import TEAM_KIND, Change, Changes, Reference
from .read import Snapshot

DEFAULT_PORTS = {"http": 80, "https": 443}
ReferenceVariant = tuple[str, str]


def assign_step_ids(changes: Changes, snapshot: Snapshot, options: BlueprintOptions, user: str) -> Changes:
    """Give every pending change its step id. References count by ID; what this plan creates counts by its name until it
    exists. The step id by name stays valid as long as an entry declares the object, but not for a team: its slug is the
    whole platform's, and anybody may have taken it. ``user``: the ID of the token's user, who owns the own scope.
    """
    address = _address(snapshot.platform.api.base_url)

    def id_of(change: Change) -> str:
        digests = [_digest(address, change, references) for references in _reference_variants(change, user)]
        return next((digest for digest in digests if digest in (options.approved or ())), digests[0])

    return tuple(
        replace(change, step_id=id_of(change))
        if (change.is_pending or change.step_id) and not change.applied
        else change
        for change in changes
    )


def _reference_variants(change: Change, user: str) -> Iterator[dict[str, ReferenceVariant]]:
    """What the step refers to, in every variant that an approval may hold; first by id, where there is one."""
    references = {} if change.desired.is_absent else dict(change.references)
    variants = {option: _variants_of(reference) for option, reference in references.items()}
    if change.kind.is_in_team:
        variants[TEAM_KIND.singular] = _variants_of_scope(change.scope, user)
    for combination in itertools.product(*variants.values()):
        yield dict(zip(variants, combination))


def _variants_of(reference: Reference) -> list[ReferenceVariant]:
    by_id = [] if reference.id is None else [("id", reference.id)]
    return [*by_id, *([("planned", reference.kind.normalize(reference.name))] if reference.key else [])]


def _variants_of_scope(scope: Scope, user: str) -> list[ReferenceVariant]:
    if scope.team is None:
        return [("user", user)]
    return [("planned", scope.slug) if scope.is_planned else ("id", str(scope.team_id))]


def _digest(address: str, change: Change, reference_variants: dict[str, ReferenceVariant]) -> str:
    """Of all that is changed and where, and of nothing that is only presentation."""
    step = change.step
    is_update = step.action is Action.UPDATE
    by_id = (*change.kind.references, TEAM_KIND.singular)
    after = {option: value for option, value in step.changes.items() if option not in by_id}
    before = {option: value for option, value in step.before.items() if option != TEAM_KIND.singular}
    parts = [
        address,
        change.kind.plural,
        reference_variants,
        None if step.live.get("id") is None else str(step.live["id"]),
        change.kind.normalize(step.live.get(change.kind.name_field) or change.name),
        step.action.value,
        change.moved_from and str(change.moved_from.team_id),
        _normal({**before, **_interruption_safe_values(change)}, keep_empty=is_update),
        _normal(after, keep_empty=True),
        sorted(obj.key for obj in change.cascade),
    ]
    text = json.dumps(json.loads(json.dumps(parts)), sort_keys=True)  # JSON's keys are text, which can be sorted
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _interruption_safe_values(change: Change) -> Values:
    """Replacements for values that other steps of the same plan may change, so that a repeated run computes the same
    step id.

    What it refers to counts by its id; for a deletion, fields that are objects by themselves do not count.
    """
    live, kind = change.live, change.kind
    reference_ids = {option: str(live[f"{option}_id"]) for option in kind.references if option in change.step.before}
    return {**reference_ids, **(dict.fromkeys(kind.embeds) if change.step.is_deletion else {})}


def _address(base_url: str) -> str:
    parts = urlsplit(base_url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}{parts.path.rstrip('/')}"


def _normal(values: Values, keep_empty: bool = False) -> dict[str, Any]:
    """Null, the empty string and a missing value are equal. All that is sent counts, and what it replaces."""
    filled = {option: None if value == "" else value for option, value in values.items()}
    return {option: value for option, value in filled.items() if value is not None or keep_empty}
