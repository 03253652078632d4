# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook validate, by itself and as a hook of pre-commit: no token, no request, all that is
wrong.
"""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import ROOT, variables
from folders import write
from guides import GUIDES
from player import Play, Player

PLAYBOOK = Path("hosting.platform.validate")
CONNECTION = ("HOSTING_PLATFORM_BASE_URL", "HOSTING_PLATFORM_ACCESS_TOKEN")


def validate(player: Player, *arguments: str) -> Play:
    """Without the variables that a connection needs."""
    return player.run_file(
        PLAYBOOK, "-e", "converge_directory=blueprint", *arguments, **dict.fromkeys(CONNECTION)
    )


def test_right_files_pass_without_a_token(player: Player) -> None:
    write(player.folder / "blueprint", projects="- {name: web, team: not-there}\n")

    play = validate(player)

    assert (play.results[-1]["entries"], play.results[-1]["files"]) == (
        1,
        [f"{player.folder}/blueprint/projects.yml"],
    )
    assert play.results[-1]["blueprint"] == {"projects": [{"name": "web", "team": "not-there"}]}
    assert "1 entry in 1 file is valid." in play.output
    assert player.emulator.requests() == []


def test_each_problem_is_shown_once_beside_ansibles_own_message(player: Player) -> None:
    write(
        player.folder / "blueprint",
        projects="- {nme: a, id: prj_1}\n",
        shop__projects="taem: acme\nprojects: []\n",
    )
    done = player.execute([*player.command, PLAYBOOK], {})
    problems = [
        "shop/projects.yml:1: unknown key taem. Did you mean team?",
        "projects[0] prj_1 (projects.yml:1): unknown option nme. Did you mean name?",
    ]
    assert [line for line in done.stderr.split("\n") if line.startswith(("shop", "projects"))][
        :2
    ] == problems
    (own,) = [line for line in done.stdout.split("\n") if line.startswith("fatal: ")]
    assert [own.count(problem) for problem in problems] == [1, 1]


@pytest.mark.parametrize(("entry", "count"), [("{name: api}", 2), ("{nme: api}", 0)])
def test_entries_are_counted_where_each_is_right_and_a_file_is_wrong(
    player: Player, entry: str, count: int
) -> None:
    folder = player.folder / "blueprint"
    write(folder, projects=f"- name: web\n- {entry}\n", shop__projects="taem: acme\n")
    validation = {"hosting.platform.blueprint_validate": {"directory": str(folder)}}
    (task,) = player.run([validation]).tasks
    assert task.status == "failed"
    assert (task.result["entries"], len(task.result["files"])) == (count, 2)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("-e", "converge_directory=blueprint"), "blueprint does not exist."),
        (("-e", "converge_blueprint=x"), "converge_directory is required."),
    ],
)
def test_missing_directory_is_wrong(player: Player, given: tuple[str, ...], problem: str) -> None:
    play = player.expecting_failure.run_file(PLAYBOOK, *given)
    assert play.tasks[-1].result["msg"].endswith(problem)


def pre_commit(player: Player, repository: Path) -> subprocess.CompletedProcess[str]:
    given: dict[str, Any] = {**variables(player.bin), **player.environment}
    for name in (*CONNECTION, "ANSIBLE_COLLECTIONS_PATH", "PYTHONPATH"):
        given.pop(name, None)
    command = ["try-repo", str(ROOT), "hosting-platform-validate", "--all-files", "--verbose"]
    return subprocess.run(
        ["pre-commit", *command],
        cwd=repository,
        env={
            **given,
            "PRE_COMMIT_HOME": str(repository.parent / "pre-commit"),
            "GIT_CONFIG_GLOBAL": "/dev/null",
        },
        check=False,
        text=True,
        capture_output=True,
    )


@pytest.mark.thorough
def test_hook_of_pre_commit_holds_back_what_is_wrong(player: Player) -> None:
    repository = write(player.folder / "repository", blueprint__projects="- {nme: a}\n")
    canary = player.folder / "canary"
    (repository / "ansible.cfg").write_text("[defaults]\ncallback_plugins = .\n")
    (repository / "canary.py").write_text(f"open({str(canary)!r}, 'w').close()\n")
    subprocess.run(["git", "init", "--quiet"], cwd=repository, check=True)
    subprocess.run(["git", "add", "--all"], cwd=repository, check=True)
    refused = pre_commit(player, repository)
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "projects[0] (projects.yml:1): unknown option nme. Did you mean name?" in refused.stdout

    write(repository, blueprint__projects="[]\n")
    passed = pre_commit(player, repository)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "0 entries in 1 file are valid." in passed.stdout
    assert not canary.exists(), "no plugin of the repository was loaded"
    assert player.emulator.requests() == []


@pytest.mark.parametrize(
    "given", re.findall(r"args: (\[.*?\])", GUIDES["blueprint"].read_text(encoding="utf-8"))
)
def test_hook_takes_the_arguments_of_the_guide(player: Player, given: str) -> None:
    """They take the place of those in the manifest."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    script, *arguments = shlex.split(hook["entry"])
    write(player.folder, blueprint__projects="[]\n", platform__projects="[]\n")
    play = player.execute([ROOT / script, *arguments, *yaml.safe_load(given)], {}, merged=True)
    assert "0 entries in 1 file are valid." in play.stdout
