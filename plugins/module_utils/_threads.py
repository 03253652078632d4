# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Threads that carry out work, and that nobody waits for after an interrupt.

`ThreadPoolExecutor` waits for its threads even when Ctrl-C or the `timeout` of a task has ended the
wait for their results, and again when the process ends. `InterruptiblePool` is used in the same
way, and does not:

    with InterruptiblePool(workers) as pool:
        for future in [pool.submit(step.carry_out) for step in steps]:
            future.result()

At the end of the block, and after a failure in it, pending work is cancelled, and running work
awaited. After an interrupt, which is a `BaseException` but no `Exception`, the pool is abandoned:
nothing waits for its threads, and none of them keeps the process from ending. Each ends at its next
`sleep`, which precedes every request.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

Returned = TypeVar("Returned")

NEVER = threading.Event()
this_thread = threading.local()


def sleep(seconds: float) -> None:
    """Sleep, if only for 0 seconds; end this thread if its pool is abandoned by then."""
    abandoned: threading.Event = getattr(this_thread, "abandoned", NEVER)
    if abandoned.wait(seconds):
        raise SystemExit


class InterruptiblePool(Executor):
    """A pool of at most ``size`` threads.

    Where the system lets fewer of them start, these do all the work; without any, the caller's.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._abandoned = threading.Event()
        self._threads: list[threading.Thread] = []
        self._futures: list[Future[Any]] = []
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    def __exit__(self, kind: type[BaseException] | None, *_details: object) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self._abandoned.set()
        for future in self._futures:
            future.cancel()
        for _thread in self._threads:
            self._jobs.put(None)
        if self._abandoned.is_set():
            return
        try:
            for thread in self._threads:
                thread.join()
        except BaseException:
            self._abandoned.set()
            raise

    def submit(
        self, work: Callable[..., Returned], /, *args: Any, **kwargs: Any
    ) -> Future[Returned]:
        future: Future[Returned] = Future()

        def carry_out() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work(*args, **kwargs))
                except Exception as error:  # noqa: BLE001 (whoever waits gets it)
                    future.set_exception(error)
                except BaseException as error:  # an interrupt, or the end of an abandoned thread
                    future.set_exception(error)
                    raise

        self._futures.append(future)
        if len(self._threads) < self._size:
            self._start_thread()
        if self._threads:
            self._jobs.put(carry_out)
        else:
            carry_out()
        return future

    def _start_thread(self) -> None:
        """Start one more thread, or no more of them if the system does not let it start."""
        thread = threading.Thread(target=self._work, daemon=True)
        try:
            thread.start()
        except RuntimeError:
            self._size = len(self._threads)
        else:
            self._threads.append(thread)

    def _work(self) -> None:
        this_thread.abandoned = self._abandoned
        for carry_out in iter(self._jobs.get, None):
            carry_out()
