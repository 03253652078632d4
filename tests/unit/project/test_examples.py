# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every example of the documentation is YAML, and names modules, roles, groups and options that
exist.
"""

import re
import subprocess
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from environments import ROOT
from guides import GUIDES, READMES, Block, actions, blocks
from release import NAMED

RUNTIME = yaml.safe_load((ROOT / "meta/runtime.yml").read_text())
PAGES = [*GUIDES.values(), *READMES]
EXAMPLES = {
    path.stem: import_module(
        f"ansible_collections.hosting.platform.plugins.modules.{path.stem}"
    ).EXAMPLES
    for path in sorted((ROOT / "plugins/modules").glob("*.py"))
}
ROLES = {
    path.parent.parent.name: yaml.safe_load(path.read_text())["argument_specs"]["main"]
    for path in sorted((ROOT / "roles").glob("*/meta/argument_specs.yml"))
}
PLAYBOOKS = [pytest.param(Block("yaml", spec["examples"]), id=name) for name, spec in ROLES.items()]
PLAYBOOKS += [pytest.param(Block("yaml", examples), id=name) for name, examples in EXAMPLES.items()]
for page in PAGES:
    PLAYBOOKS += [
        pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
        for number, block in enumerate(blocks(page, "yaml"))
        if block.is_playbook
    ]


@cache
def options_of(name):
    """The options of a module or a role, by its fully qualified name."""
    namespace, collection, short = name.split(".", 2)
    if f"{namespace}.{collection}" == "ansible.builtin":
        documented = yaml.safe_load(import_module(f"ansible.modules.{short}").DOCUMENTATION)
        return set(documented["options"])
    assert f"{namespace}.{collection}" == "hosting.platform", f"{name} is of another collection"
    if short in ROLES:
        return set(ROLES[short]["options"])
    module = import_module(f"ansible_collections.hosting.platform.plugins.modules.{short}")
    return set(module.MODULE.specification.options)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_is_yaml(page: Path):
    assert all(block.document for block in blocks(page, "yaml"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_is_one_for_a_shell(page: Path):
    commands = "".join(block.text for block in blocks(page, "shell"))
    subprocess.run(["bash", "-n"], input=commands, text=True, check=True)


@pytest.mark.parametrize("block", PLAYBOOKS)
def test_playbooks_use_existing_modules_and_options(block):
    for name, given in actions(block.document):
        assert name.count(".") == 2, f"{name} is not fully qualified"
        if isinstance(given, dict):
            assert given.keys() - options_of(name) - {"vars"} == set(), name
    for play in block.document:
        for name, given in play.get("module_defaults", {}).items():
            group = name.removeprefix("group/hosting.platform.")
            modules = (
                RUNTIME["action_groups"][group]
                if group != name
                else [name.removeprefix("hosting.platform.")]
            )
            for module in modules:
                assert set(given) <= options_of(f"hosting.platform.{module}")


def test_the_guide_installs_the_emulator_of_the_newest_release():
    (wheel,) = set(
        re.findall(
            r"hosting_platform_emulator-(\S+)-py3-none-any\.whl", GUIDES["testing"].read_text()
        )
    )
    assert wheel == next(NAMED.finditer((ROOT / "README.md").read_text()))["version"]
