# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge under an approved plan."""

import json

import pytest
from player import Player
from sampling import both_ways

from roles import (
    BLUEPRINT,
    Options,
    converge,
    failure,
    plan,
    play_on,
)

INVITING: Options = {
    "converge_blueprint": {
        **BLUEPRINT,
        "team_members": [{"team": "acme", "email": "dev@example.com", "role": "DEVELOPER"}],
    },
    "converge_invite": True,
}


def test_plan_of_another_platform_is_said_to_be_one(player: Player) -> None:
    play_on(player, converge(check=True))
    other = {**plan(player), "base_url": "https://\x1b[31m{{ 7 * 7 }}", "steps": []}
    (player.folder / "other.json").write_text(json.dumps(other))
    refused = failure(play_on(player.expecting_failure, converge(converge_approved="other.json")))
    assert refused == (
        "converge_approved: the plan is for https://\\u001b[31m{{ 7 * 7 }}, but this run is for"
        f" {player.emulator.base_url}. Plan this platform."
    )


def test_approved_step_that_has_changed_since_says_what_was_approved(player: Player) -> None:
    play_on(player, converge())
    astro, hugo = (
        {"projects": [{"name": "web", "team": "acme", "framework": framework}]}
        for framework in ("astro", "hugo")
    )
    play_on(player, converge(check=True, converge_blueprint=astro))
    (player.folder / "plan.json").rename(player.folder / "approved.json")
    changed = converge(converge_blueprint=hugo, converge_approved="approved.json")
    refused = play_on(player.expecting_failure, changed)
    approved, now = (
        f"~ project acme/web, framework: nextjs -> {name}" for name in ("astro", "hugo")
    )
    assert f"{now} was approved as {approved}." in failure(refused).split("\n")


@pytest.mark.parametrize("plan_path", ["plan.json", "approved.json"])
@both_ways
def test_approved_invitation_is_sent_once_whatever_fails(
    player: Player, in_process: str, plan_path: str
) -> None:
    """A refused run sends none. The plan may name the approved file, from which only the invitation
    is removed then.
    """
    play_on(player, converge(check=True, **INVITING))
    approved = plan(player)
    path = player.folder / "approved.json"
    (player.folder / "plan.json").rename(path)
    given = {**INVITING, "converge_approved": path.name, "converge_plan": plan_path}
    play_on(player.expecting_failure, converge(**given, converge_limits={"invite": 0}))
    assert json.loads(path.read_text()) == approved
    player.emulator.plan_fault("POST /teams/{teamId}/members", "500")
    play_on(player.expecting_failure, converge(**given), HOSTING_PLATFORM_IN_PROCESS=in_process)
    left = json.loads(path.read_text())
    (invited,) = [row["step"] for row in approved["results"] if row["action"] == "invite"]
    assert left == {**approved, "steps": [step for step in approved["steps"] if step != invited]}
    again = play_on(player, converge(**given), HOSTING_PLATFORM_IN_PROCESS=in_process)
    assert "Nothing to do; 2 unchanged, 1 not invited.\n" in again.output
