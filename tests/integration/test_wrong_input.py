# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong input, and a service that is not as it should be: a clear message, a failure, no traceback,
no token.
"""

import datetime
import json
from typing import Any

import pytest
from folders import write
from player import Player
from sampling import both_ways

Options = dict[str, Any]
TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"
ADDRESS = "HOSTING_PLATFORM_BASE_URL"
WRONG_TOKEN = "wrong-token-0123456789"
VIEWERS_TOKEN = "viewer-token-0123456789"
NOWHERE = "http://127.0.0.1:1"
HERE = f"{{{{ lookup('ansible.builtin.env', '{ADDRESS}') }}}}"
INVITATION = {"team": "acme", "email": "a@example.com", "role": "VIEWER"}


# Refused before the first request, one for each module;
# tests/unit/plugins/module_utils/_run/test_wrong_options.py has the others. Module, options, words
# of the message.
REFUSED = [
    ("project", {"name": "web", "framwork": "astro"}, ["framwork", "framework"]),
    ("project_info", {"name": "web", "limit": 3}, ["mutually exclusive", "name", "limit"]),
    ("team", {"slug": "acme", "name": "x" * 257}, ["name", "257", "at most 256"]),
    ("team_info", {"team": ""}, ["team is empty: a template"]),
    ("team_member", {**INVITATION, "role": "KING"}, ["OWNER, MEMBER, DEVELOPER"]),
    ("domain_info", {"name": ""}, ["name", "empty"]),
    (
        "blueprint",
        {"blueprint": {}, "limits": {"delet": 1}},
        ["limits.delet is not an option. Did you mean delete?"],
    ),
    ("user_info", {"base_url": "http://user:secret@localhost"}, ["base_url", "user info"]),
    ("user_info", {"base_url": ""}, ["base_url is empty: a template", f"to use {ADDRESS}."]),
    ("user_info", {"team": "acme"}, ["team is not an option.", "hosting.platform.team_scoped."]),
]


def test_refused_before_the_first_request(player: Player) -> None:
    play = player.run(
        [{f"hosting.platform.{module}": options} for module, options, _words in REFUSED], "-vvvv"
    )

    assert "user:secret@" not in json.dumps([task.result["msg"] for task in play.tasks])
    for task, (_module, _options, words) in zip(play.tasks, REFUSED, strict=True):
        assert task.status == "failed"
        assert [word for word in words if word not in task.result["msg"]] == [], task.result["msg"]
        assert "failure" not in task.result
        assert task.requests == []


ADDRESSES = {
    "www.example.com/": " Write www.example.com.",
    "www.example.com:443": " Write www.example.com.",
    "user@www.example.com": " Write www.example.com.",
    "www..example.com": "",
    "www example.com": "",
}


@both_ways
def test_the_text_of_an_address_bar_is_no_host_name(player: Player, in_process: str) -> None:
    tasks: list[Options] = [
        {
            "hosting.platform.alias": {"alias": "{{ item }}", "project": "shop", "team": "acme"},
            "loop": list(ADDRESSES),
        },
        {"hosting.platform.project": {"name": "shop", "alias": "https://shop.example.com/"}},
        {"hosting.platform.domain": {"name": "https://example.com", "state": "absent"}},
        {"hosting.platform.login_request": {"email": "Ada <ada@example.com>", "token_name": "a"}},
    ]
    aliases, project, domain, login = player.run(
        tasks, HOSTING_PLATFORM_IN_PROCESS=in_process
    ).results
    assert [item["msg"] for item in aliases["results"]] == [
        f"alias must be a host name.{advice}" for advice in ADDRESSES.values()
    ]
    assert project["msg"] == "alias must be a host name. Write shop.example.com."
    assert domain["msg"] == "name must be a host name. Write example.com."
    assert login["msg"] == "email must be an email address, such as ada@example.com."
    assert player.emulator.requests() == []


@both_ways
def test_a_time_in_seconds_draws_a_warning(player: Player, in_process: str) -> None:
    task = {"hosting.platform.project_info": {"since": 1_700_000_000, "own_scope": True}}
    (result,) = player.run([task], HOSTING_PLATFORM_IN_PROCESS=in_process).results
    assert result["warnings"] == [
        "since: 1700000000 is a time in seconds, by its size, but the API counts milliseconds."
        " Write 1700000000000."
    ]


@both_ways
def test_a_wrong_variable_is_named(player: Player, in_process: str) -> None:
    task: Options = {
        "hosting.platform.user_info": {},
        "environment": {"HOSTING_PLATFORM_MAX_RETRIES": "-1"},
    }
    (retries,) = player.run([task], HOSTING_PLATFORM_IN_PROCESS=in_process).results
    assert retries["msg"].startswith("HOSTING_PLATFORM_MAX_RETRIES: must be a whole number from 0")


@both_ways
def test_a_date_becomes_text_where_text_is_expected(player: Player, in_process: str) -> None:
    date = datetime.date(2026, 1, 31)
    tasks: list[Options] = [
        {"hosting.platform.project": {"name": date}},
        {
            "hosting.platform.blueprint": {
                "blueprint": {"projects": [{"name": date}]},
                "protect": [{"name": date}],
            }
        },
        {"hosting.platform.blueprint": {"blueprint": {}, "limits": date}},
    ]
    play = player.run(tasks, HOSTING_PLATFORM_IN_PROCESS=in_process)
    created, planned, refused = play.tasks
    assert created.result["project"]["name"] == "2026-01-31"
    assert planned.result["results"][0]["name"] == "2026-01-31"
    assert planned.result["summary"]["none"] == 1
    assert "limits must be a dictionary, and is text." in refused.result["msg"]
    assert refused.requests == []


def call(operation: str, status: int | None) -> Options:
    method, path = operation.split()
    others: Options = {"code": None, "message": None}
    return {"operation": operation, "method": method, "path": path, "status": status, **others}


INVITING = {**call("POST /teams/{teamId}/members", 403), "path": "/teams/team_acme/members"}
WITH_PATH = {**call("GET /user", 501), "path": "/api/v1/user", "code": 501}
# What a call meets: module, options, environment, what the failure tells of the call, and words of
# the message.
MET: list[tuple[str, Options, Options, Options, list[str]]] = [
    ("project_info", {}, {TOKEN: WRONG_TOKEN}, call("GET /projects", 401), [TOKEN]),
    (
        "project",
        {"name": "web", "team": "acme"},
        {TOKEN: VIEWERS_TOKEN},
        call("POST /projects", 403),
        [],
    ),
    ("team_member", INVITATION, {TOKEN: VIEWERS_TOKEN}, INVITING, []),
    (
        "user_info",
        {"base_url": NOWHERE, "max_retries": 2},
        {},
        call("GET /user", None),
        ["3 attempts", "base_url"],
    ),
    ("user_info", {"base_url": f"{HERE}/api/v1/"}, {}, WITH_PATH, []),
    (
        "domain_info",
        {"max_retries": 1},
        {},
        call("GET /domains", 200),
        ["not the JSON", "base_url"],
    ),
]


def test_call_that_fails_is_told(player: Player) -> None:
    player.emulator.seed(
        users=[{"email": "viewer@example.com", "token": VIEWERS_TOKEN}],
        teams=[
            {
                "id": "team_acme",
                "slug": "acme",
                "members": [{"email": "viewer@example.com", "role": "VIEWER"}],
            }
        ],
    )
    player.emulator.plan_fault("GET /domains", "html", count=10)
    tasks = [
        {f"hosting.platform.{module}": options, "environment": environment}
        for module, options, environment, _failure, _words in MET
    ]

    play = player.run(tasks, "-vvvv")

    for task, (_module, _options, _environment, failure, words) in zip(
        play.tasks, MET, strict=True
    ):
        assert {**task.failure, "message": None} == failure
        quoted = (task.failure["message"] or "").rstrip(".")
        assert quoted or failure["status"] != 403
        assert [word for word in [*words, quoted] if word not in task.result["msg"]] == [], (
            task.result["msg"]
        )
    assert player.emulator.state()["projects"] == []


WRONG_USE: list[tuple[Options, str]] = [
    (
        {"confirm": True},
        "confirm: there is no terminal, so nobody can answer. Nothing was sent. Approve a plan"
        " instead.",
    ),
    ({"directory": "nowhere"}, "directory: nowhere does not exist."),
    (
        {"directory": "link"},
        "directory: link is a link, and links are not followed. Name the directory to which it"
        " leads.",
    ),
    ({"wokers": 1}, "wokers is not an option. Did you mean workers?"),
    (
        {"client_key": "key.pem", "report": "key.pem"},
        "report and client_key name the same file, key.pem.",
    ),
    ({"blueprint": {}}, "directory and blueprint are both set. Remove one."),
]


@pytest.mark.core_differences
def test_wrong_use_is_said_before_the_first_request(player: Player) -> None:
    write(player.folder / "blueprint", teams="[{slug: acme}]")
    (player.folder / "link").symlink_to("blueprint")
    given = ({"directory": "blueprint", **options} for options, _words in WRONG_USE)
    play = player.run([{"hosting.platform.blueprint": options} for options in given])
    for task, (_given, words) in zip(play.tasks, WRONG_USE, strict=True):
        assert task.result["msg"].replace(f"{player.folder}/", "") == words
        assert (task.status, task.result["outcome"]) == ("failed", "Failed: nothing was changed.")
    assert player.emulator.requests() == []
    assert play.output.count("\nFailed: nothing was changed.\n") == len(WRONG_USE)


def test_keys_of_the_reader_of_files_are_unknown_to_a_task(player: Player) -> None:
    entry = {"name": "web", "_places": 5}
    blueprints = [{"projects": [entry], "_scopes": []}, {"projects": [entry]}]
    play = player.run([{"hosting.platform.blueprint": {"blueprint": one}} for one in blueprints])
    scopes, places = (failed["msg"] for failed in play.results)
    assert scopes == (
        "blueprint: unknown kind _scopes. Known names: teams, team_members, projects, aliases,"
        " domains."
    )
    assert places.startswith("projects[0] web: unknown option _places.")
