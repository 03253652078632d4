# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a module, and what it keeps for the next one in the same process.

A module process ends with its one run. If `plugin_utils/tasks/_in_process.py` runs the module
inside Ansible's worker, the process lives on, for the next item of the loop or the next try of
`until`.
This module imports nothing from Ansible: tests and the inventory plugin use it too.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import threading
from collections.abc import Callable, Hashable
from typing import Any


@dataclasses.dataclass
class Run:
    """One run of one module."""

    # The task has ``until`` or ``retries``: its user is waiting for a change, so nothing is served
    # from the cache.
    is_retried: bool = False
    # Shows a line to the user immediately; None if nobody would see it.
    notify: Callable[[str], None] | None = None
    # The process that has forked this one, after whose end nothing more is written; None for a
    # process of the module's own.
    parent: int | None = None
    # How many have been sent. After the first, this run must never be repeated.
    requests: int = 0
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def note_request(self, *, is_write: bool = False) -> None:
        """Count a request, right before it is sent."""
        if is_write:
            self.exit_if_orphaned()
        with self._lock:
            self.requests += 1

    def exit_if_orphaned(self) -> None:
        """End this process, with all of its threads, if its parent has ended: nobody is left to be
        told.
        """
        if self.parent and os.getppid() != self.parent:
            os._exit(1)


@functools.lru_cache(maxsize=4)  # a loop may use hundreds of identities
def process_cache(make: Callable[..., Any], *depends_on: Hashable) -> Any:
    """What ``make(*depends_on)`` returned for an earlier run: sessions and lists. What is dropped
    closes itself.

    `_in_process.py` clears this when it can no longer be trusted: after a run that did not exit
    normally, and when a module process has worked in between.
    """
    return make(*depends_on)
