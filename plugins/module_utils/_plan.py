# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to be done so that what is there becomes what is wanted. Pure: nothing here talks to the API.

Check mode is a plan that is not carried out, and the diff is a plan rendered: so neither can disagree with the run.
"""

from __future__ import annotations

import dataclasses

from ._fields import Fields, Values


@dataclasses.dataclass(frozen=True)
class Step:
    """One object's share of a plan.

    ``action``: none, create, update or delete. ``changes``: the options to send. ``live``: the object that is there,
    ``{}`` if none. ``expected``: the object afterwards, as far as it can be known. ``before`` and ``after``: the diff.
    """

    action: str
    live: Values
    expected: Values
    changes: Values = dataclasses.field(default_factory=dict)
    before: Values = dataclasses.field(default_factory=dict)
    after: Values = dataclasses.field(default_factory=dict)

    @property
    def is_change(self) -> bool:
        return self.action != "none"


@dataclasses.dataclass(frozen=True)
class Done:
    """A step after it was carried out (or would have been): the object, and whether anything was written for it.

    The step may differ from the planned one where another host created the same object first.
    """

    step: Step
    item: Values
    changed: bool


def plan_present(
    fields: Fields, wanted: Values, live: Values | None, known: Values | None = None, resend: bool = False
) -> Step:
    """The step that makes an object exist with the wanted values.

    ``known``: what a created object will hold beside the wanted values. ``resend``: write-only fields, which cannot be
    compared, are sent to an existing object too.
    """
    if live is None:
        returned = {option: value for option, value in wanted.items() if option in fields.returned}
        expected = {**dict.fromkeys(fields.returned), **(known or {}), **returned}
        return Step("create", {}, expected, changes=wanted, after=wanted)
    changes = fields.differing(wanted, live)
    if resend:
        changes.update({option: wanted[option] for option in fields.write_only if option in wanted})
    if not changes:
        return Step("none", live, live)
    expected = {**live, **{option: value for option, value in changes.items() if option in fields.returned}}
    before = {option: None if option in fields.write_only else live.get(option) for option in changes}
    return Step("update", live, expected, changes, before, changes)


def plan_absent(fields: Fields, live: Values | None) -> Step:
    """The step that makes an object not exist; its last known state is what is returned."""
    if live is None:
        return Step("none", {}, {})
    before = {option: live.get(option) for option in fields.writable if option in fields.returned}
    return Step("delete", live, live, before=before)
