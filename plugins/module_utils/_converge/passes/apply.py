# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 9, apply: the changes carried out on threads, in order, deletions last."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import wait
from dataclasses import replace

from ..._errors import ApiError, PlatformError
from ..._model.fields import Values, is_same
from ..._model.kinds.registry import KINDS
from ..._model.platform import Platform, Scope, described
from ..._model.resource import Resource
from ..._model.step import Done as AppliedStep
from ..._text import some_of
from ..._threads import Crew
from ..blueprint.options import Options
from ..change import DEPENDENCY, SCOPE, UNAVAILABLE, Change, Changes, Key, ObjectKey, Ref
from .along import cascade_of
from .order import waves_of
from .read import Lists, taken_with

PROGRESS_SECONDS = 2.0
# So many steps in a row that the service did not answer raise the question whether it is down.
MOST_UNANSWERED = 3

Done = Mapping[Key, Change]
PlanAgain = Callable[[], tuple[Changes, Lists]]


def apply(changes: Changes, lists: Lists, options: Options, plan_again: PlanAgain) -> Changes:
    """Apply all pending changes in dependency order, and return them with their results.

    Notifies the user of the progress every two seconds, if there is any. Before the first deletion, calls
    ``plan_again``: each must still be the same step. If the service is down, the rest is skipped.
    """
    platform = lists.platform
    done: dict[Key, Change] = {}
    total, stale, gone, latest = sum(change.is_pending for change in changes), "", frozenset[Key](), ""
    only_as_planned, availability, is_checked = options.approved is not None, _Availability(platform), False
    say = platform.say or str
    try:
        with Crew(platform.workers) as crew:
            for wave in waves_of(changes):
                if wave[0].is_deletion and not is_checked and not availability.is_down:
                    (stale, gone), is_checked = _check_deletions(changes, done, platform, plan_again), True
                done |= {
                    change.key: replace(change, done=AppliedStep(change.step, change.live, changed=False))
                    for change in wave
                    if change.key in gone
                }
                known = dict(done)
                waiting = {
                    crew.submit(_carried_out, change, known, platform, stale, only_as_planned, availability)
                    for change in wave
                    if change.key not in gone
                }
                while waiting:
                    finished, waiting = wait(waiting, timeout=PROGRESS_SECONDS)
                    done.update({future.result().key: future.result() for future in finished})
                    line = progress(done.values(), total)
                    if waiting and line != latest:
                        latest = line
                        say(line)
    except BaseException:
        say(f"{progress(done.values(), total)} before it was interrupted")
        raise
    return tuple(done.get(change.key, change) for change in changes)


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

    def note(self, error: PlatformError | None) -> None:
        """Note how a step ended. After three in a row without an answer, ask for the user: the answer decides."""
        with self._lock:
            self._unanswered = self._unanswered + 1 if _is_unanswered(error) else 0
            if self._unanswered == MOST_UNANSWERED and not self._is_down:
                self._unanswered = 0
                try:
                    self._platform.api.get_user()
                except PlatformError as problem:
                    self._is_down = _is_unanswered(problem)


def _is_unanswered(error: PlatformError | None) -> bool:
    """True for a request that was given up without an answer, or with one that says nothing about the request."""
    return isinstance(error, ApiError) and (error.status in (None, 429) or error.status >= 500)


def progress(done: Collection[Change], total: int) -> str:
    failed = sum(1 for change in done if change.error)
    return f"blueprint: {len(done)} of {total} steps done, {failed} failed"


def _check_deletions(
    changes: Changes, done: Done, platform: Platform, plan_again: PlanAgain
) -> tuple[str, frozenset[Key]]:
    """The reason why the deletions are no longer safe, ``""`` if they are; and the deletions whose objects are gone.

    Each deletion must be of the same object, and delete nothing that the first plan did not delete or show in a
    cascade; what this run has written counts as planned. Its dependencies must be applied.
    """
    deletions = [change for change in changes if change.is_deletion]
    kinds = {change.kind.plural for change in deletions}
    kinds |= {taken for kind in kinds for taken in taken_with(KINDS[kind])}
    for plural in kinds | {taken for kind in kinds for taken in taken_with(KINDS[kind])} | {SCOPE.plural}:
        platform.lists.forget(plural)
    try:
        again, lists = plan_again()
        now = {change.live_key: change for change in again if change.live}
        elsewhere = {change.key: _find_elsewhere(change, lists) for change in deletions if change.live_key not in now}
    except PlatformError as error:
        return f"The deletions could not be checked again: {error}", frozenset()
    planned = {change.live_key for change in deletions}
    planned |= {thing.key for change in changes for thing in change.along}
    planned |= {(change.kind.plural, str(change.item.get("id"))) for change in done.values()}
    found = [_deviation(change, now[change.live_key], lists, planned) for change in deletions if change.live_key in now]
    moved = {change: item for change in deletions if (item := elsewhere.get(change.key))}
    found += [f"The {change.shown} is now {described(item)}." for change, item in moved.items()]
    undone = {change.key: change for change in again if change.is_pending and change.key in done}
    failed = {key for key, change in done.items() if change.error or change.reason}
    waits = [undone[key] for change in deletions for key in change.needs - failed if key in undone]
    found += [f"The service reported success for {change.label}, but does not show the change." for change in waits]
    return " ".join(filter(None, found)), frozenset(key for key, item in elsewhere.items() if item is None)


def _deviation(change: Change, again: Change, lists: Lists, planned: Collection[ObjectKey | None]) -> str:
    """How a deletion differs from the planned one; ``""`` if it does not."""
    if not again.is_deletion or again.deleted_state != change.deleted_state:
        return f"The {change.shown} has changed since the plan: it is now {described(again.live)}."
    added = [thing.label for thing, _conditions in cascade_of(again, lists) if thing.key not in planned]
    if added:
        return f"Deleting the {change.shown} would now also delete the {some_of(added)}."
    return ""


def _find_elsewhere(change: Change, lists: Lists) -> Values | None:
    """The object of a deletion that has another name now, or is in another team; None if it is gone.

    An ID may be too short for a path, so it is also looked up by its name.
    """
    listed = lists.all_of(change.kind).where("id", change.live["id"])
    if listed:
        return listed[0]
    for address in (change.live["id"], change.live[change.kind.name_field]):
        shown = lists.platform.shown(change.kind, address)
        if shown and is_same(shown["id"], change.live["id"]):
            return shown
    return None


def with_latest_references(changes: Changes) -> Changes:
    """The same changes; those that were not applied refer to objects as they are now."""
    applied = {change.key: change for change in changes if change.done}

    def latest(refs: Mapping[str, Ref]) -> Mapping[str, Ref]:
        return {option: replace(ref, item=_known(ref, applied)) for option, ref in refs.items()}

    return tuple(
        change if change.done else replace(change, scope=_latest_scope(change.scope, applied), refs=latest(change.refs))
        for change in changes
    )


def _carried_out(
    change: Change, done: Done, platform: Platform, stale: str, only_as_planned: bool, availability: _Availability
) -> Change:
    if availability.is_down:
        return replace(change, reason=UNAVAILABLE)
    if any(done[key].error or done[key].reason == DEPENDENCY for key in change.needs if key in done):
        return replace(change, reason=DEPENDENCY)
    if change.is_deletion and stale:
        error = PlatformError(f"Nothing was deleted, because the platform has changed since the plan. {stale}")
        return replace(change, error=error)
    try:
        after = replace(change, done=resource_of(change, platform, done).apply(change.step, only_as_planned))
    except PlatformError as error:
        after = replace(change, error=error)
    except Exception as error:  # noqa: BLE001 (one entry's failure must not lose the results of the others)
        bug = PlatformError(f"Unexpected {type(error).__name__}: {error}. Please report it as a bug.")
        after = replace(change, error=bug)
    availability.note(after.error)
    return after


def resource_of(change: Change, platform: Platform, done: Done | None = None) -> Resource:
    """The change's object, with what its options name as it is known by now."""
    refs = {option: _known(ref, done or {}) for option, ref in change.refs.items()}
    return change.kind(change.wanted, platform, _latest_scope(change.scope, done or {}), refs)


def _latest_scope(scope: Scope, done: Done) -> Scope:
    made = done.get(scope.key) if scope.key else None
    return replace(scope, team=made.item) if made else scope


def _known(ref: Ref, done: Done) -> Values:
    made = done.get(ref.key) if ref.key else None
    return made.item if made else ref.item
