# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service deletes with an object of a single task, as far as its lists show it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from ..._errors import ApiError
from ..._text import join_some
from ..fields import Values
from ..kind import Kind
from ..resource import Resource
from ..scope import Scope
from ..step import Cascade, Step
from .registry import KINDS, kinds_in_cascade

# How many names a warning shows of each kind.
MOST_NAMES = 3


def with_cascade(step: Step, resource: Resource) -> Step:
    """A planned deletion with what goes along, which is read."""
    cascade = {
        other.plural: _read_cascade(step, resource, other)
        for other in kinds_in_cascade(type(resource))
    }
    removed = {option: names for option, names in removed_names(cascade).items() if names}
    return dataclasses.replace(step, cascade=cascade, before={**step.before, **removed})


def removed_names(cascade: Cascade) -> Values:
    """The names of what goes along, as results."""
    removed: Values = {}
    for plural, records in cascade.items():
        field = KINDS[plural].name_field
        names = None if records is None else sorted(str(record[field]) for record in records)
        removed[f"removed_{plural}"] = names
    return removed


def cascade_warnings(step: Step, kind: type[Kind]) -> Iterator[str]:
    """What check mode says of a deletion, besides its diff."""
    label = f"{kind.display_name()} {step.live.get(kind.name_field)}"
    others = [
        _describe(KINDS[plural], step.before[f"removed_{plural}"])
        for plural, records in step.cascade.items()
        if records
    ]
    if others:
        *most, last = others
        objects = f"{', '.join(most)} and {last}" if most else last
        yield f"deleting the {label} would also delete {objects}."
    for plural, records in step.cascade.items():
        if records is None:
            yield (
                f"deleting the {label} may also delete {plural}: the service refuses their list,"
                " so it is unknown which."
            )


def _read_cascade(step: Step, resource: Resource, other: type[Resource]) -> list[Values] | None:
    """The objects of another kind that go along; None if the service refuses their list."""
    scope = resource.scope if resource.is_in_team else Scope(step.live)
    try:
        records = resource.platform.whole_listing(other, scope)
    except ApiError as error:
        if not error.is_refusal:
            raise
        return None
    condition = other.cascades_from[resource.plural]
    return [record for record in records if condition(step, record)]


def _describe(kind: type[Kind], names: Sequence[str]) -> str:
    return f"{len(names):,} {kind.display_name(len(names))} ({join_some(names, MOST_NAMES)})"
