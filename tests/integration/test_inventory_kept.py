# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A list of ansible-inventory that somebody keeps, and uses as an inventory: text of the service does not run there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from emulated import Emulated
from inventories import Inventory
from sampling import sampled

TEMPLATE = "{{ lookup('ansible.builtin.pipe', 'touch ran') }}"
TEXTS = [TEMPLATE, "{% set x = 1 %}", "{# x #}", f"#jinja2: variable_start_string: '[['\n[[ 6 * 7 ]] {TEMPLATE}"]
PLAIN = "a: 'b' !unsafe \"c\" \\ é\n- d #"


@pytest.fixture
def kept(emulator: Emulated, inventory: Inventory, request: pytest.FixtureRequest) -> Path:
    """The list, as it was written with these arguments."""
    arguments: list[str] = request.param
    emulator.switch(extra_fields=True)
    emulator.seed(projects=[{"name": f"web-{number}", "buildCommand": text} for number, text in enumerate(TEXTS)])
    emulator.seed(projects=[{"name": "plain", "buildCommand": PLAIN}])
    source = inventory.source(compose={"composed": "hosting_build_command", "both": "[hosting_build_command]"})
    done = inventory.run("-i", source, "--list", *arguments)
    assert not done.stderr
    path = inventory.player.folder / "kept.yml"
    if "--yaml" in arguments:
        path.write_text(done.stdout)
    else:
        path = path.with_suffix(".sh")
        path.write_text(f"#!/bin/sh\ncat <<'END'\n{done.stdout}\nEND\n")
        path.chmod(0o700)
    return path


FORMS = [["--yaml"], ["--yaml", "--export"], [], ["--export"]]


@pytest.mark.parametrize("kept", sampled(FORMS, 3), indirect=True, ids=" ".join)
def test_nothing_in_a_kept_list_runs(kept: Path, inventory: Inventory) -> None:
    expected: dict[str, str] = dict(zip((f"web-{number}" for number in range(len(TEXTS))), TEXTS, strict=True))
    expected["plain"] = PLAIN
    names = "inventory_hostname, hosting_build_command, composed, both[0]"
    tasks: list[dict[str, Any]] = [
        {"ansible.builtin.set_fact": {"again": "{{ hosting_build_command }}"}},
        {"ansible.builtin.debug": {"msg": "{{ again }}"}},
        {"ansible.builtin.debug": {"msg": f"{{{{ [{names}] | to_json }}}}"}},
    ]
    here = {"ansible_python_interpreter": "{{ ansible_playbook_python }}", "ansible_connection": "local"}
    play = {"hosts": "all", "gather_facts": False, "vars": here, "tasks": tasks}
    played = inventory.player.run_plays([play], "-i", str(kept))
    shown = [task.result["msg"] for task in played.tasks[2 * len(expected) :]]
    # Before 2.19, core makes a list of what looks like one.
    found = [json.loads(message) if isinstance(message, str) else message for message in shown]
    assert sorted(found) == sorted([name, text, text, text] for name, text in expected.items())
    assert not (inventory.player.folder / "ran").exists()


@pytest.mark.parametrize("kept", [["--yaml"]], indirect=True, ids=" ".join)
def test_the_mark_stands_only_where_it_is_needed(kept: Path) -> None:
    text = kept.read_text()
    assert f"hosting_build_command: !unsafe '{TEXTS[1]}'\n" in text
    hosts = yaml.safe_load(re.sub(r"(?<=[:-] )!unsafe ", "", text))["all"]["children"]["ungrouped"]["hosts"]
    assert hosts["web-0"]["hosting_build_command"] == TEMPLATE
    assert hosts["plain"]["hosting_build_command"] == PLAIN
    assert hosts["web-0"]["hosting_name"] == "web-0"
