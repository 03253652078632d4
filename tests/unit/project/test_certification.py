# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on certification names proofs that exist, and points of it that no tool checks."""

from __future__ import annotations

import ast
import re
from importlib import import_module

import pytest
from ansible.plugins import loader
from environments import ROOT
from guides import GUIDES

PAGE = GUIDES["certification"].read_text(encoding="utf-8")
# Of https://docs.ansible.com/projects/ansible/devel/community/collection_contributors/collection_requirements.html
HEADINGS = """
Overview
Feedback and communications
Keeping informed
Communication and Working Groups
Forum overview
Communication requirements
Collection infrastructure
Python Compatibility
Python Requirements
Controller environment
Other environment
Dropping Python versions support
Python documentation requirements
Standards for developing module and plugin utilities
Repository structure requirements
galaxy.yml
README.md
meta/runtime.yml
meta/execution-environment.yml
Modules & Plugins
Other directories
Documentation requirements
Contributor Workflow
Changelogs
Versioning and deprecation
Naming
Collection naming
Module naming
Collection licensing requirements
Contributor License Agreements
Repository management
Branch name and configuration
CI Testing
When moving modules between collections
Development conventions
Collection Dependencies
Examples
Other requirements
""".strip().splitlines()
PLUGINS = ROOT / "plugins"
MODULES = {path.stem for path in (PLUGINS / "modules").glob("*.py")}


def problem_of(proof: str) -> str | None:
    """The problem of something that the page shows as code: a make target, a file, or a test in one."""
    if proof.startswith("make "):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        return None if re.search(rf"^{proof.removeprefix('make ')}:", makefile, re.MULTILINE) else "no such target"
    name, _separator, test = proof.partition("::")
    file = ROOT / name
    if not file.exists():
        return "no such file"
    if not test:
        return None
    functions = [node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)]
    return None if test in functions else "no such test"


PROOFS = sorted({proof for proof in re.findall(r"``([^`]+)``", PAGE) if re.search(r"[/.]|^make ", proof)})


@pytest.mark.parametrize("proof", PROOFS)
def test_every_proof_exists(proof: str) -> None:
    if proof != "extensions/audit":
        assert problem_of(proof) is None


def test_every_heading_of_the_community_is_on_the_page() -> None:
    """With what proves it, or among those that ask nothing: what nobody has read would be missing."""
    community = PAGE.partition("Automation Hub's requirements\n---")[0]
    proven = re.findall(r"^(.+)\n~+$", community, re.MULTILINE)
    others = community.partition("The other headings ask nothing")[2].partition("\n\n")[0]
    asking_nothing = [" ".join(name.split()) for name in re.findall(r"\*([^*]+)\*", others)]
    assert proven == [heading for heading in HEADINGS if heading in proven]
    assert set(HEADINGS) - set(proven) == set(asking_nothing) - {"Python Requirements"}


def test_every_requirement_has_a_proof() -> None:
    rows = re.findall(r"^  \* - ((?:.+\n)(?:      .+\n)*)    - ((?:.+\n)(?:      .+\n)*)", PAGE, re.MULTILINE)
    assert len(rows) == PAGE.count("\n  * - ") > 30
    assert [row for row, proof in rows if row != "Requirement\n" and "``" not in proof] == []


@pytest.mark.parametrize(
    "proof", ["make nothing", "tests/nothing.py", "tests/unit/project/test_certification.py::test"]
)
def test_a_proof_that_does_not_exist_is_found(proof: str) -> None:
    assert problem_of(proof)


def test_every_plugin_names_its_license() -> None:
    files = [file for file in PLUGINS.rglob("*.py") if file.stat().st_size]
    assert len(files) > 50
    assert [file for file in files if ": GPL-3.0-or-later\n" not in file.read_text()[:400]] == []


def test_shared_code_is_private() -> None:
    shared = [file for folder in ("module_utils", "plugin_utils") for file in (PLUGINS / folder).iterdir()]
    assert len(shared) > 10
    assert [file for file in shared if not file.name.startswith("_")] == []


def test_folders_of_plugins_are_those_of_ansible() -> None:
    loaders = [value for value in vars(loader).values() if isinstance(value, loader.PluginLoader)]
    known = {"module_utils", "plugin_utils", *(found.subdir.removesuffix("_plugins") for found in loaders)}
    known = {"modules" if name == "library" else name for name in known}
    assert {folder.name for folder in PLUGINS.iterdir() if folder.is_dir()} - {"__pycache__"} <= known


def test_what_only_reads_is_called_info() -> None:
    """A module that has no state and is no _info says of each run that it acts: a login, a member, a blueprint."""
    modules = "ansible_collections.hosting.platform.plugins.modules"
    options = {name: import_module(f"{modules}.{name}").MODULE.specification.options for name in MODULES}
    states = {name: given["state"]["choices"] for name, given in options.items() if "state" in given}
    assert {choice for choices in states.values() for choice in choices} == {"present", "absent", "exists"}
    acting = {name for name in MODULES if not name.endswith("_info")} - states.keys()
    assert acting == {"blueprint", "login_request", "login_verification", "output_files", "team_join", "team_member"}


def test_no_sanity_test_is_ignored() -> None:
    assert list((ROOT / "tests").rglob("ignore*.txt")) == []


def test_no_nodes_are_counted() -> None:
    assert not (ROOT / "extensions/audit").exists()
    assert "Indirect nodes" in PAGE
