# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator's own time per request, as `tools/measure.py` measures it."""

from __future__ import annotations

import pytest

from measure import own_times, reset_time
from memory import memory_after


def test_reading_one_of_many_takes_well_under_a_millisecond() -> None:
    """Processor time, the best of several batches: neither the machine's load nor its network count."""
    times = own_times(projects=2_000, repetitions=50)
    assert times["/projects/project-77"] < 0.5
    assert times["/projects?limit=100"] < 5


def test_a_reset_takes_less_than_five_milliseconds() -> None:
    assert reset_time(projects=100) < 5


@pytest.mark.thorough
def test_memory_does_not_grow_with_the_requests_served() -> None:
    """Once the log is full, it takes no more; `tools/memory.py` measures a million."""
    (_, before), (_, after) = memory_after([3_000, 9_000], "--log-limit", "1000")
    assert after - before < 1
