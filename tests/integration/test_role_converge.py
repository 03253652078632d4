# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge: a directory, its report, and its failures."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest
from environments import variables
from playing import Play, Player

from roles import Options, caught, named, outcomes, play_on, role, write

pytestmark = pytest.mark.core_differences

PASSWORD = "vault-password-0123456789"


def stats(play: Play) -> list[Options]:
    """The data that each converge passed to the controller."""
    handed = [task for task in play.tasks if "Pass the summary to the controller" in task.name]
    return [task.result["ansible_stats"]["data"] for task in handed]


def vaulted(player: Player, text: str) -> str:
    """A vaulted file's content."""
    (player.folder / "password").write_text(PASSWORD)
    command: list[str | Path] = [
        player.bin / "ansible-vault",
        "encrypt",
        "--vault-password-file",
        player.folder / "password",
    ]
    return subprocess.run(
        command, input=text, env=variables(player.bin), check=True, text=True, stdout=subprocess.PIPE
    ).stdout


def vaulted_value(player: Player, text: str) -> str:
    return "!vault |\n" + "".join(f"    {line}\n" for line in vaulted(player, text).splitlines())


def test_directory_is_checked_converged_and_converged_again(player: Player) -> None:
    secret = vaulted_value(player, "run api")
    directory = write(
        player.folder / "blueprint",
        teams="- {slug: acme, name: Acme}\n- {slug: media, name: '{{ media_name }}'}\n",
        projects="projects:\n- {name: web, team: acme}\n- name: api\n  team: acme\n  dev_command: " + secret,
        projects__media="- {name: site, team: media, build_command: !unsafe 'echo {{ media_name }}'}\n",
        projects__more=vaulted(player, "- {name: news, team: media, framework: '{{ framework }}'}\n"),
        aliases__all="- {alias: www.example.com, project: web, team: acme}\n",
        domains="[]",
    )
    write(directory, **{"README.md": "Ours", ".hidden": "x"})
    converge: Options = {"converge_directory": str(directory), "converge_report": str(player.folder / "report.html")}
    page = {"ansible.builtin.slurp": {"src": converge["converge_report"]}, "check_mode": False}
    tasks = [role("converge", check=True, **converge), page]
    tasks += [role("converge", **converge), page, role("converge", **converge)]
    variables_given = {"media_name": "Media & Co", "framework": "astro"}

    play = player.run(
        tasks, "-e", json.dumps(variables_given), "--vault-password-file", str(player.folder / "password"), "--diff"
    )

    check, run, again = outcomes(play)
    assert play.return_code == 0, play.output
    assert check["results"] == run["results"]
    assert [result["action"] for result in run["results"]] == ["create"] * 7
    assert run["changed"]
    assert not again["changed"]
    assert {result["action"] for result in again["results"]} == {"none"}
    assert {team["slug"]: team["name"] for team in player.emulator.state()["teams"]} == {
        "acme": "Acme",
        "media": "Media & Co",
    }
    stored = {project["name"]: project for project in player.emulator.state()["projects"]}
    assert stored["api"]["devCommand"] == "run api"
    assert stored["news"]["framework"] == "astro"
    assert stored["site"]["buildCommand"] == "echo {{ media_name }}"
    assert [task.writes for task in named(play, "Converge the platform")][::2] == [[], []]
    reports = named(play, "Write the outputs")
    assert [task.result["changed"] for task in reports] == [False] * 3
    assert not any(task.result.get("diff") for task in reports)
    assert [data["converge_summary"] for data in stats(play)] == [outcome["summary"] for outcome in (check, run, again)]
    drift, report = (task.result["content"] for task in play.tasks if "content" in task.result)
    titles = ["<h1>Plan<" in base64.b64decode(page).decode() for page in (drift, report)]
    assert titles == [True, False]
    lines = named(play, "Show the changes")
    names = (
        "team acme, team media, project web of acme, project api of acme, project site of media, project news of media"
    )
    names += ", alias www.example.com of acme"
    assert [task.result["msg"] for task in lines] == [
        f"{line} Written: {converge['converge_report']}."
        for line in (f"7 to create: {names}; 0 unchanged.", f"7 created: {names}; 0 unchanged.", "7 unchanged.")
    ]
    assert not any(task.result["changed"] for task in lines)


def test_nothing_is_written_where_the_report_cannot_be(player: Player) -> None:
    (player.folder / "page").mkdir()
    paths = ["page", ".", str(player.folder / "page"), "page/", "~", "playbook.yml/report.html"]
    blueprint = {"projects": [{"name": "web"}]}
    roles = [role("converge", converge_blueprint=blueprint, converge_report=path) for path in paths]

    play = play_on(player, [caught(task) for task in roles])

    messages = [task.result["ansible_facts"]["caught"]["message"] for task in named(play, "Caught")]
    for message, path in zip(messages, paths, strict=True):
        place = (player.folder / Path(path).expanduser()).as_posix().rstrip("/")
        assert message.startswith(f"converge_report cannot be written to {place}"), message
    assert player.emulator.requests() == []


def test_run_that_fails_is_reported_and_fails_by_its_causes(player: Player) -> None:
    report = player.folder / "report.html"
    player.emulator.fail("POST /projects", "403")
    blueprint = {"projects": [{"name": "web"}, {"name": "api"}]}
    failing = role("converge", converge_blueprint=blueprint, converge_report=str(report))
    refused = role("converge", converge_blueprint={"project": []}, converge_report=f"{report}.refused")

    play = play_on(player, [caught(failing), refused])

    assert play.return_code == 2
    failed, _refused = outcomes(play)
    assert failed["failure"]["operation"] == "POST /projects"
    (kept,) = (task.result["ansible_facts"]["caught"] for task in named(play, "Caught"))
    assert kept == {"message": f"{failed['msg']} Outputs: {report}."}
    assert "1 of 2 entries failed; 1 change was made." in report.read_text()
    assert "https://" not in report.read_text()
    assert player.emulator.base_url in report.read_text()
    page = Path(f"{report}.refused").read_text()
    assert "The run failed." in page
    assert "unknown kind project. Did you mean projects?" in page
    lines = [task.result["msg"] for task in named(play, "Show the changes")]
    assert lines[0].startswith("1 failed: project ")
    assert lines[0].endswith(f"; 0 unchanged. Written: {report}.")
    cause = "blueprint: unknown kind project. Did you mean projects?"
    assert lines[1] == f"The run failed: {cause} Written: {report}.refused."
    assert play.tasks[-1].result["msg"] == f"{cause} Outputs: {report}.refused."
    first, second = stats(play)
    assert first["converge_summary"]["failed"] == 1
    assert second == {}
