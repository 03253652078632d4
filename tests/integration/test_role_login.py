# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role login: the whole way from the request to the token's file, and nothing of it in the output."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
import requests
from playing import Play, Player

EMAIL = "owner@example.com"
PLAYBOOK = Path("hosting.platform.login")


def given(path: str) -> dict[str, str]:
    return {"login_email": EMAIL, "login_token_name": "job", "login_token_path": path}


def log_in(player: Player, path: Path, *arguments: str, **environment: str | None) -> Play:
    values = given(str(path.relative_to(player.folder)))
    return player.run_file(PLAYBOOK, "-e", json.dumps(values), *arguments, **environment)


def click(player: Player, done: threading.Event) -> None:
    """What the user does as soon as there is a message, and the verification was asked for in vain."""
    while not done.wait(0.05):
        if any(request["path"] == "/auth/verify" for request in player.emulator.requests):
            (mail,) = requests.get(f"{player.emulator.control_url}/outbox", timeout=10).json()
            requests.get(mail["link"], timeout=10)
            return


def secrets_of(player: Player) -> list[str]:
    """The tokens that travelled, as the emulator's log knows them."""
    return [
        value
        for request in player.emulator.requests
        for value in (request.get("query") or {}).values()
        if value != EMAIL
    ]


def test_login_writes_the_token_and_shows_nothing_of_it(player: Player) -> None:
    path = player.folder / "token"
    path.write_text("an old token, readable by all")
    path.chmod(0o644)
    done = threading.Event()
    user = threading.Thread(target=click, args=(player, done))
    user.start()

    play = log_in(player, path, "-vvvv", "--diff", HOSTING_PLATFORM_ACCESS_TOKEN=None)

    done.set()
    user.join()
    assert play.return_code == 0, play.output
    token = path.read_text()
    assert os.stat(path).st_mode & 0o777 == 0o600
    headers = {"Authorization": f"Bearer {token}"}
    answer = requests.get(f"{player.emulator.base_url}/user", headers=headers, timeout=10)
    assert EMAIL in answer.text
    (mail,) = requests.get(f"{player.emulator.control_url}/outbox", timeout=10).json()
    code = next(task.result["msg"] for task in play.tasks if task.name.endswith("Show what to do")).split()[-1]
    assert code.rstrip(".") in mail["text"]
    secrets = [token, *secrets_of(player)]
    assert len(secrets) > 1
    assert [secret for secret in secrets if secret in play.output] == []
    assert "an old token" not in play.output


def test_nothing_is_sent_in_check_mode_or_where_the_directory_is_missing(player: Player) -> None:
    cases: list[tuple[Path, tuple[str, ...], int]] = [
        (player.folder / "token", ("--check",), 0),
        (player.folder / "missing" / "token", (), 2),
    ]
    for path, arguments, return_code in cases:
        play = log_in(player, path, *arguments)
        assert play.return_code == return_code, play.output
        assert player.emulator.requests == []
        assert not path.exists()
        assert ("its directory is not there" in play.output) is bool(return_code)


def test_no_login_is_requested_for_a_directory(player: Player) -> None:
    folder = player.folder / "folder"
    folder.mkdir(mode=0o755)
    link = player.folder / "link"
    link.symlink_to(folder)
    include: dict[str, Any] = {"ansible.builtin.include_role": {"name": "hosting.platform.login"}}
    paths = ["folder", "folder/", str(folder), f"{folder}/", ".", "~", "link"]
    tasks = [
        {"block": [{**include, "vars": given(path)}], "rescue": [{"name": "Caught", "ansible.builtin.debug": {}}]}
        for path in paths
    ]

    play = player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}], HOME=str(folder))

    refusals = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    assert refusals == [
        f"The token cannot be written to {path}: it is a directory, or a file that is not writable."
        " Set login_token_path to a file. No login was requested."
        for path in paths
    ]
    assert player.emulator.requests == []
    assert folder.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("fault", ["POST /auth/signin", "GET /auth/verify"])
def test_failure_is_told_in_spite_of_hidden_results(player: Player, fault: str) -> None:
    player.emulator.fail(fault, "500", count=10)
    environment: dict[str, Any] = {"HOSTING_PLATFORM_MAX_RETRIES": "1"}

    play = log_in(player, player.folder / "token", **environment)

    assert play.return_code == 2
    assert f"{fault} failed" in play.output
    assert not (player.folder / "token").exists()
    assert [secret for secret in secrets_of(player) if secret in play.output] == []
