# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The step from the live to the desired state. Pure: nothing here talks to the API.

Check mode is a step that is not applied, and the diff is a rendered step, so neither can disagree
with the run.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping, Sequence
from typing import Optional

from .fields import Fields, Values


class Action(enum.Enum):
    """The kinds of steps; the values are those of ``action`` in results."""

    NONE = "none"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    INVITE = "invite"


# Objects by their kind; None for a kind whose list the service refuses.
Cascade = Mapping[str, Optional[Sequence[Values]]]


@dataclasses.dataclass(frozen=True)
class Step:
    """What turns one live object into the desired one: as it is planned, or as it was applied. That
    may differ where another host created the same object first.
    """

    action: Action
    # The object that exists, ``{}`` if none.
    live: Values
    # The object afterwards, as far as it can be known; of a deletion, the last that was known.
    expected: Values
    # The options to send.
    changes: Values = dataclasses.field(default_factory=dict)
    # What the changes replace, or a deletion takes away.
    before: Values = dataclasses.field(default_factory=dict)
    # The team from which the object is moved.
    origin: Values | None = None
    # What the service deletes with the object, as far as a single task has read it.
    cascade: Cascade = dataclasses.field(default_factory=dict)

    @property
    def diff(self) -> Values:
        return {"before": self.before, "after": self.changes}

    @property
    def is_change(self) -> bool:
        return self.action is not Action.NONE

    @property
    def is_deletion(self) -> bool:
        return self.action is Action.DELETE


def plan_nothing(live: Values | None) -> Step:
    """The step that leaves an object as it is."""
    return Step(Action.NONE, live or {}, live or {})


def plan_creation(fields: Fields, desired: Values, known: Values) -> Step:
    """The step that creates an object with the desired values.

    ``known``: what it will contain besides these.
    """
    expected = {**dict.fromkeys(fields.returned), **known, **fields.visible(desired)}
    return Step(Action.CREATE, {}, expected, desired)


def plan_update(fields: Fields, desired: Values, live: Values, *, resend: bool) -> Step:
    """The step that gives an object the desired values.

    ``resend``: write-only fields, which cannot be compared, are sent, too.
    """
    changes = fields.changed_values(desired, live)
    if resend:
        changes.update(
            {option: desired[option] for option in fields.write_only if option in desired}
        )
    if not changes:
        return plan_nothing(live)
    expected = {**live, **fields.visible(changes)}
    before = {
        option: None if option in fields.write_only else live.get(option) for option in changes
    }
    return Step(Action.UPDATE, live, expected, changes, before)


def plan_absent(fields: Fields, live: Values | None) -> Step:
    """The step that deletes an object if it exists; its last known state is returned."""
    if live is None:
        return plan_nothing(None)
    before = {option: live.get(option) for option in fields.writable if option in fields.returned}
    return Step(Action.DELETE, live, live, before=before)
