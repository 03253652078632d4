# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads carry out what they are given, and nobody waits for them once an interrupt has come."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from ansible_collections.hosting.platform.plugins.module_utils import _threads as threads
from ansible_collections.hosting.platform.plugins.module_utils._threads import Crew

LONG = 60


class Interrupted(BaseException):
    """As Ctrl-C is, and a task's timeout."""


def test_results_come_in_order():
    with Crew(3) as crew:
        assert list(crew.map(lambda number: number * number, range(20))) == [number * number for number in range(20)]


def test_a_failure_is_the_callers_and_nothing_more_is_begun():
    begun = []

    def work(number):
        begun.append(number)
        if number == 1:
            raise ValueError("the second")

    futures: list[Future[None]] = []

    def all_of_it():
        with Crew(1) as crew:
            futures.extend(crew.submit(work, number) for number in range(100))
            futures[1].result()

    with pytest.raises(ValueError, match="the second"):
        all_of_it()
    assert begun == list(range(len(begun)))
    assert [future.cancelled() for future in futures] == [number not in begun for number in range(100)]


@pytest.mark.parametrize("wait", [lambda: threads.sleep(LONG), lambda: None], ids=["in its sleep", "before a request"])
def test_an_interrupt_waits_for_nobody(wait):
    """Its thread ends, and what had not begun never does."""
    under_way, go_on, begun, reached = threading.Event(), threading.Event(), [], []

    def work():
        begun.append(threading.current_thread())
        under_way.set()
        go_on.wait(LONG)
        wait()
        threads.end_if_given_up()
        reached.append("the request")

    futures: list[Future[None]] = []

    def all_of_it():
        with Crew(1) as crew:
            futures.extend(crew.submit(work) for _number in range(3))
            assert under_way.wait(LONG)
            raise Interrupted

    with pytest.raises(Interrupted):
        all_of_it()
    assert [future.cancelled() for future in futures] == [False, True, True]
    go_on.set()
    (thread,) = begun
    thread.join(LONG)
    assert not thread.is_alive()
    assert reached == []
