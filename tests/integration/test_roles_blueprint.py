# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles converge and export, by themselves and one after the other."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import yaml
from environments import variables
from odd_platform import ODD_TEXTS, seed_odd_platform
from playing import Play, Player

from ansible_collections.hosting.platform.plugins.plugin_utils._schemas import schema_address

Options = dict[str, Any]
PASSWORD = "vault-password-0123456789"


def role(name: str, check: bool = False, **options: Any) -> Options:
    include = {"name": f"hosting.platform.{name}", "apply": {"check_mode": check}}
    return {"ansible.builtin.include_role": include, "vars": options}


def write(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/")
        path = path if path.suffix else path.with_suffix(".yml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def caught(task: Options) -> Options:
    """A task whose failure is written down and does not end the play."""
    outcome = {
        "message": "{{ ansible_failed_result.msg }}",
        "failure": "{{ ansible_failed_result.failure | default({}) }}",
    }
    return {"block": [task], "rescue": [{"name": "Caught", "ansible.builtin.set_fact": {"caught": outcome}}]}


def play_on(player: Player, tasks: list[Options], *arguments: str) -> Play:
    """Unlike the player's own way, a failure that is not caught ends it."""
    return player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}], *arguments)


def named(play: Play, name: str) -> list[Any]:
    """The tasks of that name, in their order."""
    return [task for task in play.tasks if task.name.endswith(name)]


def stats(play: Play) -> list[Options]:
    """The data that each converge passed to the controller."""
    handed = [task for task in play.tasks if "Pass the summary to the controller" in task.name]
    return [task.result["ansible_stats"]["data"] for task in handed]


def outcomes(play: Play) -> list[Options]:
    return [task.result for task in named(play, "Converge the platform")]


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
    assert {team["slug"]: team["name"] for team in player.emulator.state["teams"]} == {
        "acme": "Acme",
        "media": "Media & Co",
    }
    stored = {project["name"]: project for project in player.emulator.state["projects"]}
    assert stored["api"]["devCommand"] == "run api"
    assert stored["news"]["framework"] == "astro"
    assert stored["site"]["buildCommand"] == "echo {{ media_name }}"
    assert [task.writes for task in named(play, "Converge the platform")][::2] == [[], []]
    reports = named(play, "Write the outputs")
    assert [task.result["changed"] for task in reports] == [False] * 3
    assert not any(task.result.get("diff") for task in reports)
    assert [data["converge_summary"] for data in stats(play)] == [outcome["summary"] for outcome in (check, run, again)]
    drift, report = (task.result["content"] for task in play.tasks if "content" in task.result)
    titles = ["Drift report" in base64.b64decode(page).decode() for page in (drift, report)]
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
    assert player.emulator.requests == []


def test_run_that_fails_is_reported_and_fails_as_the_module_does(player: Player) -> None:
    report = player.folder / "report.html"
    player.emulator.fail("POST /projects", "403")
    blueprint = {"projects": [{"name": "web"}, {"name": "api"}]}
    failing = role("converge", converge_blueprint=blueprint, converge_report=str(report))
    refused = role("converge", converge_blueprint={"project": []}, converge_report=f"{report}.refused")

    play = play_on(player, [caught(failing), refused])

    assert play.return_code == 2
    failed, refused_outcome = named(play, "Converge the platform")
    assert failed.status == refused_outcome.status == "failed"
    assert failed.failure["operation"] == "POST /projects"
    assert "1 of 2 entries failed" in failed.result["msg"]
    (kept,) = (task.result["ansible_facts"]["caught"] for task in named(play, "Caught"))
    assert kept == {"message": failed.result["msg"], "failure": failed.failure}
    assert "1 of 2 entries failed, 1 change was made." in report.read_text()
    assert "https://" not in report.read_text()
    assert player.emulator.base_url in report.read_text()
    page = Path(f"{report}.refused").read_text()
    assert "The run failed." in page
    assert "unknown kind project. Did you mean projects?" in page
    lines = [task.result["msg"] for task in named(play, "Show the changes")]
    assert lines[0].startswith("1 failed: project ")
    assert lines[0].endswith(f"; 0 unchanged. Written: {report}.")
    assert lines[1] == f"The run failed. Written: {report}.refused."
    first, second = stats(play)
    assert first["converge_summary"]["failed"] == 1
    assert second == {}


def test_wrong_directories_are_named(player: Player) -> None:
    folder = player.folder
    duplicate = write(folder / "a", projects="- {name: web, team: acme}", projects__b="- {name: web, team: acme}")
    wrong: list[tuple[Options, str]] = [
        (
            {"converge_directory": str(duplicate)},
            "projects[1] web (projects/b.yml) is already declared",
        ),
        ({"converge_directory": str(write(folder / "b", project="[]"))}, "b/project.yml: unknown kind project"),
        ({"converge_directory": str(write(folder / "b"))}, "Did you mean projects?"),
        ({"converge_directory": str(write(folder / "c", teams="aliases: []"))}, "c/teams.yml: it contains aliases"),
        ({"converge_directory": str(write(folder / "d", teams="- {slug: a\n"))}, "d/teams.yml"),
        ({"converge_directory": str(write(folder / "e", teams="5"))}, "e/teams.yml: it must contain a list"),
        (
            {"converge_directory": str(write(folder / "f", teams="- {slug: a, nme: b}"))},
            "a (teams.yml): unknown option",
        ),
        ({"converge_directory": str(write(folder / "g", **{"projects/a.txt": ""}))}, "g/projects/a.txt: only files"),
        ({"converge_directory": str(write(folder / "h", **{".keep": ""}))}, "contains no files of a blueprint"),
        ({"converge_directory": str(folder / "nowhere")}, "nowhere does not exist"),
        ({"converge_directory": str(write(folder / "i", teams="- {slug: '{{ nothing_such }}'}"))}, "nothing_such"),
        (
            {"converge_directory": str(duplicate), "converge_blueprint": {}},
            "one of converge_directory and converge_blueprint",
        ),
        ({}, "one of converge_directory and converge_blueprint"),
        ({"converge_blueprint": {}, "converge_prune": ["teams"]}, "must be one or more of"),
    ]

    play = play_on(player, [caught(role("converge", **options)) for options, _words in wrong])

    messages = [task.result["ansible_facts"]["caught"]["message"] for task in named(play, "Caught")]
    for message, (_options, words) in zip(messages, wrong, strict=True):
        assert words in message
        assert "unhandled" not in message
    assert player.emulator.requests == []


def test_export_changes_nothing_when_converged(player: Player) -> None:
    path = player.folder / "live"
    export = role("export", export_path=str(path))
    check = role("export", check=True, export_path=str(path))
    converge = role("converge", converge_directory=str(path), converge_report=str(player.folder / "report.html"))
    seed_odd_platform(player)

    play = player.run([check, {"ansible.builtin.stat": {"path": str(path)}}, export, export, converge], "--diff", "-v")

    writes = [[item["changed"] for item in task.result["files"]] for task in named(play, "Write the files")]
    assert writes == [[True] * 3, [True] * 3, [False] * 3], play.output
    lines = [task.result["msg"] for task in named(play, "Show what was written")]
    assert [line.partition(", of which ")[2] for line in lines] == ["3 changed.", "3 changed.", "0 changed."]
    assert not next(task.result["stat"]["exists"] for task in play.tasks if "stat" in task.result)
    (outcome,) = outcomes(play)
    assert not outcome["changed"], outcome
    assert outcome["summary"]["none"] == 4 * len(ODD_TEXTS) + 2, "each project brings an alias"
    assert player.emulator.writes == []
    assert play.return_code == 0
    assert [file for file in player.folder.rglob("*") if file.name.lower() == "executed"] == []
    text = (path / "projects.yml").read_text(encoding="utf-8")
    assert "ümläut 🚀 \\u202eevil" in text
    assert '!unsafe "{{ lookup' in text
    assert 'name: "0123"' in text
    exported = yaml.safe_load(text.replace("!unsafe ", ""))
    assert sorted(entry["build_command"] for entry in exported if "build_command" in entry) == sorted(ODD_TEXTS)


def test_export_by_team_changes_nothing_when_converged(player: Player) -> None:
    path = player.folder / "live"
    seed_odd_platform(player)
    export = role("export", export_path=str(path), export_layout="teams")

    play = play_on(player, [export, role("converge", converge_directory=str(path))])

    assert play.return_code == 0, play.output
    (outcome,) = outcomes(play)
    assert not outcome["changed"], outcome
    assert outcome["summary"]["none"] == 4 * len(ODD_TEXTS) + 2
    files = sorted(file.relative_to(path).as_posix() for file in path.rglob("*.yml"))
    assert files == [
        *(f"acme/{kind}.yml" for kind in ("aliases", "projects", "teams")),
        *(f"own-scope/{kind}.yml" for kind in ("aliases", "projects")),
    ]
    assert [file for file in player.folder.rglob("*") if file.name.lower() == "executed"] == []
    (line,) = (task.result["msg"] for task in named(play, "Show what was written"))
    projects = 2 * len(ODD_TEXTS)
    assert line == f"{path}: teams 1, projects {projects}, aliases {projects + 1}, in 5 files, of which 5 changed."


def test_playbooks_by_name(player: Player) -> None:
    """An empty platform, exported, converged with what is pruned protected."""
    live = player.folder / "live"
    exported = player.run_file(Path("hosting.platform.export"), "-e", "export_path=live")
    assert exported.return_code == 0, exported.output
    names = ("teams.yml", "projects.yml", "aliases.yml")
    assert {file.name: file.read_text() for file in live.iterdir()} == {
        name: f"# yaml-language-server: $schema={schema_address(name.removesuffix('.yml'))}\n---\n[]\n"
        for name in names
    }
    player.emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme"} for name in ("old", "prod-old", "kept")]
    )
    (live / "teams.yml").write_text("- {slug: acme}")
    (live / "projects.yml").write_text("- {name: kept, team: acme}")
    values = {"converge_directory": "live", "converge_prune": ["projects"], "converge_protect": ["prod-*"]}
    target = {"target": "here", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    given = ("-i", "here,", "-c", "local", "-e", json.dumps({**values, **target}), "--tags", "converge")

    play = player.run_file(Path("hosting.platform.converge"), *given)

    (outcome,) = outcomes(play)
    actions = {result["name"]: result["action"] for result in outcome["results"]}
    assert actions == {"acme": "none", "kept": "none", "old": "delete", "prod-old": "skip"}
    assert play.return_code == 0, play.output
