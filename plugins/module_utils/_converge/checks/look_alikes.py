# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that a service might take for the same: in letters of another case, with spaces around, in
another form of Unicode. Such a service stores one as the other, and a plan that compares exactly
would create and delete for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..._model.kind import Kind
from ..._model.name_forms import look_alike
from ..._text import closest, yaml_text
from ..plan.change import Change
from ..plan.declarations import Declarations
from ..plan.objects import LiveObject
from ..plan.plan import Plan
from ..plan.snapshot import Snapshot


def find_look_alikes(plan: Plan) -> Iterator[str]:
    """A message for each name that the plan would bring into being beside an undeclared look-alike
    of its scope.
    """
    new_names = [change for change in plan.changes if _has_new_name(change)]
    if not new_names:
        return
    declarations = Declarations(plan.changes, plan.snapshot)
    for change in new_names:
        for obj in _undeclared_in_scope(change, plan.snapshot, declarations):
            if obj.name != change.desired.name and look_alike(obj.name) == look_alike(
                change.desired.name
            ):
                yield _describe_look_alike(change, obj)


def previous_name_warnings(plan: Plan) -> Iterator[str]:
    """Warnings about creations with a previous name that matches nothing, where something of a near
    name exists.
    """
    renameable = [
        change for change in plan.changes if change.is_creation and change.desired.previous_names
    ]
    if not renameable:
        return
    declarations = Declarations(plan.changes, plan.snapshot)
    for change in renameable:
        names = [obj.name for obj in _undeclared_in_scope(change, plan.snapshot, declarations)]
        for previous in change.desired.previous_names:
            near = closest(previous, names)
            if near:
                problem = f"{previous} matches nothing. Did you mean {yaml_text(near)}?"
                yield f"{change.label}: previously: {problem}"


def _has_new_name(change: Change) -> bool:
    """True if a step brings a name into being that compares exactly; other names have one form
    anyway.
    """
    is_exact = change.kind.normalize is Kind.normalize
    return is_exact and bool(change.desired.name) and (change.is_creation or change.is_rename)


def _undeclared_in_scope(
    change: Change, snapshot: Snapshot, declarations: Declarations
) -> Iterator[LiveObject]:
    """The objects of a change's kind that exist where it puts its own, and that no entry
    declares.
    """
    for obj in snapshot.in_scope(change.kind, change.object_scope):
        if not declarations.has(obj):
            yield obj


def _describe_look_alike(change: Change, obj: LiveObject) -> str:
    kind = change.kind
    new = yaml_text(change.desired.name)
    stored = yaml_text(obj.name)
    return (
        f"{change.label} would give the name {new} to a {kind.singular}"
        f" beside the undeclared {kind.singular} {stored},"
        " and the service may take them for the same."
        f" Write {stored} in the entry, rename it with previously: [{stored}], or declare both."
    )
