# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A team whose file has an empty list, and guards that YAML reads as numbers."""

from typing import Any

import pytest
from folders import write
from player import Player

from roles import Options, outcomes, role

PLATFORM: dict[str, Any] = {
    "teams": [{"slug": "acme"}, {"slug": "media"}],
    "projects": [
        {"name": "shop", "team": "acme"},
        {"name": "blog", "team": "acme"},
        {"name": "podcast", "team": "media"},
    ],
}


def names(player: Player) -> list[str]:
    return sorted(project["name"] for project in player.emulator.state()["projects"])


def test_team_whose_file_has_an_empty_list_is_of_the_run(player: Player) -> None:
    player.emulator.seed(**PLATFORM)
    directory = write(
        player.folder / "blueprint",
        acme="team: acme\nprojects: []\n",
        media="team: media\nprojects:\n  - name: podcast\n",
    )
    given: Options = {"converge_directory": str(directory), "converge_prune": ["projects"]}
    checking = role(
        "converge", check=True, converge_directory=str(directory), converge_fail_on_undeclared=True
    )
    (drift,) = outcomes(player.run([checking]))
    both = "The platform has undeclared objects: project acme/blog, project acme/shop."
    assert drift["msg"].startswith(both)
    (pruned,) = outcomes(player.run([role("converge", **given)]))
    assert pruned["summary"]["delete"] == 2
    assert names(player) == ["podcast"]


def test_team_of_a_file_with_an_empty_list_has_to_exist(player: Player) -> None:
    player.emulator.seed(**PLATFORM)
    directory = write(player.folder / "blueprint", acme="team: amce\nprojects: []\n")
    (failed,) = outcomes(player.run([role("converge", converge_directory=str(directory))]))
    assert ("amce" in failed["msg"], "Did you mean acme?" in failed["msg"]) == (True, True)
    assert player.emulator.writes == []


def test_team_of_a_file_with_an_empty_list_may_be_selected(player: Player) -> None:
    player.emulator.seed(**PLATFORM)
    directory = write(player.folder / "blueprint", acme="team: acme\nprojects: []\n")
    given: Options = {"converge_directory": str(directory), "converge_only": [{"team": "acme"}]}
    (pruned,) = outcomes(player.run([role("converge", converge_prune=["projects"], **given)]))
    assert pruned["summary"]["delete"] == 2
    assert names(player) == ["podcast"]


@pytest.mark.parametrize("guard", ["protect", "ignore"])
def test_guard_that_yaml_reads_as_a_number_is_refused_by_name(player: Player, guard: str) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": name, "team": "acme"} for name in ("010", "1_000")],
    )
    settings = player.folder / "settings.yml"
    settings.write_text(
        f"converge_prune: [projects]\nconverge_{guard}: [010, 1_000]\n", encoding="utf-8"
    )
    blueprint = {"projects": [{"name": "shop", "team": "acme"}]}
    play = player.run([role("converge", converge_blueprint=blueprint)], "-e", f"@{settings}")
    assert f"{guard}[0] must be text, and is a number. Quote it." in play.output
    assert player.emulator.requests() == []
    assert names(player) == ["010", "1_000"]
