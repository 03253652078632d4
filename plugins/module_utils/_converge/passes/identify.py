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
from ..blueprint.options import Options
from ..change import SCOPE, Change, Changes, Ref
from .read import Lists

DEFAULT_PORTS = {"http": 80, "https": 443}
Reference = tuple[str, str]


def identify(changes: Changes, lists: Lists, options: Options, user: str) -> Changes:
    """Give every pending change its step ID. References count by ID; what this plan creates counts by its name until it
    exists. The step ID by name stays valid as long as an entry declares the object, but not for a team: its slug is the
    whole platform's, and anybody may have taken it. ``user``: the ID of the token's user, who owns the own scope.
    """
    address = _address(lists.platform.api.http.connection.base_url)

    def id_of(change: Change) -> str:
        forms = [_digest(address, change, references) for references in _references(change, user)]
        return next((form for form in forms if form in (options.approved or ())), forms[0])

    return tuple(
        replace(change, id=id_of(change)) if (change.is_pending or change.id) and not change.done else change
        for change in changes
    )


def _references(change: Change, user: str) -> Iterator[dict[str, Reference]]:
    """What the step refers to, in every form that an approval may hold; first by id, where there is one."""
    refs = {} if change.wanted.is_absent else dict(change.refs)
    forms = {option: _forms_of(ref) for option, ref in refs.items()}
    if change.kind.is_in_team:
        forms[SCOPE.singular] = _forms_of_scope(change.scope, user)
    for chosen in itertools.product(*forms.values()):
        yield dict(zip(forms, chosen))


def _forms_of(ref: Ref) -> list[Reference]:
    by_id = [] if ref.id is None else [("id", ref.id)]
    return [*by_id, *([("planned", ref.kind.form(ref.name))] if ref.key else [])]


def _forms_of_scope(scope: Scope, user: str) -> list[Reference]:
    if scope.team is None:
        return [("user", user)]
    return [("planned", scope.slug) if scope.is_planned else ("id", str(scope.team_id))]


def _digest(address: str, change: Change, references: dict[str, Reference]) -> str:
    """Of all that is changed and where, and of nothing that is only presentation."""
    step = change.step
    is_update = step.action is Action.UPDATE
    by_id = (*change.kind.references, SCOPE.singular)
    after = {option: value for option, value in step.changes.items() if option not in by_id}
    before = {option: value for option, value in step.before.items() if option != SCOPE.singular}
    parts = [
        address,
        change.kind.plural,
        references,
        None if step.live.get("id") is None else str(step.live["id"]),
        change.kind.form(step.live.get(change.kind.name_field) or change.name),
        step.action.value,
        change.origin and str(change.origin.team_id),
        _normal({**before, **_steady(change)}, keep_empty=is_update),
        _normal(after, keep_empty=True),
        sorted(thing.key for thing in change.along),
    ]
    text = json.dumps(json.loads(json.dumps(parts)), sort_keys=True)  # JSON's keys are text, which can be sorted
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _steady(change: Change) -> Values:
    """Forms of what is replaced that other steps of the plan do not change, so that an id survives an interruption.

    What it refers to counts by its id; for a deletion, fields that are objects by themselves do not count.
    """
    live, kind = change.live, change.kind
    refs = {option: str(live[f"{option}_id"]) for option in kind.references if option in change.step.before}
    return {**refs, **(dict.fromkeys(kind.embeds) if change.step.is_deletion else {})}


def _address(base_url: str) -> str:
    parts = urlsplit(base_url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}{parts.path.rstrip('/')}"


def _normal(values: Values, keep_empty: bool = False) -> dict[str, Any]:
    """Null, the empty string and a missing value are equal. All that is sent counts, and what it replaces."""
    filled = {option: None if value == "" else value for option, value in values.items()}
    return {option: value for option, value in filled.items() if value is not None or keep_empty}
