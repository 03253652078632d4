# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An installed collection of which only the folders are left that plugins, roles and playbooks may use."""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml
from environments import COLLECTION, ROOT
from playing import Player


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
