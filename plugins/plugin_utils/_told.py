# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages to show once per play, although every task has its own workers that share no state."""

from __future__ import annotations

import ctypes
import multiprocessing
from typing import Any

MOST = 256


class Told:
    """Marks in memory that a process shares with all of its forks."""

    def __init__(self) -> None:
        self._marks: Any = multiprocessing.get_context("fork").Array(ctypes.c_int64, MOST)

    def is_new(self, play: Any, line: str) -> bool:
        """Mark the line as said in this play. Returns false if it already was, or if there is no space left."""
        mark = hash((id(play), play.get_name(), line)) or 1
        with self._marks.get_lock():
            for place, other in enumerate(self._marks):
                if other in (0, mark):
                    self._marks[place] = mark
                    return not other
        return False
