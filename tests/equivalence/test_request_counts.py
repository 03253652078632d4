# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many requests a loop sends, to the last one; and that what a loop keeps is not used where it
may be wrong.
"""

import itertools
import math
from collections import Counter

import pytest

PAGE = 100
ACME = {"team": "acme"}


def project(**options):
    return {"hosting.platform.project": {**ACME, **options}}


def names(count):
    return [f"site-{number:03}" for number in range(count)]


def counted(play):
    (task,) = play.tasks
    assert task.status == "ok", task.result
    return Counter(request["operation"] for request in task.requests)


def outcomes_of_items(play):
    """The outcomes of the items of a loop: whether changed, or the message of a failure."""
    return [item.get("msg", item["changed"]) for item in play.tasks[0].result["results"]]


@pytest.fixture
def emulator(emulator):
    emulator.seed(teams=[{"slug": "acme", "name": "Acme"}, {"slug": "other"}])
    return emulator


def test_unchanged_loop(player):
    player.emulator.seed(
        projects=[{"name": name, **ACME, "framework": "vue"} for name in names(150)]
    )
    player.emulator.forget_requests()
    play = player.run([{**project(name="{{ item }}", framework="vue"), "loop": names(150)}])
    assert not any(outcomes_of_items(play))
    assert counted(play) == {
        "GET /teams": 1,
        "GET /projects/{idOrName}": 1,
        "GET /projects": math.ceil(150 / PAGE),
    }


def test_tokens_teams_and_addresses_are_never_mixed(player):
    """Each team has one project, and one owner, and nothing is at the other address.

    A list that served another would find a project missing, or present.
    """
    tokens = {"mine": player.emulator.token, "theirs": "stranger-token-0123456789abcdef"}
    player.emulator.seed(users=[{"email": "stranger@example.com", "token": tokens["theirs"]}])
    player.emulator.seed(teams=[{"slug": "strange", "owner": "stranger@example.com"}])
    there = {"acme": ("mine", "a"), "other": ("mine", "b"), "strange": ("theirs", "c")}
    player.emulator.seed(
        projects=[{"name": name, "team": team} for team, (_token, name) in there.items()]
    )
    here = player.emulator.base_url
    asked = list(itertools.product("abc", (here, "http://127.0.0.1:1"), there, tokens))
    options = {"base_url": "{{ item[1] }}", "team": "{{ item[2] }}", "max_retries": 0}
    task = {
        **project(**options, name="{{ item[0] }}", access_token="{{ tokens[item[3]] }}"),
        "loop": [list(item) for item in asked],
        "check_mode": True,
        "vars": {"tokens": tokens},
    }
    for (name, address, team, token), outcome in zip(
        asked, outcomes_of_items(player.run([task])), strict=True
    ):
        owner, its_name = there[team]
        if address != here:
            assert "could not connect" in str(outcome)
        elif token != owner:
            # Check mode takes the team, which this token cannot see, for one that an earlier task
            # makes.
            assert outcome is True
        else:
            assert outcome is (name != its_name)


def test_attempt_of_until_and_each_item_of_other_modules_read_anew(player):
    """Only single objects are served from kept lists."""
    player.emulator.seed(projects=[{"name": "a", **ACME}])
    until = {**project(name="a"), "register": "r", "until": "r.changed", "retries": 1, "delay": 0}
    info = {"hosting.platform.project_info": ACME, "loop": [1, 2, 3]}
    blueprint = {**ACME, "blueprint": {"projects": [{"name": "a"}, {"name": "b"}]}}
    plan = {"hosting.platform.blueprint": blueprint, "loop": [1, 2], "check_mode": True}
    lists = [
        [request["operation"] for request in task.requests]
        for task in player.run([until, info, plan]).tasks
    ]
    assert [operations.count("GET /teams") for operations in lists] == [2, 3, 2]
