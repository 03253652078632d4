# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-test sanity, in a copy of the collection, without what it would download.

ansible-test refuses a plain checkout, and checks nothing in a tree of links. The emulator is a
separate package, and ruff and mypy check the tests, which no artifact contains.
"""

import os
import re
import shutil
from pathlib import Path
from typing import Any

import nox
from environments import CACHE, ROOT, copy_of_checkout, variables
from interpreters import OLDEST_MODULE_PYTHON, find_python

HOME = CACHE / "sanity" / "home"
PIP_CACHE = HOME / ".ansible" / "test" / "cache"
PLANTED_FAULT = Path("plugins/module_utils/_planted_fault.py")

# ansible-test downloads these to install pip into its virtual environments, though Python includes
# all that is needed. The version is part of the file's name, and each ansible-core requires its
# own.
WANTED_PIP = re.compile(r"\bpip='([\d.]+)'")
PIP_BOOTSTRAP = """
import subprocess, sys
packages = [argument for argument in sys.argv[1:] if not argument.startswith("--no-")]
subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
subprocess.run([sys.executable, "-m", "pip", "install", *packages], check=True)
"""


def check_sanity(session: nox.Session, core: str, tools: Path) -> None:
    """Run all tests; none may be skipped."""
    output = _run(session, tools, _copy_of_artifact(core))
    tests = set(re.findall(r'^Running sanity test "([^"]+)"', output, re.MULTILINE))
    skipped = re.findall(r".*Skipping .*", output)
    if skipped or "shellcheck" not in tests:
        session.error(output, *skipped)
    session.log(f"ansible-core {core}: {len(tests)} sanity tests passed")


def check_sanity_thoroughly(session: nox.Session, core: str, tools: Path) -> None:
    """Prove that the tests find faults, and that the modules load on the oldest supported
    Python.
    """
    collection = _copy_of_artifact(core)
    (collection / PLANTED_FAULT).write_text("assert True\n")
    output = _run(session, tools, collection, "--test", "no-assert", success_codes=range(1, 256))
    if str(PLANTED_FAULT) not in output:
        session.error(f"sanity on ansible-core {core} does not find a planted fault:", output)
    (collection / PLANTED_FAULT).unlink()
    # Older than those of ansible-core.
    if oldest := find_python(OLDEST_MODULE_PYTHON):
        _run(session, tools, collection, "--test", "compile", "--test", "import", modules_on=oldest)
        session.log(f"Python {OLDEST_MODULE_PYTHON}: the modules load")
    else:
        session.warn(
            f"No Python {OLDEST_MODULE_PYTHON} is here: whether the modules load on it stays"
            " unchecked."
        )


def _copy_of_artifact(core: str) -> Path:
    collection = copy_of_checkout(f"sanity-{core}", without={"emulator", "tests"})
    # GitLab wants two documents in a file with inputs, which yamllint refuses; its schema checks
    # the file.
    (collection / "examples/pipelines/gitlab/blueprint.yml").unlink()
    (collection / "tests").mkdir()
    shutil.copy(ROOT / "tests/config.yml", collection / "tests")
    return collection


def _run(
    session: nox.Session,
    tools: Path,
    collection: Path,
    *options: str,
    modules_on: Path | None = None,
    **how: Any,
) -> str:
    """The output of ansible-test."""
    _prepare(tools)
    version = next(tools.parent.glob("lib/python3.*")).name.removeprefix("python")
    # By default it would use the Python on PATH, which may be the shim of a version manager without
    # a Python behind it.
    pythons = ["--local", "--python", version]
    environment = variables(tools, HOME=str(HOME))
    if modules_on:
        pythons = [
            "--controller",
            f"origin:python={version}",
            "--target-python",
            OLDEST_MODULE_PYTHON,
        ]
        environment["PATH"] = os.pathsep.join(
            [str(tools), str(modules_on.parent), os.environ["PATH"]]
        )
    command = (str(tools / "ansible-test"), "sanity", "--color", "no", *pythons, *options)
    with session.chdir(collection):
        return str(session.run(*command, env=environment, external=True, silent=True, **how))


def _prepare(folder: Path) -> None:
    """Make everything that ansible-test installs available: pip in its cache, everything else on
    the package index.
    """
    PIP_CACHE.mkdir(parents=True, exist_ok=True)
    # pip reads both of these: the first silences it, the second is the user's own configuration of
    # package indexes.
    silence = HOME / ".pip" / "pip.conf"
    silence.parent.mkdir(exist_ok=True)
    silence.write_text("[global]\nquiet = 2\n")
    settings = HOME / ".config" / "pip"
    if not settings.is_symlink():
        settings.parent.mkdir(exist_ok=True)
        settings.symlink_to(Path("~/.config/pip").expanduser())
    (ansible_test,) = folder.parent.glob("lib/*/site-packages/ansible_test")
    for version in WANTED_PIP.findall(
        (ansible_test / "_internal/python_requirements.py").read_text()
    ):
        (PIP_CACHE / f"get_pip_{version.replace('.', '_')}.py").write_text(PIP_BOOTSTRAP)
