# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that is killed while any of its requests is under way, and the next run: nothing twice, nothing missing."""

from __future__ import annotations

import pytest
from blueprints import BUILD, START, comparable, converge
from killing import kill_at
from sampling import sampled


@pytest.fixture(scope="module")
def wanted(running):
    """The state that an undisturbed run ends in, and how many requests it sends."""
    running.reset()
    running.seed(**START)
    running.forget_requests()
    converge(running.base_url, BUILD, workers=2)
    return comparable(running.state()), len(running.requests())


REQUESTS = 13


@pytest.mark.parametrize("index", sampled(range(REQUESTS), 3))
def test_a_killed_run_is_completed_by_the_next(running, wanted, index):
    state, requests = wanted
    assert requests == REQUESTS
    running.reset()
    running.seed(**START)
    running.forget_requests()
    kill_at(running, index, blueprint=BUILD, workers=2)
    running.recover()
    converge(running.base_url, BUILD)
    assert comparable(running.state()) == state
    assert converge(running.base_url, BUILD)["changed"] is False
