# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks by name: which hosts they run on, that they do not succeed on none, and what they need."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from environments import COLLECTION, ROOT
from playing import Player

from roles import write

PLAYBOOKS = sorted((ROOT / "playbooks").glob("*.yml"))


def test_all_playbooks_choose_their_hosts_alike() -> None:
    hosts = [yaml.safe_load(file.read_text(encoding="utf-8"))[0]["hosts"] for file in PLAYBOOKS]
    assert [file.stem for file in PLAYBOOKS] == ["converge", "export", "login", "validate"]
    assert len(set(hosts)) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--limit", "nosuch"],
        ["-e", "target=nosuch"],
        ["-i", "here,there,", "-e", "target=here", "--limit", "there"],
        ["-i", "here,", "--limit", "here"],
    ],
)
def test_run_on_no_host_fails_and_says_so(player: Player, arguments: list[str]) -> None:
    done = player.execute([*player.command, "hosting.platform.converge", *arguments], {}, merged=True)

    assert done.returncode
    assert "There is no host to run on. The target is " in done.stdout
    assert "TASK [" not in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--limit", "localhost"],
        ["-i", "here,there,", "-c", "local", "-e", "target=here", "--limit", "here:there"],
        ["-i", "here,", "-c", "local", "-e", "target=all"],
        ["-i", "here,", "-c", "local", "-e", "target=here", "--limit", "@hosts"],
    ],
)
def test_run_on_a_host_runs(player: Player, arguments: list[str]) -> None:
    (player.folder / "hosts").write_text("here\n", encoding="utf-8")
    write(player.folder / "blueprint", projects="[]")

    play = player.run_file(Path("hosting.platform.validate"), "-e", "converge_directory=blueprint", *arguments)

    assert play.tasks[0].result["msg"] == "No problems were found in the files."


def test_nothing_else_is_needed(player: Player) -> None:
    """Every playbook that users call by name, and the inventory."""
    tree = player.folder / "tree"
    for folder in ("meta", "playbooks", "plugins", "roles"):
        shutil.copytree(ROOT / folder, tree / COLLECTION / folder)
    found = {"ANSIBLE_COLLECTIONS_PATH": str(tree), "PYTHONPATH": str(tree)}

    def play(name: str, *variables: str) -> None:
        given = [argument for variable in variables for argument in ("--extra-vars", variable)]
        player.run_file(Path(f"hosting.platform.{name}"), *given, **found)

    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme"}])
    play("export", "export_path=blueprint")
    play("validate", "converge_directory=blueprint")
    reports = [f"converge_{kind}={kind}.out" for kind in ("report", "markdown", "plan")]
    play("converge", "converge_directory=blueprint", *reports)
    assert [(player.folder / f"{kind}.out").stat().st_size > 100 for kind in ("report", "markdown", "plan")] == [
        True
    ] * 3

    source = player.folder / "projects.hosting_platform.yml"
    source.write_text("plugin: hosting.platform.projects\n")
    hosts = [{"hosts": "web", "gather_facts": False, "tasks": [{"ansible.builtin.debug": {"var": "hosting_team"}}]}]
    (player.folder / "hosts.yml").write_text(yaml.safe_dump(hosts))
    shown = player.run_file(player.folder / "hosts.yml", "--inventory", str(source), **found)
    assert '"hosting_team": "acme"' in shown.output, shown.output
