# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role export, by itself and followed by converge, and the playbooks of both."""

import json
import re
from pathlib import Path

import yaml
from folders import write
from player import Player

from roles import outcomes, play_on, role, tasks_named, with_rescue

KINDS = ("teams", "projects", "aliases")
TEXTS = [
    "{{ lookup('pipe', 'touch EXECUTED') }}",
    "{#",
    "0123",
    "a: b # c",
    "\u00fcml\u00e4ut \U0001f680 \u202eevil",
]


def seed(player: Player) -> None:
    """Projects with odd texts as names and in a field, in a team and in none. Other tests know more
    such texts.
    """
    projects = [{"name": f"p{number}", "buildCommand": text} for number, text in enumerate(TEXTS)]
    projects += [{"name": text, "team": "acme"} for text in TEXTS[2:]]
    alias = {"alias": "www.example.com", "project": "0123", "team": "acme"}
    player.emulator.seed(
        teams=[{"slug": "acme", "name": TEXTS[0]}], projects=projects, aliases=[alias]
    )


def test_export_changes_nothing_when_converged(player: Player) -> None:
    path = player.folder / "live"
    export = role("export", export_directory=str(path))
    check = role("export", check=True, export_directory=str(path))
    converge = role(
        "converge", converge_directory=str(path), converge_report=str(player.folder / "report.html")
    )
    seed(player)

    play = player.run(
        [check, {"ansible.builtin.stat": {"path": str(path)}}, export, export, converge],
        "--diff",
        "-v",
    )

    exports = [task.result for task in tasks_named(play, "Export the live platform")]
    assert [done["changed"] for done in exports] == [True, True, False], play.output
    assert {tuple(done["files"]) for done in exports} == {
        tuple(f"{path}/{kind}.yml" for kind in KINDS)
    }
    lines = re.findall(r"^W.* to .*\)\.$", play.output, re.MULTILINE)
    projects = 2 * len(TEXTS) - 2
    what = f"1 team, {projects} projects, 1 alias to {path} (3 files, "
    assert lines == [
        f"Would write {what}3 to change).",
        f"Wrote {what}3 changed).",
        f"Wrote {what}0 changed).",
    ]
    assert not next(task.result["stat"]["exists"] for task in play.tasks if "stat" in task.result)
    (outcome,) = outcomes(play)
    assert not outcome["changed"], outcome
    assert outcome["summary"]["none"] == projects + 2, (
        "the aliases that projects bring along are no entries"
    )
    assert player.emulator.writes == []
    assert not list(player.folder.rglob("EXECUTED"))
    text = (path / "projects.yml").read_text(encoding="utf-8")
    assert "ümläut 🚀 \\u202eevil" in text
    assert '"{{ lookup' in text
    assert 'name: "0123"' in text
    exported = yaml.safe_load(text)
    assert sorted(
        entry["build_command"] for entry in exported if "build_command" in entry
    ) == sorted(TEXTS)


def test_files_of_another_layout_draw_a_warning(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme"}])
    exports = [
        role("export", export_directory="live", export_layout=layout)
        for layout in ("kinds", "teams")
    ]
    play = play_on(player, *exports)
    (warning,) = tasks_named(play, "Export the live platform")[1].result["warnings"]
    others = ", ".join(f"{player.folder}/live/{kind}.yml" for kind in sorted(KINDS))
    assert warning == (
        f"Files of an earlier export that are not part of this one would still be read: {others}."
        " Remove them."
    )


def test_export_is_converged_by_name_and_its_protected_project_is_kept(player: Player) -> None:
    """An export, converged with what is pruned protected."""
    live = player.folder / "live"
    player.run_file(Path("hosting.platform.export"), "-e", "export_directory=live")
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": name, "team": "acme"} for name in ("old", "prod-old", "kept")],
    )
    (live / "teams.yml").write_text("- {slug: acme}")
    (live / "projects.yml").write_text("- {name: kept, team: acme}")
    values = {
        "converge_directory": "live",
        "converge_prune": ["projects"],
        "converge_protect": ["prod-*"],
    }
    target = {"target": "here", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    given = (
        "-i",
        "here,",
        "-c",
        "local",
        "-e",
        json.dumps({**values, **target}),
        "--tags",
        "converge",
    )

    play = player.run_file(Path("hosting.platform.converge"), *given)

    (outcome,) = outcomes(play)
    actions = {result["name"]: result["action"] for result in outcome["results"]}
    assert actions == {"acme": "none", "kept": "none", "old": "delete", "prod-old": "skip"}


def test_path_may_have_variables_of_the_environment_or_be_a_number(player: Player) -> None:
    home = player.folder / "home"
    paths: list[str | int] = ["$HERE/absolute", "relative/$NAME", "~/tilde", 2026]
    exports = [role("export", export_directory=path, export_kinds=["teams"]) for path in paths]

    play = play_on(player, *exports, HOME=str(home), HERE=str(home), NAME="x")

    folders = {file.parent for file in player.folder.rglob("teams.yml")}
    assert play.output.count(" (1 file, 1 changed).") == len(paths)
    assert folders == {
        home / "absolute",
        player.folder / "relative/x",
        home / "tilde",
        player.folder / "2026",
    }


def test_names_that_no_file_takes_are_left_out_as_the_message_says(player: Player) -> None:
    """Copied out of the message, the selectors leave them out."""
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": name, "team": "acme"} for name in ("{{ x }}", "{#", "web")],
    )
    refused = play_on(player.expecting_failure, role("export", export_directory="live"))
    *lines, advice = tasks_named(refused, "Export the live platform")[0].result["msg"].split("\n")
    assert [line.partition(" cannot be")[0] for line in lines] == [
        "The project {# of acme",
        "The project {{ x }} of acme",
    ]
    name, _colon, selectors = advice.partition(": this leaves them out: ")
    assert not (player.folder / "live").exists()
    given = role("export", export_directory="live", **{name: json.loads(selectors)})
    play_on(player, given, role("converge", converge_directory="live"))
    exported = yaml.safe_load((player.folder / "live/projects.yml").read_text(encoding="utf-8"))
    assert [entry["name"] for entry in exported] == ["web"]
    assert player.emulator.writes == []


def test_directory_with_defaults_is_refused_before_the_first_request(player: Player) -> None:
    defaults = "projects: {framework: hugo}\n"
    folder = write(player.folder, all__defaults=defaults, all__live__projects="[]\n")
    export = role("export", export_directory="all/live")
    refused = play_on(player.expecting_failure, export)
    assert tasks_named(refused, "Export the live platform")[0].result["msg"] == (
        f"export_directory: {folder}/all/defaults.yml would change what is exported. Remove it, or"
        " choose another directory."
    )
    assert player.emulator.requests() == []


def test_each_file_in_the_way_is_said_to_be_what_it_is(player: Player) -> None:
    """Adopted twice into the same folder, and then written anew beside an edited file."""
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme"}])
    write(player.folder / "blueprint", teams="- slug: acme\n")
    adopt = role("export", export_directory="blueprint", export_undeclared_in="blueprint")
    first, again = tasks_named(play_on(player, adopt, adopt), "Export the live platform")
    assert (first.result["changed"], again.result["changed"]) == (True, False)
    projects = player.folder / "blueprint/projects.yml"
    assert first.result["files"] == [str(projects)]

    player.emulator.seed(projects=[{"name": "shop", "team": "acme"}])
    edited = projects.read_text(encoding="utf-8")
    projects.write_text(f"{edited}- name: ours\n  team: acme\n", encoding="utf-8")
    renew = role("export", export_directory="blueprint", export_kinds="projects")
    refused = play_on(player, with_rescue(adopt), with_rescue(renew))
    messages = [
        task.result["msg"].split("\n") for task in tasks_named(refused, "Export the live platform")
    ]
    assert messages == [
        [
            f"export_undeclared_in: {projects} declares what this export leaves out. Choose"
            " another directory.",
            "Nothing was written.",
        ],
        [
            f"{projects} was edited since the export. Delete it to renew it, or choose another"
            " directory.",
            "Nothing was written.",
        ],
    ]


def test_command_that_holds_the_token_fails_the_export(player: Player) -> None:
    command = f"deploy --token {player.emulator.token}"
    project = {"name": "web", "team": "acme", "buildCommand": command}
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[project])
    refused = play_on(player.expecting_failure, role("export", export_directory="live"))
    assert tasks_named(refused, "Export the live platform")[0].result["msg"].split("\n") == [
        "The project web of acme cannot be exported: its build_command would be written as"
        " asterisks, because it holds them or a secret.",
        'export_ignore: this leaves them out: [{"kind": "projects", "team": "acme", "name":'
        ' "web"}]',
    ]
    assert not (player.folder / "live").exists()
