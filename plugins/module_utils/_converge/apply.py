# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan carried out: its steps on threads, in order, deletions last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import wait

from .._api.availability import Availability
from .._errors import PlatformError
from .._text import number_of
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
        self.availability = Availability(plan.platform.api)
        self._plan = plan
        self._platform = plan.platform
        self._replan = replan
        self._is_rechecked = False
        # Why nothing may be deleted any more.
        self._obstacle: PlatformError | None = None
        self._progress = ""

    def apply(self) -> None:
        """Set what came of each pending item: what was applied, the error, or why it was skipped.

        Notifies the user of the progress every two seconds, if there is any.
        """
        try:
            with InterruptiblePool(self._platform.workers) as pool:
                for batch in batches_of(self._plan.items):
                    self._apply_batch(batch, pool)
        except BaseException:
            self._platform.tell(f"{self._describe_progress()}. Interrupted.")
            raise

    def _apply_batch(self, batch: Sequence[Item], pool: InterruptiblePool) -> None:
        is_first_deletion = batch[0].is_deletion and not self._is_rechecked
        if is_first_deletion and not self.availability.failure:
            self._is_rechecked = True
            self._obstacle = recheck(self._plan, self._replan)
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
        if self.availability.failure:
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
        self.availability.record_result(item.error)

    def _show_progress(self) -> None:
        progress = self._describe_progress()
        if progress != self._progress:
            self._progress = progress
            self._platform.tell(progress)

    def _describe_progress(self) -> str:
        items = self._plan.items
        total = number_of(sum(item.step_id is not None for item in items), "step", "steps")
        done = sum(item.applied is not None for item in items)
        failed = sum(item.error is not None for item in items)
        return f"blueprint: {done} of {total} done, {failed} failed"
