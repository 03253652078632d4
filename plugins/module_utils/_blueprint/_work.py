# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry's share of the work on a blueprint, and what is reported of it."""

from __future__ import annotations

import dataclasses
import typing as t

from .._client.errors import PlatformError
from .._fields import Values
from .._plan import Done, Step
from .._resources._base import Resource

ACTIONS = ("none", "create", "update", "delete", "invite", "skip")


@dataclasses.dataclass(eq=False)
class Work:
    """A step of the plan, with the work that has to succeed before it.

    ``team``: the slug, ``""`` for the own scope, ``None`` for teams. ``where``: the entry, empty for pruned objects.
    ``kept``: whether an object that prune would delete is left alone.
    """

    kind: str
    name: str
    team: str | None
    resource: Resource
    step: Step
    where: str = ""
    needs: list[Work] = dataclasses.field(default_factory=list)
    kept: bool = False
    done: Done | None = None
    error: PlatformError | None = None
    is_skipped: bool = False

    @property
    def is_deletion(self) -> bool:
        return self.step.action == "delete"

    @property
    def is_pending(self) -> bool:
        return self.step.is_change and not self.kept

    def carry_out(self) -> None:
        """Does it, unless what it needs was not done. A failure is kept for the report."""
        if any(need.error or need.is_skipped for need in self.needs):
            self.is_skipped = True
            return
        try:
            self.done = self.resource.apply(self.step)
        except PlatformError as error:
            self.error = error
        else:
            # What depends on it holds this very object, and needs its id.
            self.step.expected.update(self.done.item)

    def foresee(self) -> None:
        """What carrying it out would report."""
        self.done = Done(self.step, self.step.expected, changed=self.step.is_change)

    def report(self) -> Values:
        """The contract's entry of ``results``."""
        step = self.done.step if self.done else self.step
        is_left = self.kept or self.is_skipped
        changed = bool(self.done and self.done.changed and not is_left)
        if self.error is not None:
            changed = bool(self.error.result.get("changed"))
        entry: Values = {
            "kind": self.kind,
            "name": self.name,
            "team": self.team,
            "action": "skip" if is_left else step.action,
            "changed": changed,
            "diff": {"before": {}, "after": {}} if is_left else {"before": step.before, "after": step.after},
        }
        if self.error is not None:
            entry.update(failed=True, failure=self.error.failure, msg=str(self.error))
        return entry


def summary_of(results: t.Sequence[Values], requests: int) -> Values:
    """A count per action, of failures, and of the requests sent."""
    counts = dict.fromkeys(ACTIONS, 0)
    for result in results:
        counts[result["action"]] += 1
    return {**counts, "failed": sum(1 for result in results if result.get("failed")), "requests": requests}


def diff_of(results: t.Sequence[Values]) -> list[Values]:
    """The task's diff: one part for each entry that changed."""
    parts = []
    for result in results:
        if result["changed"]:
            team = f" of {result['team']}" if result["team"] else ""
            header = f"{result['kind']}: {result['name']}{team}"
            parts.append({"before_header": header, "after_header": header, **result["diff"]})
    return parts
