# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The token in a file: both ways of running, and a token that changes."""

from pathlib import Path
from typing import Any

import pytest
from emulated import OWNER_TOKEN
from player import Player
from sampling import both_ways

OTHER_TOKEN = "other-token-0123456789abcdef"


@pytest.fixture
def token_file(player: Player) -> Path:
    """The file takes the place of the variable."""
    path = player.folder / "token"
    path.write_text(f"{OWNER_TOKEN}\n")
    path.chmod(0o600)
    player.environment["HOSTING_PLATFORM_ACCESS_TOKEN"] = ""
    player.environment["HOSTING_PLATFORM_ACCESS_TOKEN_PATH"] = str(path)
    return path


def user_info(**more: Any) -> dict[str, Any]:
    return {"hosting.platform.user_info": {}, **more}


@both_ways
def test_token_replaced_between_two_tasks_is_read_again(
    player: Player, token_file: Path, in_process: str
) -> None:
    player.emulator.seed(users=[{"email": "other@example.com", "token": OTHER_TOKEN}])
    # In a loop, the worker and its sessions live on.
    write = "lookup('ansible.builtin.pipe', 'printf ' ~ item ~ ' > ' ~ path) == ''"
    loop: dict[str, Any] = {
        "loop": [OTHER_TOKEN, OWNER_TOKEN, OTHER_TOKEN],
        "loop_control": {"label": "a token"},
        "when": write,
        "vars": {"path": str(token_file)},
    }
    play = player.run(
        [user_info(), user_info(**loop), user_info()], HOSTING_PLATFORM_IN_PROCESS=in_process
    )
    first, looped, last = play.tasks
    owner = first.result["user"]["email"]
    emails = [item["user"]["email"] for item in looped.result["results"]]
    assert emails == ["other@example.com", owner, "other@example.com"]
    assert last.result["user"]["email"] == "other@example.com"


@both_ways
def test_token_file_readable_by_others_warns_once(
    player: Player, token_file: Path, in_process: str
) -> None:
    token_file.chmod(0o644)
    player.emulator.seed(projects=[{"name": f"a-{OWNER_TOKEN}-b"}])
    (task,) = player.run(
        [{"hosting.platform.project_info": {}}], HOSTING_PLATFORM_IN_PROCESS=in_process
    ).tasks
    assert [project["name"] for project in task.result["projects"]] == ["a-********-b"]
    assert [str(token_file) in warning for warning in task.result["warnings"]] == [True]
