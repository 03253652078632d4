# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role login: the whole way from the request to the token's file, and nothing of it in the
output.
"""

import json
import os
import re
import stat
import subprocess
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import requests
from player import Play, Player
from stub_server import json_response, stub_server

from roles import Options, messages_of_caught, play_on, role, tasks_named, with_rescue

EMAIL = "owner@example.com"
PLAYBOOK = Path("hosting.platform.login")


def given(path: str) -> Options:
    return {"login_email": EMAIL, "login_token_name": "job", "login_token_path": path}


def log_in(player: Player, path: Path, *arguments: str, **environment: str | None) -> Play:
    values = given(str(path.relative_to(player.folder)))
    return player.run_file(PLAYBOOK, "-e", json.dumps(values), *arguments, **environment)


def secrets_of(player: Player) -> list[str]:
    """The tokens that travelled, as the emulator's log knows them."""
    queries = [request.get("query") or {} for request in player.emulator.requests()]
    values = chain.from_iterable(query.values() for query in queries)
    return [value for value in values if value != EMAIL]


def test_login_writes_the_token_and_shows_how_to_use_it_and_nothing_of_it(player: Player) -> None:
    path = player.folder / "my token"
    path.write_text("an old token, readable by all")
    path.chmod(0o644)

    with player.emulator.click_login_links():
        given = ("-vvvv", "--diff", "-e", "login_wait_timeout=77")
        play = log_in(player, path, *given, HOSTING_PLATFORM_ACCESS_TOKEN=None)

    token = path.read_text()
    assert os.stat(path).st_mode & 0o777 == 0o600
    headers = {"Authorization": f"Bearer {token}"}
    answer = requests.get(f"{player.emulator.base_url}/user", headers=headers, timeout=10)
    assert EMAIL in answer.text
    (mail,) = player.emulator.outbox()
    (to_do,), (next_step,) = (
        tasks_named(play, name) for name in ("Show what to do", "Show how to use the token")
    )
    (code,) = re.findall(r'security code "(.+?)"\.', to_do.result["msg"])
    assert code in mail["text"]
    assert "within 77 seconds" in to_do.result["msg"]
    (command,) = re.findall(
        r"export HOSTING_PLATFORM_ACCESS_TOKEN_PATH=.*", next_step.result["msg"]
    )
    assert command in play.output  # as it stands, without the escape sequences of JSON
    shown = f'{command} && cat "$HOSTING_PLATFORM_ACCESS_TOKEN_PATH"'
    done = subprocess.run(["bash", "-c", shown], check=True, text=True, capture_output=True)
    assert done.stdout == token
    secrets = [token, *secrets_of(player)]
    assert len(secrets) > 1
    assert [secret for secret in secrets if secret in play.output] == []
    assert "an old token" not in play.output


def test_login_sends_no_requests_in_check_mode(player: Player) -> None:
    path = player.folder / "token"
    play = log_in(player, path, "--check")
    assert player.emulator.requests() == []
    assert not path.exists()
    assert "export HOSTING_PLATFORM_ACCESS_TOKEN" not in play.output


def test_no_login_is_requested_for_what_is_no_file_or_no_time_to_wait(player: Player) -> None:
    folder = str(player.folder)
    roles = [role("login", **given(path)) for path in ("~", "$HOME", "missing/token")]
    roles += [
        role("login", **given("token"), login_wait_timeout=time) for time in (-1, 86401, "nan")
    ]
    play = play_on(player, *map(with_rescue, roles), HOME=folder)
    *of_place, negative, late, unclear = messages_of_caught(play)
    assert len(of_place) == 3
    refused = "login_wait_timeout: must be a number of seconds from 0 to 86400 (one day)."
    assert [negative, late, unclear] == [
        refused,
        refused,
        "login_wait_timeout must be a number, and is text.",
    ]
    assert player.emulator.requests() == []


def test_the_home_directory_is_that_of_the_shell_for_the_file_and_for_whoever_reads_it(
    player: Player,
) -> None:
    options = {**given("~/token"), "login_wait_timeout": None}
    with player.emulator.click_login_links():
        play = play_on(player, role("login", **options), HOME=str(player.folder))
    path = player.folder / "token"
    assert path.read_text()
    (to_do,), (next_step,) = (
        tasks_named(play, name) for name in ("Show what to do", "Show how to use the token")
    )
    assert "within 300 seconds" in to_do.result["msg"]
    assert next_step.result["msg"].endswith(f"export HOSTING_PLATFORM_ACCESS_TOKEN_PATH={path}")


def test_token_replaces_a_file_and_is_never_written_through_a_link(player: Player) -> None:
    path = player.folder / "token"
    victim = player.folder / "victim"
    victim.write_text("kept")

    def plant() -> None:
        path.unlink()
        path.symlink_to(victim)

    with player.emulator.click_login_links(before=plant):
        log_in(player, path)
    assert stat.S_ISREG(path.lstat().st_mode)
    assert path.lstat().st_mode & 0o777 == 0o600
    assert victim.read_text() == "kept"


def test_a_login_that_nobody_confirms_says_how_to_go_on(player: Player) -> None:
    """The security code is text of the service: a template in it does not run, and nothing in it
    moves a cursor.
    """
    path = player.folder / "token"
    path.write_text("the old one")
    code = "{{ 6 * 7 }} \u001b[2J\u202eCalm\u009b31m Otter\ufe0f"
    answers = (
        json_response({"token": "vrf_" + "0" * 32, "securityCode": code}),
        json_response({"code": 400, "message": "no"}, 400),
    )
    with stub_server(*answers) as service:
        given = {"HOSTING_PLATFORM_BASE_URL": service.base_url}
        play = log_in(player.expecting_failure, path, "-e", "login_wait_timeout=0", **given)
    (message,) = (task.result["msg"] for task in tasks_named(play, "Show what to do"))
    assert '"{{ 6 * 7 }} \\u001b[2J\\u202eCalm\\u009b31m Otter\\ufe0f".' in message
    failed = [task for task in play.tasks if task.status == "failed"][-1]
    assert "was not confirmed within 0 s" in failed.result["msg"]
    assert failed.result["msg"].endswith(
        "Run the playbook again to request another login. No token was written to token."
    )
    assert path.read_text() == "the old one"


@pytest.mark.parametrize("fault", ["POST /auth/signin", "GET /auth/verify"])
def test_failure_is_told_in_spite_of_hidden_results(player: Player, fault: str) -> None:
    player.emulator.plan_fault(fault, "500", count=10)
    environment: dict[str, Any] = {"HOSTING_PLATFORM_MAX_RETRIES": "1"}

    play = log_in(player.expecting_failure, player.folder / "token", **environment)

    assert f"{fault} failed" in play.output
    assert ("request another login" in play.output) == (fault == "GET /auth/verify")
    assert not (player.folder / "token").exists(), "what was made for the token is removed"
    assert [secret for secret in secrets_of(player) if secret in play.output] == []


def test_a_misspelled_option_is_said_beside_the_missing_one(player: Player) -> None:
    wrong = {"login_mail": EMAIL, "login_token_name": "job"}
    play = player.expecting_failure.run_file(PLAYBOOK, "-e", json.dumps(wrong))
    (failed,) = [task for task in play.tasks if task.status == "failed"]
    assert failed.result["msg"].split("\n") == [
        "login_mail is not an option of the role login. Did you mean login_email?",
        "login_email is required.",
        "login_token_path is required.",
    ]
    assert player.emulator.requests() == []
