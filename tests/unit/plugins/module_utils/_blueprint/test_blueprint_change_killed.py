# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An approved run that is killed while any of its requests is under way, and repeated with the same list."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import BEFORE_EVERY_CHANGE, EVERY_CHANGE, comparable, converge
from killing import kill_at
from sampling import sampled

GIVEN: dict[str, Any] = {"blueprint": EVERY_CHANGE, "prune": ["projects", "aliases"], "workers": 2}
REQUESTS = 41


@pytest.fixture(scope="module")
def start(running):
    """The platform before, the steps that are approved for it, and what an undisturbed run makes of it."""
    running.reset()
    running.seed(**BEFORE_EVERY_CHANGE)
    snapshot = running.snapshot()
    approved = converge(running.base_url, **GIVEN, check_mode=True)["steps"]
    running.forget_requests()
    converge(running.base_url, **GIVEN, approved=approved)
    assert len(running.requests()) == REQUESTS
    return snapshot, approved, comparable(running.state())


@pytest.mark.parametrize("index", sampled(range(REQUESTS), 5))
def test_a_killed_run_is_completed_with_the_same_approval(running, start, index):
    snapshot, approved, wanted = start
    running.restore(snapshot)
    kill_at(running, index, **GIVEN, approved=approved)
    running.recover()
    converge(running.base_url, **GIVEN, approved=approved)
    assert comparable(running.state()) == wanted
    again = converge(running.base_url, **GIVEN, approved=[])
    assert (again["changed"], again["steps"]) == (False, [])
