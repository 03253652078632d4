# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ids of steps: equal in check and run, however the platform is shown, and however many workers there are."""

from __future__ import annotations

import re
from typing import Any

import pytest
import requests
from blueprints import converge
from hypothesis import HealthCheck, settings
from platforms import PRESENTATION
from scripted import Answer, Asked, scripted

relaxed = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

PLATFORM: dict[str, Any] = {
    "teams": [{"slug": "acme", "name": "Acme"}, {"slug": "zeta"}],
    "projects": [
        *({"name": f"p{number}", "team": "acme", "framework": "hugo"} for number in range(8)),
        {"name": "site", "team": "zeta", "buildCommand": "make"},
        {"name": "own", "framework": "hugo"},
        {"name": "mine"},
    ],
    "aliases": [
        {"alias": "www.example.com", "project": "p0", "team": "acme"},
        {"alias": "old.example.com", "project": "p1", "team": "acme"},
        {"alias": "me.example.com", "project": "own"},
    ],
    "domains": [{"name": "example.org", "team": "zeta"}],
}
BLUEPRINT: dict[str, Any] = {
    "teams": [{"slug": "apex", "previously": ["acme"]}, {"slug": "zeta", "name": "Zeta"}, {"slug": "nova"}],
    "team_members": [{"team": "apex", "email": "dev@example.com", "role": "VIEWER"}],
    "projects": [
        {"name": "p9", "team": "apex", "previously": ["p0"], "framework": "astro"},
        {"name": "p1", "team": "apex", "framework": "", "build_command": ""},
        {"name": "p2", "team": "apex", "state": "absent"},
        {"name": "new", "team": "nova", "framework": "astro", "dev_command": ""},
        {"name": "site", "team": "zeta", "framework": "astro", "build_command": ""},
        {"name": "own", "team": "", "framework": "astro"},
        {"name": "mine", "team": "", "state": "absent"},
    ],
    "aliases": [
        {"alias": "WWW.example.com.", "project": "p1", "team": "apex"},
        {"alias": "old.example.com", "team": "apex", "state": "absent"},
        {"alias": "me.example.com", "team": "", "state": "absent"},
        {"alias": "new.example.com", "project": "new", "team": "nova"},
    ],
    "domains": [{"name": "example.org", "team": "zeta", "state": "absent"}],
}


@pytest.fixture
def plain(emulator):
    """The steps for a platform that is shown in the plainest way."""
    emulator.seed(**PLATFORM)
    check = converge(emulator.base_url, BLUEPRINT, check_mode=True)
    assert check["summary"]["none"] == 0
    return steps(check)


def certain(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The results without what nobody can tell of an invitation beforehand."""
    return [{**entry, "changed": None} if entry["action"] == "invite" else entry for entry in result["results"]]


def steps(result: dict[str, Any]) -> list[str]:
    return [entry["step"] for entry in result["results"] if entry["step"]]


@pytest.mark.parametrize(
    ("switch", "value"), [(switch, value) for switch, values in PRESENTATION.items() for value in values[1:]]
)
def test_no_switch_of_presentation_changes_an_id(emulator, plain, switch, value):
    emulator.behave(**{switch: value})
    check = converge(emulator.base_url, BLUEPRINT, check_mode=True, workers=8)
    assert steps(check) == plain
    run = converge(emulator.base_url, BLUEPRINT, approved=plain, workers=1)
    assert certain(run) == certain(check)
    assert run["steps"] == []


def test_ids_of_digits_may_be_text_or_numbers(emulator):
    emulator.behave(ids="numeric")
    emulator.seed(**PLATFORM)
    rewritten: list[str] = []

    def relay(asked: Asked) -> Answer:
        headers = {"Authorization": asked.headers["Authorization"]}
        answer = requests.get(emulator.base_url + asked.target, headers=headers, timeout=30)
        text, count = re.subn(r'("\w*[iI]d":\s*)"(\d+)"', r"\1\2", answer.text) if rewritten else (answer.text, 0)
        rewritten.extend([asked.target] * bool(count))
        return Answer(answer.status_code, text.encode(), {"Content-Type": "application/json"})

    with scripted(relay) as server:
        text = converge(server.base_url, BLUEPRINT, check_mode=True)
        rewritten.append("from now on")
        numbers = converge(server.base_url, BLUEPRINT, check_mode=True)
    assert len(rewritten) > len(PLATFORM["teams"])
    assert numbers["results"] == text["results"]
