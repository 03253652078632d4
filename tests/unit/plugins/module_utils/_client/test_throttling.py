# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that lets only so many requests pass in a minute, on a clock that client and service share."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

import pytest
from blueprints import converge
from client import SharedClock
from emulated import Emulated

pytestmark = pytest.mark.oldest_libraries

MOST, SECONDS, WORKERS = 120, 60, 8


def most_in_a_window(times: list[int], window: str) -> int:
    """The most of these moments (ms) that lie within one window of the limiter."""
    length = SECONDS * 1000
    if window == "fixed":
        return max(Counter(moment // length for moment in times).values())
    return max(bisect_right(times, moment + length - 1) - place for place, moment in enumerate(times))


@pytest.mark.parametrize("window", ["sliding", "fixed"])
@pytest.mark.parametrize(
    ("retry_after", "count"),
    [
        pytest.param("seconds", 1000, marks=pytest.mark.thorough),
        pytest.param("date", 300, marks=pytest.mark.thorough),
        ("none", 300),
    ],
)
def test_a_thousand_creations_at_two_a_second(emulator: Emulated, window: str, retry_after: str, count: int) -> None:
    emulator.switch(rate_limit=f"{MOST}/{SECONDS}", rate_limit_window=window, rate_limit_retry_after=retry_after)
    blueprint = {"projects": [{"name": f"project-{number}", "own_scope": True} for number in range(count)]}
    clock = SharedClock(emulator)
    summary = converge(emulator.base_url, blueprint, workers=WORKERS, clock=clock, max_retry_delay=300.0)["summary"]
    assert (summary["create"], summary["failed"]) == (count, 0)
    names = sorted(project["name"] for project in emulator.state()["projects"])
    assert names == sorted(f"project-{number}" for number in range(count)), "nothing is missing, nothing there twice"

    requests = emulator.requests()
    passed = [request["time"] for request in requests if request["status"] == 200]
    refused = [request["time"] for request in requests if request["status"] == 429]
    assert len(passed) + len(refused) == len(requests)
    assert most_in_a_window(passed, window) == MOST, "the service limited for real"
    # Those under way when the limit is first met, one each. Who is not told how long to wait has to try, but alone.
    tries = 3 if retry_after == "none" else 0
    assert most_in_a_window(refused, window) <= WORKERS + tries
    later = [moment for moment in refused if moment >= refused[0] + SECONDS * 1000]
    assert most_in_a_window([0, *later], window) < WORKERS
