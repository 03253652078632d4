# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many requests a loop sends, to the last one; and that what a loop keeps is not used where it may be wrong."""

from __future__ import annotations

import itertools
import json
import math
import shlex
import sys
from collections import Counter

import pytest

PAGE = 100
ACME = {"team": "acme"}
# Templated for its item alone, right before that item runs: so somebody else can act while a loop is under way.
MEANWHILE = "{{ item.meanwhile is defined and lookup('ansible.builtin.pipe', item.meanwhile) or omit }}"


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


def somebody_else(emulator, method, path, body=None):
    """A command that sends this request. The token is no part of it, because the items of a loop are shown."""
    content = json.dumps(body).encode() if body else None
    headers = (
        "{'Content-Type': 'application/json', 'Authorization': 'Bearer ' + environ['HOSTING_PLATFORM_ACCESS_TOKEN']}"
    )
    request = f"Request({emulator.base_url + path!r}, {content!r}, {headers}, method={method!r})"
    imports = "from os import environ; from urllib.request import Request, urlopen"
    return shlex.join([sys.executable, "-c", f"{imports}; urlopen({request})"])


def deletion(emulator, name):
    (found,) = [item for item in emulator.state()["projects"] if item["name"] == name]
    return somebody_else(emulator, "DELETE", f"/projects/{found['id']}?teamId={found['teamId']}")


def creation(emulator, name):
    (team,) = [item for item in emulator.state()["teams"] if item["slug"] == "acme"]
    return somebody_else(emulator, "POST", "/projects", {"name": name, "teamId": team["id"]})


def loop(meanwhile, *quiet, **options):
    """A loop over projects; while it is under way, before its last item, that command runs."""
    items = [{"name": name} for name in quiet]
    items[-1]["meanwhile"] = meanwhile
    return {**project(name="{{ item.name }}", dev_command=MEANWHILE, **options), "loop": items}


@pytest.fixture
def emulator(emulator):
    emulator.seed(teams=[{"slug": "acme", "name": "Acme"}, {"slug": "other"}])
    return emulator


def test_unchanged_loop(player):
    player.emulator.seed(projects=[{"name": name, **ACME, "framework": "vue"} for name in names(250)])
    player.emulator.forget_requests()
    play = player.run([{**project(name="{{ item }}", framework="vue"), "loop": names(250)}])
    assert not any(outcomes_of_items(play))
    assert counted(play) == {"GET /teams": 1, "GET /projects/{idOrName}": 1, "GET /projects": math.ceil(250 / PAGE)}


def test_attempt_of_until_asks_the_service(player):
    """Deleted between the tries: the second must not find it in memory."""
    player.emulator.seed(projects=[{"name": name, **ACME} for name in names(3)])
    last = names(3)[-1]
    task = {
        **project(name="{{ item }}"),
        "loop": names(3),
        "register": "r",
        "until": "item != last or r.changed or lookup('ansible.builtin.pipe', gone) == 'never'",
        "retries": 1,
        "delay": 0,
        "vars": {"last": last, "gone": deletion(player.emulator, last)},
    }
    (played,) = player.run([task]).tasks
    assert [(item["attempts"], item["changed"]) for item in played.result["results"]] == [(1, False)] * 2 + [(2, True)]


@pytest.mark.parametrize(
    ("act", "items", "options", "outcomes", "left"),
    [
        pytest.param(deletion, names(4), {"framework": "vue"}, {True}, "vue", id="deleted, and wanted changed"),
        pytest.param(deletion, names(4), {"state": "absent"}, {True, False}, None, id="deleted, and wanted absent"),
        pytest.param(creation, [*names(3), "new"], {}, {False}, "", id="created, and wanted"),
    ],
)
def test_loop_copes_with_concurrent_changes_by_others(player, act, items, options, outcomes, left):
    """Somebody else deletes or creates the last of the items; ``left`` is the framework of all that are left."""
    player.emulator.seed(projects=[{"name": name, **ACME} for name in items if name != "new"])
    task = loop(act(player.emulator, items[-1]), *items, **options)
    assert set(outcomes_of_items(player.run([task]))) <= outcomes
    found = {item["name"]: item["framework"] or "" for item in player.emulator.state()["projects"]}
    assert found == ({} if left is None else dict.fromkeys(items, left))


def test_alias_finds_a_project_created_during_the_loop(player):
    """An alias of a project that the list in memory lacks."""
    player.emulator.seed(projects=[{"name": name, **ACME} for name in names(3)])
    task = loop(creation(player.emulator, "new"), *names(3), "new")
    options = {**ACME, "alias": "{{ item.name }}.example.com", "project": "{{ item.name }}", "timeout": MEANWHILE}
    del task["hosting.platform.project"]
    assert outcomes_of_items(player.run([{**task, "hosting.platform.alias": options}])) == [True] * 4


def test_tokens_teams_and_addresses_are_never_mixed(player):
    """Each team has one project, and one owner, and nothing is at the other address.

    A list that served another would find a project missing, or present.
    """
    tokens = {"mine": player.emulator.token, "theirs": "stranger-token-0123456789abcdef"}
    player.emulator.seed(users=[{"email": "stranger@example.com", "token": tokens["theirs"]}])
    player.emulator.seed(teams=[{"slug": "strange", "owner": "stranger@example.com"}])
    there = {"acme": ("mine", "a"), "other": ("mine", "b"), "strange": ("theirs", "c")}
    player.emulator.seed(projects=[{"name": name, "team": team} for team, (_token, name) in there.items()])
    here = player.emulator.base_url
    asked = list(itertools.product("abc", (here, "http://127.0.0.1:1"), there, tokens))
    options = {"base_url": "{{ item[1] }}", "team": "{{ item[2] }}", "max_retries": 0}
    task = {
        **project(**options, name="{{ item[0] }}", access_token="{{ tokens[item[3]] }}"),
        "loop": [list(item) for item in asked],
        "check_mode": True,
        "vars": {"tokens": tokens},
    }
    for (name, address, team, token), outcome in zip(asked, outcomes_of_items(player.run([task])), strict=True):
        owner, its_name = there[team]
        if address != here:
            assert "could not connect" in str(outcome)
        elif token != owner:
            assert f"team: {team} is neither" in str(outcome)
        else:
            assert outcome is (name != its_name)


def test_only_single_objects_are_served_from_kept_lists(player):
    """Each item of the others reads anew."""
    player.emulator.seed(projects=[{"name": "a", **ACME}])
    team = "{{ lookup('ansible.builtin.pipe', item) }}acme"
    info = {"hosting.platform.project_info": {"team": team}, "loop": ["true", "true", creation(player.emulator, "b")]}
    wanted = {"projects": [{"name": "a"}, {"name": "b"}]}
    blueprint = {"hosting.platform.blueprint": {**ACME, "blueprint": wanted}, "loop": [1, 2], "check_mode": True}
    read, planned = player.run([info, blueprint]).tasks
    assert [len(item["projects"]) for item in read.result["results"]] == [1, 1, 2]
    assert Counter(request["operation"] for request in read.requests)["GET /projects"] == 3
    assert Counter(request["operation"] for request in planned.requests)["GET /projects"] == 2
