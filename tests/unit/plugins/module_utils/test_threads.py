# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads carry out what they are given, in order, and begin nothing more after a failure."""

import threading
from concurrent.futures import Future

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._threads import InterruptiblePool

LONG = 10


def test_results_come_in_order():
    with InterruptiblePool(3) as pool:
        assert list(pool.map(lambda number: number * number, range(20))) == [
            number * number for number in range(20)
        ]


def test_a_failure_is_the_callers_and_nothing_more_is_begun():
    begun = []
    cancelled = threading.Event()

    def work(number):
        begun.append(number)
        if number == 1:
            raise ValueError("the second")
        assert number != 2 or cancelled.wait(LONG)

    futures: list[Future[None]] = []

    def all_of_it():
        with InterruptiblePool(1) as pool:
            futures.extend(pool.submit(work, number) for number in range(100))
            futures[-1].add_done_callback(lambda _future: cancelled.set())
            futures[1].result()

    with pytest.raises(ValueError, match="the second"):
        all_of_it()
    assert set(begun) <= {0, 1, 2}
    assert all(future.cancelled() for future in futures[3:])
