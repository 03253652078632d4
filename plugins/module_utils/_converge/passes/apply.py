# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 11, apply: the changes applied on threads, in order, deletions last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import wait
from dataclasses import replace

from ..._api.availability import Availability
from ..._errors import PlatformError
from ..._model.fields import Values, is_same
from ..._model.finding import describe
from ..._model.kinds.registry import KINDS, kinds_in_cascade
from ..._model.platform import Platform
from ..._model.step import AppliedStep
from ..._text import join_some
from ..._threads import InterruptiblePool
from ..plan.cascades import cascade_of
from ..plan.change import DEPENDENCY, UNAVAILABLE, Change, Changes
from ..plan.dependencies import batches_of
from ..plan.objects import TEAM_KIND, Key, LiveObject, ObjectKey
from ..plan.plan import Plan
from ..plan.protection import Protection

PROGRESS_SECONDS = 2.0

# Makes the plan again, from what the service shows by now.
Replan = Callable[[], Plan]


class Application:
    """The application of one plan: what all its steps share.

    ``replan`` is called before the first deletion: each must still be the same step. If the service
    is down, the rest is skipped.
    """

    def __init__(self, plan: Plan, platform: Platform, replan: Replan) -> None:
        self._plan = plan
        self._platform = platform
        self._replan = replan
        self._is_approved = plan.options.approved is not None
        self._applied: dict[Key, Change] = {}
        self._availability = Availability(platform.api)
        # Why nothing may be deleted any more, as far as that was looked at.
        self._obstacle: PlatformError | None = None
        self._has_looked = False
        # The deletions whose objects are gone already.
        self._gone: frozenset[Key] = frozenset()
        self._progress = ""

    @property
    def is_token_rejected(self) -> bool:
        """True if the run ended early because the service no longer accepts the token."""
        return self._availability.is_token_rejected

    def apply(self) -> Changes:
        """Apply all pending changes in dependency order, and return all changes with their results.

        Notifies the user of the progress every two seconds, if there is any.
        """
        try:
            with InterruptiblePool(self._platform.workers) as pool:
                for batch in batches_of(self._plan.changes):
                    self._apply_batch(batch, pool)
        except BaseException:
            self._platform.tell(f"{self._describe_progress()}. Interrupted.")
            raise
        return tuple(self._applied.get(change.key, change) for change in self._plan.changes)

    def _apply_batch(self, batch: Iterable[Change], pool: InterruptiblePool) -> None:
        running = {pool.submit(self._apply_change, change) for change in self._to_apply(batch)}
        while running:
            finished, running = wait(running, timeout=PROGRESS_SECONDS)
            for future in finished:
                change = future.result()
                self._applied[change.key] = change
            if running:
                self._show_progress()

    def _to_apply(self, batch: Iterable[Change]) -> list[Change]:
        """The changes of a batch whose objects are not gone already."""
        changes = list(batch)
        if changes[0].is_deletion:
            self._check_deletions()
        for change in changes:
            if change.key in self._gone:
                done = AppliedStep(change.step, change.live)
                self._applied[change.key] = replace(change, applied=done)
        return [change for change in changes if change.key not in self._gone]

    def _apply_change(self, change: Change) -> Change:
        """The change with its result, its error, or the reason why it was skipped. Never raises for
        a failed step.
        """
        skip_reason = self._skip_reason(change)
        if skip_reason:
            return replace(change, skip_reason=skip_reason)
        if change.is_deletion and self._obstacle:
            return replace(change, apply_error=self._obstacle)
        try:
            resource = change.resource(self._platform, self._applied)
            after = replace(
                change, applied=resource.apply(change.step, is_approved_plan=self._is_approved)
            )
        except PlatformError as error:
            after = replace(change, apply_error=error)
        except Exception as error:  # noqa: BLE001 (one entry's failure must not lose the results of the others)
            bug = PlatformError(
                f"Unexpected {type(error).__name__}: {error}. Please report it as a bug."
            )
            after = replace(change, apply_error=bug)
        self._availability.record_result(after.apply_error)
        return after

    def _skip_reason(self, change: Change) -> str | None:
        if self._availability.is_down:
            return UNAVAILABLE
        for key in change.dependencies:
            needed = self._applied.get(key)
            if needed and (needed.apply_error or needed.skip_reason):
                return DEPENDENCY
        return None

    def _check_deletions(self) -> None:
        """Find out, once, whether the deletions are still those of the plan."""
        if not self._has_looked and not self._availability.is_down:
            self._has_looked = True
            check = _DeletionCheck(self._plan, self._applied)
            self._obstacle, self._gone = check.result(self._platform, self._replan)

    def _show_progress(self) -> None:
        progress = self._describe_progress()
        if progress != self._progress:
            self._progress = progress
            self._platform.tell(progress)

    def _describe_progress(self) -> str:
        total = sum(change.is_pending for change in self._plan.changes)
        done = sum(1 for change in self._applied.values() if change.applied)
        failed = sum(1 for change in self._applied.values() if change.apply_error)
        return f"blueprint: {done} of {total} steps done, {failed} failed"


class _DeletionCheck:
    """Compares the deletions of a plan with what the service shows right before the first of them.

    Each must be of the same object, and delete nothing that is protected or ignored by now, or that
    the plan did not delete or show in a cascade. What this run wrote counts as written, also where
    a list is late.
    """

    def __init__(self, plan: Plan, applied: dict[Key, Change]) -> None:
        self._deletions = list(plan.deletions)
        self._options = plan.options
        done = [change for change in applied.values() if change.applied]
        self._before = {change.live_key: change.live for change in done}
        self._deleted = {change.live_key for change in self._deletions}
        self._in_cascades = {obj.key for _change, obj in plan.cascades}

    def result(
        self, platform: Platform, replan: Replan
    ) -> tuple[PlatformError | None, frozenset[Key]]:
        """Why the deletions are no longer safe, None if they are; and those whose objects are
        gone.
        """
        self._invalidate_lists(platform)
        try:
            again = replan()
            now = {change.live_key: change for change in again.changes if change.live}
            missing = [change for change in self._deletions if change.live_key not in now]
            elsewhere = {change: _find_changed(change, again) for change in missing}
        except PlatformError as error:
            error.add_sentence(
                "Nothing was deleted, because the deletions could not be checked again."
            )
            return error, frozenset()
        deviations = list(self._deviations(now, again))
        for change, record in elsewhere.items():
            if record:
                deviations.append(f"The {change.description} is now {describe(record)}.")
        gone = frozenset(change.key for change, record in elsewhere.items() if not record)
        if not deviations:
            return None, gone
        problem = "Nothing was deleted, because the platform has changed since the plan."
        return PlatformError(" ".join([problem, *deviations])), gone

    def _invalidate_lists(self, platform: Platform) -> None:
        """Have every list read again that says what the deletions delete, and whose it is."""
        kinds = {TEAM_KIND.plural}
        for change in self._deletions:
            kinds |= {change.kind.plural, *(kind.plural for kind in kinds_in_cascade(change.kind))}
        for plural in list(kinds):
            # An alias that names no team belongs to its project's.
            kinds |= {referenced.plural for referenced in KINDS[plural].references.values()}
        for plural in kinds:
            platform.lists.invalidate(plural)

    def _deviations(self, now: dict[ObjectKey | None, Change], again: Plan) -> Iterator[str]:
        protection = Protection(again.changes, again.snapshot, self._options)
        for change in self._deletions:
            if change.live_key in now:
                yield from self._deviation(change, now[change.live_key], again, protection)

    def _deviation(
        self, change: Change, now: Change, again: Plan, protection: Protection
    ) -> Iterator[str]:
        """How a deletion differs from the planned one."""
        if not now.is_deletion or now.deleted_state != change.deleted_state:
            yield (
                f"The {change.description} has changed since the plan: it is now"
                f" {describe(now.live)}."
            )
            return
        cascade = (consequence.obj for consequence in cascade_of(now, again.snapshot))
        added = [obj.label for obj in cascade if self._is_unplanned(obj, protection)]
        if added:
            yield f"Deleting the {change.description} would now also delete the {join_some(added)}."

    def _is_unplanned(self, obj: LiveObject, protection: Protection) -> bool:
        """True if the plan did not show that an object goes, or if a guard would keep it by now. A
        deletion of its own is judged by itself: an entry may want a protected project's alias
        absent.
        """
        if obj.key in self._deleted or self._before.get(obj.key) == obj.record:
            return False
        if obj.key not in self._in_cascades or obj.is_matched_by(self._options.ignore):
            return True
        return protection.covers(obj)


def _find_changed(change: Change, again: Plan) -> Values | None:
    """The object of a deletion that has another name now, or is in another team; None if it is
    gone.
    """
    listed = again.snapshot.by_id(change.kind, change.live["id"])
    if listed:
        return listed.record
    record = again.snapshot.platform.show(change.kind, change.kind.address(change.live))
    return record if record and is_same(record["id"], change.live["id"]) else None


def with_latest_references(changes: Changes) -> Changes:
    """The same changes; those that were not applied refer to objects as they are now."""
    applied = {change.key: change for change in changes if change.applied or change.made_record}
    return tuple(
        change if change.applied else change.with_latest_references(applied) for change in changes
    )
