# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The outputs of the role converge: three files in any case, a last line, and the steps for a next run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from environments import ROOT
from jsonschema import Draft202012Validator
from playing import Play, Player

Options = dict[str, Any]
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/schemas/plan.schema.json").read_text(encoding="utf-8")))
BLUEPRINT: Options = {
    "teams": [{"slug": "acme"}],
    "projects": [{"name": "web", "team": "acme", "framework": "nextjs", "source": "projects.yml"}],
}
OUTPUTS = {"converge_report": "report.html", "converge_markdown": "comment.md", "converge_plan": "plan.json"}


def converge(check: bool = False, **options: Any) -> Options:
    include = {"name": "hosting.platform.converge", "apply": {"check_mode": check}}
    return {"ansible.builtin.include_role": include, "vars": {"converge_blueprint": BLUEPRINT, **OUTPUTS, **options}}


def play(player: Player, *tasks: Options) -> Play:
    return player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": list(tasks)}])


def named(played: Play, name: str) -> list[Any]:
    return [task for task in played.tasks if task.name.endswith(name)]


def plan(player: Player) -> Options:
    written: Options = json.loads((player.folder / "plan.json").read_text(encoding="utf-8"))
    SCHEMA.validate(written)
    return written


def line(played: Play) -> str:
    return str(named(played, "Show the changes")[-1].result["msg"])


def handed(played: Play) -> Options:
    (task,) = [task for task in played.tasks if "Pass the summary to the controller" in task.name]
    return dict(task.result["ansible_stats"]["data"])


def test_plan_is_approved_and_done_and_nothing_else(player: Player) -> None:
    checked = play(player, converge(check=True))
    assert checked.return_code == 0, checked.output
    steps = plan(player)["steps"]
    assert len(steps) == 2
    assert handed(checked)["converge_approved"] == steps
    (player.folder / "plan.json").rename(player.folder / "approved.json")

    other = {**BLUEPRINT, "projects": [*BLUEPRINT["projects"], {"name": "more", "team": "acme"}]}
    refused = play(player, converge(converge_approved="approved.json", converge_blueprint=other))
    assert refused.return_code == 2
    assert player.emulator.writes == []
    assert line(refused).startswith("Refused, and nothing was written: 3 to create: team acme, project web of acme,")
    written = plan(player)
    assert len(written["steps"]) == 3
    assert set(steps) < set(written["steps"])
    assert (written["check"], written["failed"], written["changed"]) == (False, True, False)
    page, comment = ((player.folder / name).read_text(encoding="utf-8") for name in ("report.html", "comment.md"))
    for text in (page, comment):
        assert "Refused: nothing was written. 3 of 3 entries differ from the platform." in text
        assert text.index("more") < text.index("projects.yml"), "what is refused stands above all rows"

    done = play(player, converge(converge_approved="approved.json"))
    assert done.return_code == 0, done.output
    assert plan(player)["steps"] == []
    assert line(done).startswith("2 created: team acme, project web of acme; 0 unchanged.")
    assert "converge_approved" not in handed(done)
    again = play(player, converge(converge_approved=steps))
    assert again.return_code == 0, "what is done already is no violation"
    assert line(again) == "2 unchanged. Written: report.html, comment.md, plan.json."


@pytest.mark.parametrize(
    ("approved", "words"),
    [
        ("", "be a list of step ids or a plan file"),
        ("missing.json", "missing.json"),
        ("playbook.yml", "be a list of step ids or a plan file"),
        ({"steps": []}, "be a list of step ids or a plan file"),
        ([], "approved"),
    ],
)
def test_what_is_no_approval_allows_nothing(player: Player, approved: Any, words: str) -> None:
    refused = play(player, converge(converge_approved=approved))
    assert refused.return_code == 2
    assert words in plan(player)["msg"]
    assert player.emulator.writes == []


def test_failed_entry_leaves_its_step_in_the_plan(player: Player) -> None:
    player.emulator.fail("POST /projects", "403")
    failed = play(player, converge(converge_fail_on_drift=True))
    assert failed.return_code == 2
    written = plan(player)
    assert [result["action"] for result in written["results"]] == ["create", "create"]
    assert written["steps"] == [written["results"][1]["step"]]
    assert "1 of 2 entries failed, 1 change was made." in (player.folder / "comment.md").read_text(encoding="utf-8")
    assert line(failed).startswith("1 failed: project web of acme; 1 created: team acme; 0 unchanged.")


@pytest.mark.parametrize("check", [True, False])
def test_what_never_comes_to_a_plan_is_told_too(player: Player, check: bool) -> None:
    failed = play(player, converge(check=check, converge_blueprint={"project": []}))
    assert failed.return_code == 2
    written = plan(player)
    assert (written["check"], written["failed"], written["results"], written["steps"]) == (check, True, [], [])
    assert "unknown kind project" in written["msg"]
    words = "The check failed." if check else "The run failed."
    assert words in (player.folder / "report.html").read_text(encoding="utf-8")
    assert words in (player.folder / "comment.md").read_text(encoding="utf-8")
    assert line(failed) == f"{words} Written: report.html, comment.md, plan.json."
    assert handed(failed) == ({"converge_approved": []} if check else {}), "what was never planned is not approved"


def test_drift_fails_when_everything_is_written(player: Player) -> None:
    drifted = play(player, converge(check=True, converge_fail_on_drift=True))
    assert drifted.return_code == 2
    assert line(drifted).startswith("2 to create: team acme, project web of acme; 0 unchanged.")
    assert plan(player)["failed"] is False
    assert plan(player)["changed"] is True
    assert handed(drifted)["converge_summary"]["create"] == 2
    assert (player.folder / "report.html").is_file()

    ran = play(player, converge(converge_fail_on_drift=True))
    assert ran.return_code == 0, "a run has no drift"
    clean = play(player, converge(check=True, converge_fail_on_drift=True))
    assert clean.return_code == 0, clean.output


def test_invitations_and_what_is_undeclared_are_no_drift(player: Player) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "web", "team": "acme", "framework": "nextjs"}, {"name": "old", "team": "acme"}],
    )
    members = {"team_members": [{"team": "acme", "email": "dev@example.com", "role": "DEVELOPER"}]}
    blueprint = {**BLUEPRINT, **members}
    checked = play(player, converge(check=True, converge_fail_on_drift=True, converge_blueprint=blueprint))
    assert checked.return_code == 0, checked.output
    assert line(checked).startswith("1 to invite: team member dev@example.com of acme; 2 unchanged; 1 undeclared.")
    assert [entry["name"] for entry in plan(player)["undeclared"]] == ["old"]
    assert plan(player)["steps"] == handed(checked)["converge_approved"]
    assert len(plan(player)["steps"]) == 1


def test_guard_keeps_the_whole_plan(player: Player) -> None:
    names = [f"p{number}" for number in range(12)]
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme"} for name in names])
    refused = play(player, converge(check=True, converge_prune=["projects"], converge_limits={"create": 5}))
    assert refused.return_code == 2
    written = plan(player)
    assert "prune" in written["msg"]
    assert [result["action"] for result in written["results"]].count("delete") == 12
    assert handed(refused)["converge_summary"]["delete"] == 12
    page = (player.folder / "report.html").read_text(encoding="utf-8")
    assert page.count('class="entry delete"') == 12
    assert page.index("prune_limit") < page.index('class="entry ')
    assert line(refused).startswith("Refused, and nothing was written: 12 to delete (12 more go along): project p")
    assert " and 2 more; 1 to create" in line(refused)


def test_limits_and_unlisted_fields_are_handed_on(player: Player) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "web", "team": "acme", "framework": "nextjs", "buildCommand": "make"}],
    )
    limited = play(player, converge(converge_unlisted_fields="clear", converge_limits={"update": 0}))
    assert limited.return_code == 2
    assert "limits" in plan(player)["msg"]
    cleared = play(player, converge(converge_unlisted_fields="clear"))
    assert cleared.return_code == 0, cleared.output
    (project,) = player.emulator.state["projects"]
    assert not project["buildCommand"]


HOSTILE = "{{ lookup('pipe', 'touch EXECUTED') }} | `@team` <img src=x> \u202e\x1b[31m"


def test_names_act_nowhere(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": HOSTILE, "team": "acme"}])
    for check in (True, False):
        played = play(player, converge(check=check, converge_prune=["projects"]))
        assert played.return_code == 0, played.output
        assert "\\u202e\\u001b[31m" in line(played)
        assert HOSTILE in [result["name"] for result in plan(player)["results"]]
        comment, page = ((player.folder / name).read_text(encoding="utf-8") for name in ("comment.md", "report.html"))
        assert [mark for mark in "\u202e\x1b" if mark in comment + page + played.output] == []
    assert [file for file in player.folder.rglob("*") if file.name == "EXECUTED"] == []
    assert not Path("EXECUTED").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_may_not_be_written_to_is_seen_before(player: Player) -> None:
    folder = player.folder / "closed"
    folder.mkdir(mode=0o500)
    played = play(player, converge(converge_plan=f"{folder}/plan.json"))
    assert played.return_code == 2
    assert player.emulator.requests == []


def test_each_output_is_looked_at_before_anything_is_asked(player: Player) -> None:
    (player.folder / "folder").mkdir()
    (player.folder / "link").symlink_to("elsewhere")
    outputs: Options = {"converge_markdown": "folder", "converge_plan": "report/plan.json", "converge_report": "link"}
    (player.folder / "report").touch()
    played = play(player, converge(**outputs))
    assert played.return_code == 2
    (failed,) = [task for task in played.tasks if task.status == "failed"]
    assert failed.result["msg"].splitlines() == [
        f"converge_report cannot be written to {player.folder}/link: it is a symbolic link.",
        f"converge_markdown cannot be written to {player.folder}/folder: it is a directory.",
        f"converge_plan cannot be written to {player.folder}/report/plan.json: not a directory.",
    ]
    assert player.emulator.requests == []


@pytest.mark.parametrize("check", [True, False])
def test_folders_of_outputs_are_created(player: Player, check: bool) -> None:
    outputs = {name: f"new/{check}/{file}" for name, file in OUTPUTS.items()}
    played = play(player, converge(check=check, **outputs))
    assert played.return_code == 0, played.output
    assert sorted(os.listdir(player.folder / f"new/{check}")) == sorted(OUTPUTS.values())


def test_output_that_somebody_else_has_put_there_is_ones_own_afterwards(player: Player) -> None:
    for name in OUTPUTS.values():
        path = player.folder / name
        path.write_text("x")
        path.chmod(0o666)
        if os.geteuid() == 0:
            os.chown(path, 65534, 65534)
    hard_link = player.folder / "linked"
    os.link(player.folder / "plan.json", hard_link)
    assert play(player, converge(check=True)).return_code == 0
    umask = os.umask(0o022)
    os.umask(umask)
    for name in OUTPUTS.values():
        written = (player.folder / name).stat()
        assert (written.st_uid, written.st_mode & 0o777) == (os.geteuid(), 0o666 & ~umask)
    assert hard_link.read_text() == "x"


def test_nothing_is_looked_at_where_nothing_is_written(player: Player) -> None:
    played = play(player, converge(converge_report="", converge_markdown="", converge_plan=""))
    assert played.return_code == 0, played.output
    of_files = [task for task in played.tasks if "outputs" in task.name and "Converge" not in task.name]
    assert [task.status for task in of_files] == ["skipped", "skipped"]


def test_defaults_of_the_group_do_not_disturb_the_role(player: Player) -> None:
    """Every module is in the group, those that write the files too."""
    defaults = {"base_url": player.emulator.base_url, "access_token": player.emulator.token, "timeout": 20}
    defaults |= {"max_retries": 1, "validate_certs": False}
    tasks = [converge(check=True)]
    played = player.run_plays(
        [
            {
                "hosts": "localhost",
                "gather_facts": False,
                "module_defaults": {"group/hosting.platform.all": defaults},
                "tasks": tasks,
            }
        ],
        HOSTING_PLATFORM_BASE_URL=None,
        HOSTING_PLATFORM_ACCESS_TOKEN=None,
    )
    assert played.return_code == 0, played.output
    assert len(plan(player)["steps"]) == 2


MEMBERS = {"team_members": [{"team": "acme", "email": "dev@example.com", "role": "DEVELOPER"}]}


def approve(player: Player, blueprint: Options) -> Path:
    """The plan of a check, as somebody has approved it."""
    checked = play(player, converge(check=True, converge_blueprint=blueprint))
    assert checked.return_code == 0, checked.output
    return (player.folder / "plan.json").rename(player.folder / "approved.json")


def steps_of(path: Path) -> list[str]:
    SCHEMA.validate(json.loads(path.read_text()))
    return list(json.loads(path.read_text())["steps"])


def test_approved_invitation_is_sent_once(player: Player) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    approved = approve(player, blueprint)
    (player.folder / "link.json").symlink_to("approved.json")
    before = steps_of(approved)
    given: Options = {"converge_blueprint": blueprint, "converge_approved": "link.json"}
    checked = play(player, converge(check=True, **given))
    assert checked.return_code == 0, checked.output
    assert steps_of(approved) == before, "nothing is used up in check mode"

    done = play(player, converge(**given))
    assert done.return_code == 0, done.output
    assert len(before) == 3
    assert len(steps_of(approved)) == 2
    (looked,) = named(done, "can be taken out of the approved plan once they are sent")
    assert (looked.status, looked.writes) == ("ok", [])
    assert (player.folder / "link.json").is_symlink()

    again = play(player, converge(**given))
    assert again.return_code == 2
    assert "dev@example.com of acme (invite)" in plan(player)["msg"]
    invitations = [request for request in player.emulator.requests if request["path"].endswith("/members")]
    assert len(invitations) == 1


@pytest.mark.parametrize(("status", "left"), [("403", 3), ("500", 2)])
def test_invitation_that_was_certainly_not_sent_stays_approved(player: Player, status: str, left: int) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    approved = approve(player, blueprint)
    player.emulator.fail("POST /teams/{teamId}/members", status)
    failed = play(player, converge(converge_blueprint=blueprint, converge_approved="approved.json"))
    assert failed.return_code == 2
    assert len(steps_of(approved)) == left


def test_refused_run_uses_nothing_up(player: Player) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    approved = approve(player, blueprint)
    before = approved.read_text()
    more = {**blueprint, "projects": [*BLUEPRINT["projects"], {"name": "more", "team": "acme"}]}
    refused = play(player, converge(converge_blueprint=more, converge_approved="approved.json"))
    assert refused.return_code == 2
    assert approved.read_text() == before
    assert player.emulator.writes == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_approved_invitations_need_a_file_that_can_be_rewritten(player: Player) -> None:
    blueprint = {**BLUEPRINT, **MEMBERS}
    folder = player.folder / "closed"
    folder.mkdir()
    approve(player, blueprint).rename(folder / "approved.json")
    folder.chmod(0o500)
    refused = play(player, converge(converge_blueprint=blueprint, converge_approved="closed/approved.json"))
    assert refused.return_code == 2
    assert "converge_approved cannot be written" in refused.output
    assert player.emulator.writes == []


def test_refused_plan_is_no_approval(player: Player) -> None:
    refused = play(player, converge(check=True, converge_limits={"create": 0}))
    assert refused.return_code == 2
    assert plan(player)["refused"] is True
    (player.folder / "plan.json").rename(player.folder / "approved.json")
    again = play(player, converge(converge_approved="approved.json"))
    assert again.return_code == 2
    assert "the plan of a run that was refused" in plan(player)["msg"]
    assert player.emulator.writes == []
