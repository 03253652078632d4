# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Carrying out a plan: independent steps in parallel, dependent ones in order, deletions last."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait

from .._errors import PlatformError
from .._threads import Crew
from .along import fail_what_takes_more_along
from .node import Node, turn_of

PROGRESS_SECONDS = 2.0


def carry_out(
    nodes: Sequence[Node], workers: int, is_held_to_plan: bool, say: Callable[[str], None] | None = None
) -> None:
    """Carry out every pending step; ``say`` is called with the progress every two seconds.

    Raises PlatformError, before the first write, for steps that depend on each other.
    """
    pending = [node for node in nodes if node.is_pending]
    waves = list(_waves(pending))
    first_deletions = next((wave for wave in waves if wave[0].step.is_deletion), None)
    with Crew(workers) as crew:
        for wave in waves:
            if is_held_to_plan and wave is first_deletions:
                fail_what_takes_more_along(pending, crew)
            waiting = {crew.submit(node.carry_out, is_held_to_plan) for node in wave}
            while waiting:
                finished, waiting = wait(waiting, timeout=PROGRESS_SECONDS)
                for future in finished:
                    future.result()
                if say is not None and waiting:
                    say(_progress(pending))


def circles_of(nodes: Sequence[Node]) -> Iterator[str]:
    """Why a plan cannot be carried out in any order."""
    try:
        list(_waves([node for node in nodes if node.is_pending]))
    except PlatformError as error:
        yield str(error)


def _progress(pending: Sequence[Node]) -> str:
    ended = [node for node in pending if node.done or node.error or node.skip_reason]
    failed = sum(1 for node in ended if node.error)
    return f"blueprint: {len(ended)} of {len(pending)} steps done, {failed} failed"


def _waves(pending: Sequence[Node]) -> Iterator[list[Node]]:
    """Batches of steps that may run in parallel, turn by turn."""
    for _turn, nodes in itertools.groupby(sorted(pending, key=turn_of), turn_of):
        left = list(nodes)
        while left:
            waiting = set(left)
            ready = [node for node in left if waiting.isdisjoint(node.needs)]
            if not ready:
                circle = ", ".join(node.label for node in left)
                raise PlatformError(
                    f"These steps wait for one another: {circle}. Give one of them a third name or alias first."
                )
            yield ready
            left = [node for node in left if not waiting.isdisjoint(node.needs)]
