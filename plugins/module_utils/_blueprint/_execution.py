# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Carrying out a plan: independent steps on threads, what needs another after it, deletions last."""

from __future__ import annotations

import concurrent.futures
import typing as t

from .._threads import Crew
from ._entries import KINDS
from ._work import Work

PROGRESS_SECONDS = 2.0


def carry_out(work: t.Sequence[Work], workers: int, say: t.Callable[[str], None] | None = None) -> None:
    """Carries out every pending step; ``say`` is told every two seconds how far it is."""
    pending = [item for item in work if item.is_pending]
    with Crew(workers) as crew:
        for wave in _waves(pending):
            waiting = {crew.submit(item.carry_out) for item in wave}
            while waiting:
                finished, waiting = concurrent.futures.wait(
                    waiting, timeout=PROGRESS_SECONDS, return_when=concurrent.futures.ALL_COMPLETED
                )
                for future in finished:
                    future.result()
                if say is not None and waiting:
                    say(_progress(pending))


def _progress(pending: t.Sequence[Work]) -> str:
    ended = [item for item in pending if item.done or item.error or item.is_skipped]
    failed = sum(1 for item in ended if item.error)
    return f"blueprint: {len(ended)} of {len(pending)} steps done, {failed} failed"


def _waves(pending: t.Sequence[Work]) -> t.Iterator[list[Work]]:
    """Kind by kind; members and projects need nothing of each other. Deletions go the other way."""
    made = [["teams"], ["team_members", "projects"], ["aliases"], ["domains"]]
    for kinds in made:
        yield [item for item in pending if item.kind in kinds and not item.is_deletion]
    for kind in reversed(KINDS):
        yield [item for item in pending if item.kind == kind and item.is_deletion]
