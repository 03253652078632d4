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
from ..._model.platform import Platform, Scope, described
from ..._model.resource import Resource
from ..._text import some_of
from ..._threads import Crew
from ..blueprint.options import Options
from ..change import DEPENDENCY, SCOPE, UNAVAILABLE, Change, Changes, Key, Ref
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
    total, stale, is_checked, latest = sum(change.is_pending for change in changes), "", False, ""
    only_as_planned, availability = options.approved is not None, _Availability(platform)
    say = platform.say or str
    try:
        with Crew(platform.workers) as crew:
            for wave in waves_of(changes):
                if wave[0].is_deletion and not is_checked and not availability.is_down:
                    stale, is_checked = _what_has_changed(changes, done, platform, plan_again), True
                known = dict(done)
                waiting = {
                    crew.submit(_carried_out, change, known, platform, stale, only_as_planned, availability)
                    for change in wave
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


def _what_has_changed(changes: Changes, done: Done, platform: Platform, plan_again: PlanAgain) -> str:
    """Why nothing may be deleted; empty if each deletion is still the same step, or its object is gone, and if what it
    waited for is done.
    """
    deletions = [change for change in changes if change.is_deletion]
    for change in deletions:
        for plural in (SCOPE.plural, change.kind.plural, *taken_with(change.kind)):
            platform.lists.forget(plural)
    try:
        planned, lists = plan_again()
    except PlatformError as error:
        return f"What it rests on cannot be read or planned any more: {error}"
    now = {change.live_key: change for change in planned if change.live}
    undone = {change.key: change for change in planned if change.is_pending and change.key in done}
    failed = {key for key, change in done.items() if change.error or change.reason}
    found = [_difference(change, now.get(change.live_key), lists) for change in deletions]
    waits = [undone[key] for change in deletions for key in change.needs - failed if key in undone]
    found += [f"The service reported success for {change.label}, and does not show it." for change in waits]
    return " ".join(filter(None, found))


def _difference(change: Change, again: Change | None, lists: Lists) -> str:
    if again is None:
        there = _still_there(change, lists)
        return f"The {change.shown} is now {described(there)}." if there else ""
    if again.id == change.id:
        return ""
    known = {thing.key for thing in change.along}
    added = [thing.label for thing in again.along if thing.key not in known]
    if added:
        return f"Deleting the {change.shown} would now also delete the {some_of(added)}."
    return f"Deleting the {again.shown} is no longer what was planned for the {change.shown}."


def _still_there(change: Change, lists: Lists) -> Values | None:
    """The object of a deletion that the plan does not hold any more: it has another name, or is in another team."""
    places = (items for place, items in lists.places.items() if place.kind == change.kind.plural)
    listed = [item for items in places for item in items.where("id", change.live["id"])]
    shown = listed[0] if listed else lists.platform.shown(change.kind, change.live["id"])
    return shown if shown and is_same(shown["id"], change.live["id"]) else None


def _carried_out(
    change: Change, done: Done, platform: Platform, stale: str, only_as_planned: bool, availability: _Availability
) -> Change:
    if availability.is_down:
        return replace(change, reason=UNAVAILABLE)
    if any(done[key].error or done[key].reason == DEPENDENCY for key in change.needs if key in done):
        return replace(change, reason=DEPENDENCY)
    if change.is_deletion and stale:
        error = PlatformError(f"Nothing was deleted, as the platform has changed since it was planned. {stale}")
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
    return change.kind(change.wanted, platform, Scope(_known(change.team, done or {}) if change.team else None), refs)


def _known(ref: Ref, done: Done) -> Values:
    made = done.get(ref.key) if ref.key else None
    return made.item if made else ref.item
