# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-test sanity, in a copy of the collection, without what it would download."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import nox
from environments import CACHE, FAILURES, copy_of_checkout, variables
from interpreters import OLDEST_MODULE_PYTHON, find_python

HOME = CACHE / "sanity" / "home"
PIP_CACHE = HOME / ".ansible" / "test" / "cache"
PLANTED_FAULT = Path("plugins/module_utils/_planted_fault.py")

# ansible-test downloads these to install pip into its virtual environments, though Python includes all that is needed.
# The version is part of the file's name, and each ansible-core requires its own.
WANTED_PIP = re.compile(r"\bpip='([\d.]+)'")
ARCHIVE = re.compile(r" @ https://\S+")
PIP_BOOTSTRAP = """
import subprocess
import sys

packages = [argument for argument in sys.argv[1:] if not argument.startswith("--no-")]
subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
subprocess.run([sys.executable, "-m", "pip", "install", *packages], check=True)
"""


def check_sanity(session: nox.Session, core: str, tools: Path) -> None:
    """Run all tests; none may be skipped."""
    output = _run(session, tools, _copy(core), *_local(tools))
    tests = set(re.findall(r'^Running sanity test "([^"]+)"', output, re.MULTILINE))
    skipped = re.findall(r".*Skipping .*", output)
    if skipped or "shellcheck" not in tests:
        session.error(output, *skipped)
    session.log(f"ansible-core {core}: {len(tests)} sanity tests passed")


def check_sanity_thoroughly(session: nox.Session, core: str, tools: Path) -> None:
    """Prove that the tests find faults, and that the modules load on the oldest supported Python."""
    collection = _copy(core)
    (collection / PLANTED_FAULT).write_text("assert True\n")
    output = _run(session, tools, collection, *_local(tools), "--test", "no-assert", success_codes=FAILURES)
    if str(PLANTED_FAULT) not in output:
        session.error(f"sanity on ansible-core {core} does not find a planted fault:", output)
    (collection / PLANTED_FAULT).unlink()
    _check_on_oldest_module_python(session, tools, collection)


def _copy(core: str) -> Path:
    """A copy of the collection: ansible-test refuses a plain checkout, and checks nothing in a tree of links.

    The emulator is a separate package and not part of the collection.
    """
    return copy_of_checkout(f"sanity-{core}", without={"emulator"})


def _check_on_oldest_module_python(session: nox.Session, tools: Path, collection: Path) -> None:
    """Check that the modules load on Pythons older than those of ansible-core, on which they also run."""
    python = find_python(OLDEST_MODULE_PYTHON)
    if not python:
        session.warn(f"No Python {OLDEST_MODULE_PYTHON} is here: whether the modules load on it stays unchecked.")
        return
    controller = ("--controller", f"origin:python={_python_version(tools)}", "--target-python", OLDEST_MODULE_PYTHON)
    _run(session, tools, collection, *controller, "--test", "compile", "--test", "import", also=str(python.parent))
    session.log(f"Python {OLDEST_MODULE_PYTHON}: the modules load")


def _local(tools: Path) -> tuple[str, ...]:
    # By default it would use the Python on PATH, which may be the shim of a version manager without a Python behind it.
    return ("--local", "--python", _python_version(tools))


def _python_version(tools: Path) -> str:
    return next(tools.parent.glob("lib/python3.*")).name.removeprefix("python")


def _run(
    session: nox.Session,
    tools: Path,
    collection: Path,
    *options: str,
    also: str = "",
    success_codes: Iterable[int] = (0,),
) -> str:
    """The output of ansible-test."""
    _make_home()
    _prepare(tools)
    environment = variables(tools) | {"HOME": str(HOME)}
    environment["PATH"] = os.pathsep.join([str(tools), also, environment["PATH"]])
    command = (str(tools / "ansible-test"), "sanity", "--color", "no", *options)
    with session.chdir(collection):
        return str(session.run(*command, env=environment, external=True, silent=True, success_codes=success_codes))


def _prepare(folder: Path) -> None:
    """Make everything that ansible-test installs available: pip in its cache, everything else on the package index."""
    (ansible_test,) = folder.parent.glob("lib/*/site-packages/ansible_test")
    for version in WANTED_PIP.findall((ansible_test / "_internal/python_requirements.py").read_text()):
        (PIP_CACHE / f"get_pip_{version.replace('.', '_')}.py").write_text(PIP_BOOTSTRAP)
    # 2.22 requires an unreleased dill, for Python 3.15, from a location that may be unreachable.
    for requirements in (ansible_test / "_data/requirements").glob("*.txt"):
        text = requirements.read_text()
        if ARCHIVE.search(text):
            requirements.write_text(ARCHIVE.sub("", text))


def _make_home() -> None:
    PIP_CACHE.mkdir(parents=True, exist_ok=True)
    # pip reads both of these: the first silences it, the second is the user's own configuration of package indexes.
    silence = HOME / ".pip" / "pip.conf"
    silence.parent.mkdir(exist_ok=True)
    silence.write_text("[global]\nquiet = 2\n")
    settings = HOME / ".config" / "pip"
    if not settings.is_symlink():
        settings.parent.mkdir(exist_ok=True)
        settings.symlink_to(Path("~/.config/pip").expanduser())
