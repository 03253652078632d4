# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an entry declares is not deleted with something else: the next run would create it again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import kinds_in_cascade
from ..._model.step import Step
from ..blueprint.declared_names import desired_names
from ..items.item import NOT_SELECTED, Item, deletion_of
from ..items.names import unique_name
from ..items.plan import Plan


def declarations_of(item: Item) -> Iterator[tuple[type[Kind], str, Any]]:
    """The names that an entry declares, with what bears each: its own, and those of its fields that
    are objects.
    """
    if item.entry is None:
        return
    bearer = next((other.key for other in item.references.values()), item.key)
    for kind, name, field in desired_names(item.entry):
        if field and item.desired.is_create_only and item.live:
            continue
        yield kind, name, item.key if field else bearer


def find_declared(plan: Plan) -> Iterator[str]:
    """Declared objects that go along with a deletion, or are deleted as another object's field."""
    declared: dict[object, Item] = {}
    for item in plan.items:
        # The guard ``only`` reports what is not selected.
        if item.is_declared and item.skip_reason != NOT_SELECTED:
            declared[item.key] = item
        for kind, name, _bearer in declarations_of(item):
            declared[unique_name(kind, item.scope, name)] = item
    for item in plan.deletions:
        other = declared.get(unique_name(item.kind, item.scope, item.name))
        if other and other is not item and other.kind is not item.kind:
            yield f"{item.label} would be deleted, but {other.label} declares it."
    for item, gone in plan.cascades:
        other = declared.get(gone.key)
        if item.is_deletion and other is None:
            other = declared.get(unique_name(gone.kind, gone.owner, gone.name))
        if other and other is not item:
            yield f"{item.describe_cascade(gone)}, but {other.label} declares it."


def find_declared_unlisted(plan: Plan) -> Iterator[str]:
    """Deletions that would take along what no list shows by now, but an entry declares."""
    unlisted = _Unlisted(plan)
    for item in plan.deletions:
        causes: list[tuple[type[Kind], Step]] = []
        if item.kind.is_in_team:  # what is in a deleted team is not declared
            causes.append((item.kind, item.step))
        causes += [(other.kind, deletion_of(other)) for other in item.cascade]
        for cause, step in causes:
            for kind, name, other in unlisted.deleted_with(cause, step):
                deletion = item.describe_cascade_of(kind, name)
                yield f"{deletion}, but {other.label} declares it."


class _Unlisted:
    """What the plan creates or changes, as it is afterwards, also as a field; and what entries
    declare that are not selected, whose lists may not have been read.
    """

    def __init__(self, plan: Plan) -> None:
        # By kind and by what an option refers to; those whose options refer to nothing yet, under
        # the kind alone.
        self._found: dict[tuple[object, ...], list[tuple[Values, Item]]] = defaultdict(list)
        for item in plan.items:
            if not item.is_write and item.skip_reason != NOT_SELECTED:
                continue
            for kind, name, _bearer in declarations_of(item):
                if not item.live or kind is not item.kind:
                    self._add(kind, {**kind.fields.to_result({}), kind.name_field: name}, item)
            if item.is_write:
                self._add(item.kind, item.step.expected, item)

    def _add(self, kind: type[Kind], record: Values, item: Item) -> None:
        self._found[(kind,)].append((record, item))
        for option in kind.references:
            self._found[kind, option, str(record[f"{option}_id"])].append((record, item))

    def deleted_with(self, cause: type[Kind], step: Step) -> Iterator[tuple[type[Kind], str, Item]]:
        """The kind, the name and the item of each that a step would delete, too."""
        for kind in kinds_in_cascade(cause):
            key: tuple[object, ...] = (kind,)
            for option, other in kind.references.items():
                if other is cause:
                    key = kind, option, str(step.live["id"])
            for record, item in self._found.get(key, ()):
                if kind.cascades_from[cause.plural](step, record):
                    yield kind, str(record[kind.name_field] or ""), item
