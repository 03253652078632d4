# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong input, and a service that is not as it should be: a clear message, a failure, no traceback, no token."""

from __future__ import annotations

import datetime
import json
from typing import Any

from emulated import OWNER_TOKEN
from playing import Play, Player
from sampling import both_ways

Options = dict[str, Any]
NO_CALL = dict.fromkeys(["operation", "method", "path", "status", "code", "message"])


def assert_clean(play: Play, secret: str = OWNER_TOKEN) -> None:
    assert "Traceback" not in play.output
    assert secret not in play.output
    assert secret not in json.dumps(play.results)


# Refused before the first request: module, options, words of the message.
REFUSED = [
    ("project", {"name": "x" * 101}, ["name", "101", "at most 100"]),
    ("project", {"name": ""}, ["name", "empty"]),
    ("project", {"id": "", "name": "web"}, ["id", "empty"]),
    ("project", {"framework": "astro"}, ["one of the following is required: name, id"]),
    ("project", {"name": "web", "state": "gone"}, ["state", "present", "absent"]),
    ("project", {"name": "web", "framwork": "astro"}, ["framwork", "framework"]),
    ("team", {"slug": ""}, ["slug", "empty"]),
    ("team", {"name": "Acme"}, ["one of the following is required: slug, id"]),
    ("team", {"slug": "acme", "name": "x" * 257}, ["name", "257", "at most 256"]),
    ("team", {"slug": "acme", "description": "x" * 141}, ["description", "141", "at most 140"]),
    ("project_info", {"name": "web", "limit": 3}, ["mutually exclusive", "name", "limit"]),
    ("project_info", {"name": "web", "id": "prj_1"}, ["mutually exclusive", "name", "id"]),
    ("project_info", {"limit": 0}, ["limit", "1 or more"]),
    ("project", {"name": "web", "unlisted_fields": "drop"}, ["unlisted_fields", "keep", "clear"]),
    ("blueprint", {"blueprint": {}, "limits": {"delet": 1}}, ["limits.delet", "Supported parameters", "delete"]),
    ("blueprint", {"blueprint": {}, "limits": {"delete": "many"}}, ["limits", "delete", "int"]),
    ("blueprint", {"blueprint": {}, "limits": {"delete": -1}}, ["limits", "delete", "0 or more"]),
    ("blueprint", {"blueprint": {}, "limits": True}, ["limits must be a dictionary, and is a boolean."]),
    ("blueprint", {"blueprint": {}, "limits": [10]}, ["limits must be a dictionary, and is a list."]),
    ("team_info", {"team": ""}, ["team", "empty"]),
    ("user_info", {"base_url": "platform.example.com"}, ["base_url", "scheme"]),
    ("user_info", {"base_url": "http://user:secret@localhost"}, ["base_url", "user info"]),
    ("user_info", {"base_url": "http://localhost/?x=1"}, ["base_url", "query"]),
    ("user_info", {"base_url": "http://localhost/#x"}, ["base_url", "fragment"]),
    ("user_info", {"base_url": "http://localhost:abc"}, ["base_url"]),
    ("user_info", {"base_url": "http://"}, ["base_url", "host"]),
    ("user_info", {"timeout": 0}, ["timeout", "above 0"]),
    ("user_info", {"max_retries": -1}, ["max_retries", "0 or more"]),
    ("user_info", {"max_retry_delay": -1}, ["max_retry_delay", "0 or more"]),
    ("user_info", {"ca_path": "/nowhere/ca.pem"}, ["ca_path", "/nowhere/ca.pem"]),
    ("user_info", {"client_key": "/nowhere/key.pem"}, ["client_key", "/nowhere/key.pem"]),
]


def test_refused_before_the_first_request(player: Player) -> None:
    play = player.run([{f"hosting.platform.{module}": options} for module, options, _words in REFUSED], "-vvvv")

    assert_clean(play)
    assert "user:secret@" not in json.dumps([task.result["msg"] for task in play.tasks])
    for task, (_module, _options, words) in zip(play.tasks, REFUSED, strict=True):
        assert task.status == "failed"
        assert [word for word in words if word not in task.result["msg"]] == [], task.result["msg"]
        assert task.result.get("failure", NO_CALL) == NO_CALL
        assert task.requests == []


@both_ways
def test_date_is_no_text(player: Player, in_process: str) -> None:
    date = datetime.date(2026, 1, 31)
    entry = {"name": datetime.datetime(2026, 1, 31, 3, 14), "source": "projects.yml:3"}
    refused: list[tuple[str, Options, list[str]]] = [
        ("project", {"name": date}, ["name must be text, and is a date. Quote it."]),
        ("project", {"name": "web", "previously": ["old", date]}, ["previously[1] must be text, and is a date."]),
        ("alias", {"alias": "w.example.com", "project": "web", "parameters": {"to": date}}, ["parameters", "Quote"]),
        ("blueprint", {"blueprint": {}, "limits": date}, ["limits must be a dictionary, and is a date."]),
        ("blueprint", {"blueprint": {}, "protect": [{"name": date}]}, ["protect[0].name must be text, and is a date."]),
        (
            "blueprint",
            {"blueprint": {"projects": [entry, {"name": True}]}},
            ["projects[0] (projects.yml:3): name must be text, and is a date.", "projects[0] True: name must be text"],
        ),
    ]

    tasks = [{f"hosting.platform.{module}": options} for module, options, _words in refused]
    play = player.run(tasks, HOSTING_PLATFORM_IN_PROCESS=in_process)

    assert_clean(play)
    for task, (_module, _options, words) in zip(play.tasks, refused, strict=True):
        assert [word for word in words if word not in task.result["msg"]] == [], task.result["msg"]
        assert task.failure == NO_CALL
        assert task.requests == []


def test_token_that_cannot_be_sent(player: Player) -> None:
    tokens = [
        "line-1-of-the-token\nline-2-of-the-token",
        "tokén-0123456789",
        "with spaces 0123456789",
        "tab\t0123456789",
    ]
    tasks = [
        {
            "hosting.platform.user_info": {},
            "environment": {"HOSTING_PLATFORM_ACCESS_TOKEN": f"{{{{ tokens[{number}] }}}}"},
        }
        for number in range(len(tokens))
    ]

    # In a file of their own: ansible-core shows the command, and the lines of a playbook around a task that fails.
    (player.folder / "tokens.json").write_text(json.dumps({"tokens": tokens}))
    play = player.run(tasks, "-vvvv", "-e", "@tokens.json")

    for token, task in zip(tokens, play.tasks, strict=True):
        assert_clean(play, token)
        assert "access_token" in task.result["msg"]
        assert task.failure == NO_CALL
        assert task.requests == []


def test_token_or_address_missing(player: Player) -> None:
    unset = {"HOSTING_PLATFORM_ACCESS_TOKEN": "", "HOSTING_PLATFORM_BASE_URL": None}

    play = player.run([{"hosting.platform.user_info": {}}], **unset)

    for option in ("access_token", "base_url"):
        assert f"{option}: is not set." in play.results[0]["msg"]
        assert f"HOSTING_PLATFORM_{option.upper()}" in play.results[0]["msg"]
    assert play.tasks[0].failure == NO_CALL
    assert play.tasks[0].requests == []


def test_wrong_token(player: Player) -> None:
    wrong = "wrong-token-0123456789"

    play = player.run([{"hosting.platform.project_info": {}}], "-vvvv", HOSTING_PLATFORM_ACCESS_TOKEN=wrong)

    assert_clean(play, wrong)
    failure = play.tasks[0].failure
    assert failure == {**NO_CALL, "operation": "GET /projects", "method": "GET", "path": "/projects", "status": 401}
    assert "access_token" in play.results[0]["msg"]


def test_no_permission(player: Player) -> None:
    token = "viewer-token-0123456789"
    player.emulator.seed(
        users=[{"email": "viewer@example.com", "token": token}],
        teams=[{"slug": "acme", "members": [{"email": "viewer@example.com", "role": "VIEWER"}]}],
    )

    task = {"hosting.platform.project": {"name": "web", "team": "acme"}}
    play = player.run([task], HOSTING_PLATFORM_ACCESS_TOKEN=token)

    assert_clean(play, token)
    failure = play.tasks[0].failure
    assert (failure["operation"], failure["status"], failure["code"]) == ("POST /projects", 403, None)
    assert failure["message"]
    assert failure["message"].rstrip(".") in play.results[0]["msg"]
    assert player.emulator.state()["projects"] == []


def test_server_down(player: Player) -> None:
    play = player.run([{"hosting.platform.user_info": {"base_url": "http://127.0.0.1:1", "max_retries": 2}}], "-vvvv")

    assert_clean(play)
    assert play.tasks[0].failure == {**NO_CALL, "operation": "GET /user", "method": "GET", "path": "/user"}
    assert "3 tries" in play.results[0]["msg"]
    assert "base_url" in play.results[0]["msg"]


def test_html_instead_of_json(player: Player) -> None:
    player.emulator.fail("GET /user", "html", count=10)

    play = player.run([{"hosting.platform.user_info": {"max_retries": 1}}])

    assert_clean(play)
    assert play.tasks[0].failure["status"] == 200
    assert "not the JSON" in play.results[0]["msg"]
    assert "base_url" in play.results[0]["msg"]


def test_objects_that_are_not_there(player: Player) -> None:
    cases = [
        ({"hosting.platform.project": {"id": "prj_none"}}, ["id", "prj_none"]),
        ({"hosting.platform.team": {"id": "team_none"}}, ["id", "team_none"]),
        ({"hosting.platform.project": {"name": "web", "team": "nobody"}}, ["team", "nobody"]),
        ({"hosting.platform.project": {"name": "web", "team": "nobody", "state": "absent"}}, ["team", "nobody"]),
        ({"hosting.platform.project_info": {"team": "nobody"}}, ["team", "nobody"]),
    ]

    play = player.run([task for task, _words in cases])

    assert_clean(play)
    for task, (_task, words) in zip(play.tasks, cases, strict=True):
        assert task.failure == NO_CALL
        assert [word for word in words if word not in task.result["msg"]] == []
        assert task.writes == []


def test_info_of_what_is_not_there_is_empty(player: Player) -> None:
    play = player.run(
        [
            {"hosting.platform.project_info": {"name": "web"}},
            {"hosting.platform.project_info": {"id": "prj_none"}},
            {"hosting.platform.team_info": {"team": "nobody"}},
            {"hosting.platform.team_info": {"team": "x"}},
        ]
    )

    assert [task.status for task in play.tasks] == ["ok"] * 4
    assert [task.result.get("projects", task.result.get("teams")) for task in play.tasks] == [[]] * 4


def test_odd_names(player: Player) -> None:
    names = ["a b", "a/b", "100%", "%2F", 'quo"te', "it's", "näme", "名前", "12345", "true", ".", "..", "a?b#c", "+"]
    names += ["{{ 7 * 6 }}", "-", "null", "2026-11-20", "x" * 100]
    player.emulator.seed(teams=[{"slug": "acme"}])
    unsafe = [json.loads(json.dumps(name)) for name in names]
    (player.folder / "names.json").write_text(json.dumps(unsafe), encoding="utf-8")
    loop = "{{ lookup('ansible.builtin.file', 'names.json') | from_json }}"
    task = {"hosting.platform.project": {"name": "{{ item }}", "team": "acme", "framework": "astro"}, "loop": loop}
    gone = {"hosting.platform.project": {"name": "{{ item }}", "team": "acme", "state": "absent"}, "loop": loop}

    play = player.run([task, task, gone])

    assert_clean(play)
    created, again, deleted = play.tasks
    assert [item["changed"] for item in created.result["results"]] == [True] * len(names), play.output
    assert [item["project"]["name"] for item in created.result["results"]] == names
    assert [item["changed"] for item in again.result["results"]] == [False] * len(names)
    assert [item["changed"] for item in deleted.result["results"]] == [True] * len(names)
    assert again.writes == []
    assert player.emulator.state()["projects"] == []


def test_names_that_are_not_certain(player: Player) -> None:
    player.emulator.switch(duplicate_names="allowed")
    player.emulator.seed(
        projects=[{"id": "prj_1", "name": "twin"}, {"id": "prj_2", "name": "twin"}, {"id": "prj_3", "name": "prj_1"}],
        teams=[{"id": "team_a", "slug": "one"}, {"id": "team_b", "slug": "team_a"}],
    )

    play = player.run(
        [
            {"hosting.platform.project": {"name": "twin", "framework": "astro"}},
            {"hosting.platform.project": {"name": "twin", "state": "absent"}},
            {"hosting.platform.project": {"name": "web", "team": "team_a"}},
            {"hosting.platform.project": {"id": "prj_3", "name": "wrong", "state": "absent"}},
            {"hosting.platform.project": {"id": "prj_3", "name": "twin"}},
        ]
    )

    assert [task.status for task in play.tasks] == ["failed"] * 5
    twin, twin_gone, team, wrong_name, taken = (task.result["msg"] for task in play.tasks)
    for message in (twin, twin_gone):
        assert "prj_1" in message
        assert "prj_2" in message
    assert "slug one" in team
    assert "slug team_a" in team
    assert "prj_1" in wrong_name
    assert "twin" in taken
    assert [task.writes for task in play.tasks] == [[]] * 5


def test_base_url_with_a_path_and_a_slash(player: Player) -> None:
    play = player.run([{"hosting.platform.user_info": {"base_url": f"{player.emulator.base_url}/api/v1/"}}])

    assert play.tasks[0].failure["path"] == "/api/v1/user"
    assert play.tasks[0].requests[0]["path"] == "/api/v1/user"


def test_token_is_read_from_the_task_too(player: Player) -> None:
    task = {"hosting.platform.user_info": {}, "environment": {"HOSTING_PLATFORM_ACCESS_TOKEN": OWNER_TOKEN}}

    play = player.run([task], HOSTING_PLATFORM_ACCESS_TOKEN=None)

    assert play.results[0]["user"]["email"] == "owner@example.com"
