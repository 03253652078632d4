# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan carried out: its steps on threads, in order, deletions last; and what has failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import wait

from .._api.availability import Availability
from .._errors import PlatformError
from .._model.fields import Values
from .._text import join_some, number_of
from .._threads import InterruptiblePool
from .items.dependencies import batches_of
from .items.item import DEPENDENCY, UNAVAILABLE, Item
from .items.plan import Plan
from .recheck import recheck

PROGRESS_SECONDS = 2.0


class Application:
    """The application of one plan: what all its steps share.

    ``replan`` makes the plan again, before the first deletion. If the service is down, the rest is
    skipped.
    """

    def __init__(self, plan: Plan, replan: Callable[[], Plan]) -> None:
        # Whether the service still answers.
        self._availability = Availability(plan.platform.api)
        self._plan = plan
        self._platform = plan.platform
        self._replan = replan
        # Why nothing may be deleted any more.
        self._obstacle: PlatformError | None = None
        self._progress = ""

    def apply(self) -> None:
        """Set what came of each pending item: what was applied, the error, or why it was skipped.

        Notifies the user of the progress every two seconds, if there is any.
        """
        deletions = list(self._plan.deletions)
        try:
            with InterruptiblePool(self._platform.workers) as pool:
                self._apply_all(self._plan.writes, pool)
                if deletions and not self._availability.failure:
                    self._obstacle = recheck(self._plan, self._replan)
                self._apply_all(deletions, pool)
        except BaseException:
            self._platform.tell(f"{self._describe_progress()}. Interrupted.")
            raise

    def failure(self, result: Values) -> PlatformError:
        """The failure of some steps, while the others were applied: with their result, and the
        ``failure`` of the first call that failed.
        """
        labels: dict[str, list[str]] = defaultdict(list)
        for item in self._plan.items:
            if item.error:
                labels[str(item.error)].append(item.label)
        lines = [f"{result['summary']['failed']} of {self._describe_steps()} failed:"]
        lines += [f"{join_some(names)}: {message}" for message, names in labels.items()]
        failures = [row["failure"] for row in result["results"] if "failure" in row]
        if failures:
            result = {**result, "failure": failures[0]}
        return PlatformError(*self._describe_end(), *lines, result=result)

    def _apply_all(self, items: Iterable[Item], pool: InterruptiblePool) -> None:
        for batch in batches_of(items):
            running = {pool.submit(self._apply_item, item) for item in batch}
            while running:
                finished, running = wait(running, timeout=PROGRESS_SECONDS)
                for future in finished:
                    future.result()
                if running:
                    self._show_progress()

    def _apply_item(self, item: Item) -> None:
        """Never raises for a failed step."""
        if item.applied:
            return
        if self._availability.failure:
            item.skip_reason = UNAVAILABLE
            return
        if any(other.error or other.skip_reason for other in item.needs):
            item.skip_reason = DEPENDENCY
            return
        if item.is_deletion and self._obstacle:
            item.error = self._obstacle
            return
        try:
            item.applied = item.resource(self._platform).apply(item.step)
        except PlatformError as error:
            item.error = error
        except Exception as error:  # noqa: BLE001 (one entry's failure must not lose the results of the others)
            item.error = PlatformError(
                f"Unexpected {type(error).__name__}: {error}. Please report it as a bug."
            )
        self._availability.record_result(item.error)

    def _show_progress(self) -> None:
        progress = self._describe_progress()
        if progress != self._progress:
            self._progress = progress
            self._platform.tell(progress)

    def _describe_progress(self) -> str:
        items = self._plan.items
        done = sum(item.applied is not None for item in items)
        failed = sum(item.error is not None for item in items)
        return f"blueprint: {done} of {self._describe_steps()} done, {failed} failed"

    def _describe_steps(self) -> str:
        """How many there are."""
        count = sum(item.step_id is not None for item in self._plan.items)
        return number_of(count, "step", "steps")

    def _describe_end(self) -> Iterator[str]:
        """Why the run ended before all steps were tried, if it did."""
        outage = self._availability.failure
        untried = sum(item.skip_reason == UNAVAILABLE for item in self._plan.items)
        if not outage or not untried:
            return
        steps = number_of(untried, "step was", "steps were")
        reason = "is unavailable"
        advice = "later"
        if outage.status == 401:
            reason = "no longer accepts the token"
            advice = "with a valid token"
        yield f"The service {reason}, so {steps} not tried. Run the same command again {advice}."
