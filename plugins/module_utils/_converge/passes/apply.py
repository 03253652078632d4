# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 9, apply: the changes applied on threads, in order, deletions last."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import wait
from dataclasses import replace

from ..._errors import ApiError, PlatformError
from ..._model.fields import Values, is_same
from ..._model.kinds.registry import KINDS
from ..._model.platform import Platform, Scope, describe
from ..._model.resource import Resource
from ..._model.step import AppliedStep
from ..._text import join_some
from ..._threads import InterruptiblePool
from ..blueprint.options import BlueprintOptions
from ..blueprint.selectors import Selectors
from ..change import DEPENDENCY, TEAM_KIND, UNAVAILABLE, Change, Changes, Key, ObjectKey, Reference
from .cascade import cascade_of
from .order import batches_of
from .prune import is_matched_by
from .read import Snapshot, kinds_in_cascade

PROGRESS_SECONDS = 2.0
# So many steps in a row that the service did not answer raise the question whether it is down.
MOST_UNANSWERED = 3

AppliedChanges = Mapping[Key, Change]
Replan = Callable[[], tuple[Changes, Snapshot]]


def apply(changes: Changes, snapshot: Snapshot, options: BlueprintOptions, replan: Replan) -> Changes:
    """Apply all pending changes in dependency order, and return them with their results.

    Notifies the user of the progress every two seconds, if there is any. Before the first deletion, calls
    ``replan``: each must still be the same step. If the service is down, the rest is skipped.
    """
    platform = snapshot.platform
    applied: dict[Key, Change] = {}
    total = sum(change.is_pending for change in changes)
    checked: tuple[str, frozenset[Key]] | None = None
    latest, availability, is_approved_plan = "", _Availability(platform), options.approved is not None
    try:
        with InterruptiblePool(platform.workers) as pool:
            for batch in batches_of(changes):
                if batch[0].is_deletion and not checked and not availability.is_down:
                    checked = _check_deletions(changes, applied, platform, options, replan)
                stale_reason, already_deleted = checked or ("", frozenset[Key]())
                applied |= {
                    change.key: replace(change, applied=AppliedStep(change.step, change.live, changed=True))
                    for change in batch
                    if change.key in already_deleted
                }
                context = dict(applied), platform, stale_reason, is_approved_plan, availability
                remaining = (change for change in batch if change.key not in already_deleted)
                running = {pool.submit(_apply_change, change, *context) for change in remaining}
                while running:
                    finished, running = wait(running, timeout=PROGRESS_SECONDS)
                    applied.update({future.result().key: future.result() for future in finished})
                    line = progress(applied.values(), total)
                    if running and line != latest:
                        latest = line
                        platform.tell(line)
    except BaseException:
        platform.tell(f"{progress(applied.values(), total)}. Interrupted.")
        raise
    return tuple(applied.get(change.key, change) for change in changes)


class _Availability:
    """Finds out whether the service is down. While it asks, no step begins. Safe to use from several threads."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._lock = threading.Lock()
        self._unanswered = 0
        self._is_down = False

    @property
    def is_down(self) -> bool:
        with self._lock:
            return self._is_down

    def record_result(self, error: PlatformError | None) -> None:
        """Note how a step ended. After three in a row without a response, ask for the user: the response decides."""
        with self._lock:
            self._unanswered = self._unanswered + 1 if _is_unanswered(error) else 0
            if self._unanswered == MOST_UNANSWERED and not self._is_down:
                self._unanswered = 0
                try:
                    self._platform.api.get_user(has_retries=False)
                except PlatformError as problem:
                    self._is_down = _is_unanswered(problem)


def _is_unanswered(error: PlatformError | None) -> bool:
    """True for a request that was given up without a response, or with one that says nothing about the request."""
    if not isinstance(error, ApiError):
        return False
    return error.status is None or error.is_throttling or error.status >= 500


def progress(applied: Collection[Change], total: int) -> str:
    done = sum(1 for change in applied if change.applied)
    failed = sum(1 for change in applied if change.apply_error)
    return f"blueprint: {done} of {total} steps done, {failed} failed"


def _check_deletions(
    changes: Changes, applied: AppliedChanges, platform: Platform, options: BlueprintOptions, replan: Replan
) -> tuple[str, frozenset[Key]]:
    """The reason why the deletions are no longer safe, ``""`` if they are; and the deletions whose objects are gone.

    Each deletion must be of the same object, and delete nothing that is protected or ignored by now, or that the first
    plan did not delete or show in a cascade. Its dependencies must be applied.
    """
    deletions = [change for change in changes if change.is_deletion]
    kinds = {change.kind.plural for change in deletions}
    kinds |= {cascaded for kind in kinds for cascaded in kinds_in_cascade(KINDS[kind])} | {TEAM_KIND.plural}
    # An alias that names no team belongs to its project's.
    kinds |= {owner.plural for kind in kinds for owner in KINDS[kind].references.values()}
    for plural in kinds:
        platform.lists.invalidate(plural)
    try:
        replanned, snapshot = replan()
        now = {change.live_key: change for change in replanned if change.live}
        missing = [change for change in deletions if change.live_key not in now]
        elsewhere = {change: _find_renamed_or_moved(change, snapshot) for change in missing}
    except PlatformError as error:
        return f"The deletions could not be checked again: {error}", frozenset()
    planned = {change.live_key for change in deletions}
    planned |= {obj.key for change in changes for obj in change.cascade}
    guarded = Selectors([*options.protect, *options.ignore])
    deviations = [
        _describe_deviation(change, now[change.live_key], snapshot, planned, guarded)
        for change in deletions
        if change.live_key in now
    ]
    moved = {change: record for change, record in elsewhere.items() if record}
    deviations += [f"The {change.description} is now {describe(record)}." for change, record in moved.items()]
    undone = {change.key: change for change in replanned if change.is_pending and change.key in applied}
    failed = {key for key, change in applied.items() if change.apply_error or change.skip_reason}
    unconfirmed = [undone[key] for change in deletions for key in change.dependencies - failed if key in undone]
    deviations += [
        f"The service reported success for {change.label}, but does not show the change." for change in unconfirmed
    ]
    return " ".join(filter(None, deviations)), frozenset(change.key for change in missing if change not in moved)


def _describe_deviation(
    change: Change, again: Change, snapshot: Snapshot, planned: Collection[ObjectKey | None], guarded: Selectors
) -> str:
    """How a deletion differs from the planned one; ``""`` if it does not."""
    if not again.is_deletion or again.deleted_state != change.deleted_state:
        return f"The {change.description} has changed since the plan: it is now {describe(again.live)}."
    cascade = (obj for obj, _conditions in cascade_of(again, snapshot))
    added = [obj.label for obj in cascade if obj.key not in planned or is_matched_by(guarded, obj)]
    if added:
        return f"Deleting the {change.description} would now also delete the {join_some(added)}."
    return ""


def _find_renamed_or_moved(change: Change, snapshot: Snapshot) -> Values | None:
    """The object of a deletion that has another name now, or is in another team; None if it is gone.

    An ID may be too short for a path, so it is also looked up by its name.
    """
    listed = snapshot.all_of(change.kind).where("id", change.live["id"])
    if listed:
        return listed[0]
    for address in (change.live["id"], change.live[change.kind.name_field]):
        match = snapshot.platform.get_or_none(change.kind, address)
        if match and is_same(match["id"], change.live["id"]):
            return match
    return None


def with_latest_references(changes: Changes) -> Changes:
    """The same changes; those that were not applied refer to objects as they are now."""
    applied = {change.key: change for change in changes if change.applied}

    def latest(change: Change) -> Change:
        names = change.references.items()
        references = {name: replace(other, record=_latest_record(other, applied)) for name, other in names}
        return replace(change, scope=_latest_scope(change.scope, applied), references=references)

    return tuple(change if change.applied else latest(change) for change in changes)


def _apply_change(
    change: Change,
    applied: AppliedChanges,
    platform: Platform,
    stale_reason: str,
    is_approved_plan: bool,
    availability: _Availability,
) -> Change:
    """The change with its result, its error, or the reason why it was skipped. Never raises for a failed step."""
    if availability.is_down:
        return replace(change, skip_reason=UNAVAILABLE)
    needed = [applied[key] for key in change.dependencies if key in applied]
    if any(other.apply_error or other.skip_reason == DEPENDENCY for other in needed):
        return replace(change, skip_reason=DEPENDENCY)
    if change.is_deletion and stale_reason:
        error = PlatformError(f"Nothing was deleted, because the platform has changed since the plan. {stale_reason}")
        return replace(change, apply_error=error)
    try:
        after = replace(change, applied=resource_for(change, platform, applied).apply(change.step, is_approved_plan))
    except PlatformError as error:
        after = replace(change, apply_error=error)
    except Exception as error:  # noqa: BLE001 (one entry's failure must not lose the results of the others)
        bug = PlatformError(f"Unexpected {type(error).__name__}: {error}. Please report it as a bug.")
        after = replace(change, apply_error=bug)
    availability.record_result(after.apply_error)
    return after


def resource_for(change: Change, platform: Platform, applied: AppliedChanges | None = None) -> Resource:
    """A Resource for the change, with references resolved to the newest records."""
    references = {option: _latest_record(reference, applied or {}) for option, reference in change.references.items()}
    return change.kind(change.desired, platform, _latest_scope(change.scope, applied or {}), references)


def _latest_scope(scope: Scope, applied: AppliedChanges) -> Scope:
    change = applied.get(scope.key) if scope.key else None
    return replace(scope, team=change.latest_record) if change else scope


def _latest_record(reference: Reference, applied: AppliedChanges) -> Values:
    change = applied.get(reference.key) if reference.key else None
    return change.latest_record if change else reference.record
