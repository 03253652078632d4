# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Approval by a plan file or a list: what was approved is what is done, once."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from playing import Player
from vaults import vaulted, with_password

from roles import BLUEPRINT, MEMBERS, SCHEMA, Options, converge, handed, line, named, plan, play_on


def test_plan_is_approved_and_done_and_nothing_else(player: Player) -> None:
    checked = play_on(player, converge(check=True))
    steps = plan(player)["steps"]
    assert len(steps) == 2
    assert handed(checked)[0]["converge_approved"] == steps
    (player.folder / "plan.json").rename(player.folder / "approved.json")

    other = {**BLUEPRINT, "projects": [*BLUEPRINT["projects"], {"name": "more", "team": "acme"}]}
    refused = play_on(player.failing, converge(converge_approved="approved.json", converge_blueprint=other))
    assert player.emulator.writes == []
    assert line(refused).startswith(
        "Refused by converge_approved; nothing was written. Planned: 3 to create: team acme,"
    )
    written = plan(player)
    assert len(written["steps"]) == 3
    assert set(steps) < set(written["steps"])
    assert (written["check"], written["failed"], written["changed"]) == (False, True, False)
    page, comment = ((player.folder / name).read_text(encoding="utf-8") for name in ("report.html", "comment.md"))
    for text in (page, comment):
        assert "Refused by converge_approved; nothing was written. 3 of 3 entries differ from the platform." in text
        assert text.index("more") < text.index("projects.yml"), "what is refused stands above all rows"
    marked = page.split("<li ")
    assert [name in item for item in marked if "Refused by converge_approved<" in item for name in ("more",)] == [True]

    done = play_on(player, converge(converge_approved="approved.json"))
    assert plan(player)["steps"] == []
    assert line(done).startswith("2 created: team acme, project web of acme; 0 unchanged.")
    assert "converge_approved" not in handed(done)[0]
    again = play_on(player, converge(converge_approved=steps))  # what is done already is no violation
    assert line(again) == "2 unchanged. Written: report.html, comment.md, plan.json."


def approve(player: Player, blueprint: Options) -> Path:
    """The plan of a check, as somebody has approved it."""
    play_on(player, converge(check=True, converge_invite=True, converge_blueprint=blueprint))
    return (player.folder / "plan.json").rename(player.folder / "approved.json")


def steps_of(path: Path) -> list[str]:
    SCHEMA.validate(json.loads(path.read_text()))
    return list(json.loads(path.read_text())["steps"])


def test_approved_invitation_is_sent_once(player: Player) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    approved = approve(player, blueprint)
    (player.folder / "link.json").symlink_to("approved.json")
    before = steps_of(approved)
    given: Options = {"converge_blueprint": blueprint, "converge_approved": "$HERE/link.json", "converge_invite": True}
    player.environment["HERE"] = str(player.folder)
    play_on(player, converge(check=True, **given))
    assert steps_of(approved) == before, "nothing is used up in check mode"
    more = {**blueprint, "projects": [*BLUEPRINT["projects"], {"name": "more", "team": "acme"}]}
    play_on(player.failing, converge(**{**given, "converge_blueprint": more}))
    assert steps_of(approved) == before, "nor by a run that is refused"
    assert player.emulator.writes == []

    done = play_on(player, converge(**given))
    assert len(before) == 3
    assert len(steps_of(approved)) == 2
    (looked,) = named(done, "can be taken out of the approved plan once they are sent")
    assert (looked.status, looked.writes) == ("ok", [])
    assert (player.folder / "link.json").is_symlink()

    play_on(player.failing, converge(**given))
    assert "dev@example.com of acme (invite)" in plan(player)["msg"]
    invitations = [request for request in player.emulator.requests() if request["path"].endswith("/members")]
    assert len(invitations) == 1


@pytest.mark.core_differences
def test_vaulted_approval_is_never_written_in_clear(player: Player) -> None:
    """Only one without invitations may be vaulted: the file would be written without them."""
    _option, password = with_password(player.folder)
    refusal = f"{player.folder}/approved.json is vaulted, and invitations are taken out of it once sent. Decrypt it."
    given: Options = {"converge_approved": "approved.json", "converge_invite": True}
    for blueprint, said in ((BLUEPRINT, ""), ({**BLUEPRINT, **MEMBERS}, refusal)):
        approved = approve(player, blueprint)
        encrypted = vaulted(approved.read_text(encoding="utf-8"))
        approved.write_text(encrypted, encoding="utf-8")
        task = converge(converge_blueprint=blueprint, **given)
        done = play_on(player.failing if said else player, task, ANSIBLE_VAULT_PASSWORD_FILE=password)
        assert said in done.output
        assert approved.read_text(encoding="utf-8") == encrypted
    assert [write for write in player.emulator.writes if "members" in write] == []


@pytest.mark.parametrize(("status", "left"), [("403", 3), ("500", 2)])
def test_invitation_that_was_certainly_not_sent_stays_approved(player: Player, status: str, left: int) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    approved = approve(player, blueprint)
    player.emulator.fail("POST /teams/{teamId}/members", status)
    play_on(
        player.failing, converge(converge_blueprint=blueprint, converge_approved="approved.json", converge_invite=True)
    )
    assert len(steps_of(approved)) == left


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_approved_invitations_need_a_file_that_can_be_rewritten(player: Player) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    folder = player.folder / "closed"
    folder.mkdir()
    approve(player, blueprint).rename(folder / "approved.json")
    folder.chmod(0o500)
    refused = play_on(
        player.failing,
        converge(converge_blueprint=blueprint, converge_approved="closed/approved.json", converge_invite=True),
    )
    assert "converge_approved cannot be written" in refused.output
    assert player.emulator.writes == []
