# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An approved run that is killed while any of its requests is under way, and repeated with the same list."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import actions, comparable, converge
from killing import kill_at
from sampling import sampled

START: dict[str, Any] = {
    "teams": [{"slug": "acme-old", "members": [{"email": "dev@example.com", "role": "MEMBER"}]}, {"slug": "gone"}],
    "projects": [
        {"name": "site", "team": "acme-old", "framework": "hugo"},
        {"name": "app", "team": "acme-old"},
        {"name": "legacy", "team": "acme-old"},
        {"name": "unknown", "team": "acme-old"},
        {"name": "theirs", "team": "gone"},
    ],
    "aliases": [
        {"alias": "www.example.com", "project": "site", "team": "acme-old"},
        {"alias": "old.example.com", "project": "site", "team": "acme-old"},
    ],
}
# A team and a chain of two projects are renamed, and an alias passes from one of these to the other.
BLUEPRINT: dict[str, Any] = {
    "teams": [{"slug": "acme", "previously": ["acme-old"]}, {"slug": "gone", "state": "absent"}, {"slug": "nova"}],
    "projects": [
        {"name": "shop", "team": "acme", "previously": ["site"], "framework": "astro"},
        {"name": "site", "team": "acme", "previously": ["app"]},
        {"name": "legacy", "team": "acme", "state": "absent"},
        {"name": "new", "team": "nova"},
    ],
    "aliases": [
        {"alias": "www.example.com", "project": "site", "team": "acme"},
        {"alias": "old.example.com", "project": "shop", "team": "acme", "state": "absent"},
        {"alias": "new.example.com", "project": "new", "team": "nova"},
    ],
}
GIVEN: dict[str, Any] = {"blueprint": BLUEPRINT, "prune": ["projects", "aliases"], "workers": 2}
REQUESTS = 25


@pytest.fixture(scope="module")
def start(running):
    """The platform before, the steps that are approved for it, and what an undisturbed run makes of it."""
    running.reset()
    running.seed(**START)
    snapshot = running.snapshot()
    approved = converge(running.base_url, **GIVEN, check_mode=True)["steps"]
    running.forget_requests()
    converge(running.base_url, **GIVEN, approved=approved)
    assert len(running.requests()) == REQUESTS
    return snapshot, approved, comparable(running.state())


@pytest.mark.parametrize("index", sampled(range(REQUESTS), 3))
def test_a_killed_run_is_completed_with_the_same_approval(running, start, index):
    snapshot, approved, wanted = start
    running.restore(snapshot)
    kill_at(running, index, **GIVEN, approved=approved)
    running.recover()
    converge(running.base_url, **GIVEN, approved=approved)
    assert comparable(running.state()) == wanted
    assert actions(converge(running.base_url, **GIVEN, approved=[])) == []
