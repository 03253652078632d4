# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that two objects would bear: two entries declare them, or an object of another scope, or
another object of this one, has them and keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.scope import NOBODYS
from ..blueprint.declared_names import Name, desired_names
from ..plan.change import Change
from ..plan.names import (
    acquired_names,
    embedded_objects,
    name_as_written,
    released_names,
    unique_name,
)
from ..plan.objects import LiveObject, reference_id
from ..plan.plan import Plan


def declarations_of(change: Change) -> Iterator[tuple[type[Kind], str, Any]]:
    """The names that an entry declares, with what bears each: its own, and those of its fields that
    are objects.
    """
    if change.entry is None:
        return
    referenced = next((other.id_or_key for other in change.references.values()), change.id_or_key)
    for kind, name, field in desired_names(change.entry):
        if field and change.desired.is_create_only and change.live:
            continue
        yield kind, name, change.id_or_key if field else referenced


def find_names_with_two_bearers(plan: Plan) -> Iterator[str]:
    """Names that two entries declare for different objects, which would take them from each other
    in every run.
    """
    first: dict[Name, tuple[Change, Any]] = {}
    for change in plan.changes:
        for kind, name, bearer in declarations_of(change):
            if not kind.is_unique_on_platform:
                continue
            other, other_bearer = first.setdefault(
                unique_name(kind, change.scope, name), (change, bearer)
            )
            if other_bearer != bearer and (_takes_names(change) or _takes_names(other)):
                both = f"{other.label} and {change.label}"
                yield (
                    f"{both} declare the {kind.singular} {name} for different objects. Remove it"
                    " from one of them."
                )


def _takes_names(change: Change) -> bool:
    return change.is_pending and (bool(change.references) or bool(acquired_names(change)))


def find_names_borne_elsewhere(plan: Plan) -> Iterator[str]:
    """Names that belong to an object of another scope, or to another object of this one, and are
    not given up.
    """
    released: set[Name] = set()
    for change in plan.writes:
        released |= released_names(change)
    for change in plan.writes:
        for name in sorted(acquired_names(change) - released, key=str):
            bearer = _bearer_of(name, change, plan)
            if bearer:
                taken = f"{KINDS[name.kind].singular} {name_as_written(change, name)}"
                yield (
                    f"{change.label} would take the {taken} from {_describe_bearer(bearer, plan)}."
                    " Remove it there first, or declare it there instead."
                )


def find_objects_of_other_scopes(plan: Plan) -> Iterator[str]:
    """Objects that a team's entry would change although they belong to another scope: what they
    refer to was moved from there, and they stayed.
    """
    for change in plan.writes:
        obj = change.live_object
        if not obj or not change.kind.is_in_team or not change.scope.team:
            continue
        if obj.scope != change.scope:
            yield (
                f"{change.label} would take the {change.kind.singular} {obj.name}"
                f" {_describe_scope(obj)}."
                " Delete it there first."
            )


def _bearer_of(name: Name, change: Change, plan: Plan) -> LiveObject | None:
    """The object that bears a name which a change would take, or that has it as a field."""
    kind = KINDS[name.kind]
    if not kind.is_unique_on_platform:
        return None
    for obj in plan.snapshot.named(kind, name.text):
        if obj.scope != change.scope or not _may_be_given_to(change, obj):
            return obj
    for other in KINDS.values():
        if kind.plural not in other.embeds.values():
            continue
        for obj in plan.snapshot.of_kind(other):
            if _embeds(obj, name) and _blocks(obj, change):
                return obj
    return None


def _may_be_given_to(change: Change, obj: LiveObject) -> bool:
    """True if a change may take over an object of its scope: by an entry of that object, which
    shows from where, but not as a field, which cannot show it.
    """
    if obj.kind is change.kind:
        return True
    return any(
        kind is change.kind and reference_id(obj, option) == change.id_or_key
        for option, kind in obj.kind.references.items()
    )


def _embeds(obj: LiveObject, name: Name) -> bool:
    found = embedded_objects(obj.kind, obj.record)
    return any(
        kind.plural == name.kind and kind.normalize(value) == name.text
        for _field, kind, value in found
    )


def _blocks(obj: LiveObject, change: Change) -> bool:
    """True if an object keeps its field from a change: it is in another scope, or another object of
    the same kind.
    """
    if obj.scope != change.scope:
        return True
    return obj.kind is change.kind and obj.id != change.id_or_key


def _describe_bearer(obj: LiveObject, plan: Plan) -> str:
    for option, kind in obj.kind.references.items():
        referenced = _referenced(obj, option, plan)
        name = referenced.name if referenced else reference_id(obj, option)
        return f"the {kind.singular} {name} {_describe_scope(obj)}"
    return f"the {obj.kind.singular} {obj.name} {_describe_scope(obj)}"


def _describe_scope(obj: LiveObject) -> str:
    return "of another scope" if obj.scope == NOBODYS else f"of {obj.scope}"


def _referenced(obj: LiveObject, option: str, plan: Plan) -> LiveObject | None:
    """What an object refers to, as far as a list or a GET has shown it."""
    key = (obj.kind.references[option].plural, reference_id(obj, option))
    shown = (other for other in plan.snapshot.known_objects if other.key == key)
    return next(shown, None)
