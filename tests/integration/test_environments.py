# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two environments that share a directory and have one each, with pruning."""

from pathlib import Path

import pytest
import yaml
from folders import write
from player import Play, Player

from roles import outcomes, play_on, role

COMMON = """\
team: acme
projects:
  - {name: shop, framework: nextjs}
  - {name: blog, framework: astro}
"""
PRODUCTION = """\
team: acme
aliases:
  - {alias: shop.example.com, project: shop}
  - {alias: www.shop.example.com, project: shop}
"""
STAGING = """\
team: acme
projects:
  - {name: sandbox}
aliases:
  - {alias: shop.staging.example.com, project: shop}
"""


@pytest.fixture(autouse=True)
def directories(player: Player) -> None:
    files = {"common": COMMON, "production": PRODUCTION, "staging": STAGING}
    write(player.folder, **{f"{name}__sites": content for name, content in files.items()})


def run(player: Player, playbook: str, *arguments: str, directory: str) -> Play:
    given = ("-e", f"converge_directory={directory}", *arguments)
    return player.run_file(Path(f"hosting.platform.{playbook}"), *given)


@pytest.mark.parametrize(
    ("own", "projects", "hosts"),
    [
        ("staging", ["blog", "sandbox", "shop"], ["shop.staging.example.com"]),
        ("production", ["blog", "shop"], ["shop.example.com", "www.shop.example.com"]),
    ],
)
def test_each_environment_has_what_it_shares_and_its_own(
    player: Player, own: str, projects: list[str], hosts: list[str]
) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "old", "team": "acme"}],
        aliases=[{"alias": "old.example.com", "project": "old", "team": "acme"}],
    )
    both = f"common,{own}"
    prune = ("-e", "converge_prune=projects,aliases", "-e", "converge_plan=plan.json")
    assert "are valid." in run(player, "validate", directory=both).output
    check = run(player, "converge", *prune, "--check", directory=both)
    assert "+ project acme/shop  framework: nextjs  common/sites.yml:3" in check.output
    assert f" {own}/sites.yml:" in check.output
    approved = (*prune[:2], "-e", "converge_approved=plan.json")
    done = run(player, "converge", *approved, directory=both).output
    assert "Done: 4 created, 2 deleted and 1 along with them." in done
    again = run(player, "converge", *prune, directory=f"./common/,{player.folder}/{own}")
    assert "Nothing to do;" in again.output

    state = player.emulator.state()
    assert sorted(project["name"] for project in state["projects"]) == projects
    # The service makes an alias of its own for each project.
    aliases = {alias["alias"] for alias in state["aliases"]}
    assert sorted(alias for alias in aliases if alias.endswith("example.com")) == hosts


def test_the_same_object_in_both_is_a_duplicate_that_names_both(player: Player) -> None:
    write(player.folder, staging__more="team: acme\nprojects: [{name: shop}]\n")
    failed = run(player.expecting_failure, "converge", directory="common,staging")
    message = outcomes(failed)[0]["msg"]
    assert "common/sites.yml:3" in message
    assert "staging/more.yml:2" in message
    assert player.emulator.requests() == []


def test_only_selects_by_the_directory(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    given = ("-e", '{"converge_only": [{"source": "staging/*", "kind": "projects"}]}')
    assert "Done: 1 created" in run(player, "converge", *given, directory="common,staging").output
    assert [project["name"] for project in player.emulator.state()["projects"]] == ["sandbox"]


def test_all_that_is_wrong_with_the_directories_is_said(player: Player) -> None:
    failed = run(player.expecting_failure, "converge", directory="common,./common,stagign")
    assert outcomes(failed)[0]["msg"].split("\n") == [
        "converge_directory: stagign does not exist.",
        "converge_directory: common and common are the same directory, or one lies in the other."
        " Remove one of them.",
    ]
    report = ("-e", "converge_report=staging/report.html")
    failed = run(player.expecting_failure, "converge", *report, directory="common,staging")
    assert "converge_report is inside the blueprint directory" in outcomes(failed)[0]["msg"]
    assert player.emulator.requests() == []


def test_a_directory_whose_name_has_a_comma_is_one(player: Player) -> None:
    write(player.folder, **{"common,staging__sites": COMMON.replace("team: acme\n", "")})
    assert "+ project shop" in run(player, "converge", directory="common,staging").output


def test_an_export_leaves_out_what_several_directories_declare(player: Player) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": name, "team": "acme"} for name in ("shop", "sandbox", "old")],
    )
    export = role(
        "export",
        export_directory="live",
        export_kinds="projects",
        export_undeclared_in="common,staging",
    )
    play_on(player, export)
    exported = yaml.safe_load((player.folder / "live/projects.yml").read_text(encoding="utf-8"))
    assert [entry["name"] for entry in exported] == ["old"]
