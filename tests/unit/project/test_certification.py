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

PAGE = (ROOT / "CERTIFICATION.md").read_text(encoding="utf-8")
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


PROOFS = sorted({proof for proof in re.findall(r"`([^`]+)`", PAGE) if re.search(r"[/.]\w|^make ", proof)})


@pytest.mark.parametrize("proof", PROOFS)
def test_every_proof_exists(proof: str) -> None:
    if proof != "extensions/audit":
        assert problem_of(proof) is None


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
    named = {"blueprint", "blueprint_validate", "login_request", "login_verification", "team_join", "team_member"}
    assert acting == named


def test_no_sanity_test_is_ignored() -> None:
    assert list((ROOT / "tests").rglob("ignore*.txt")) == []


def test_no_nodes_are_counted() -> None:
    assert not (ROOT / "extensions/audit").exists()
    assert "Indirect nodes" in PAGE
