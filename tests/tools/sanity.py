# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-test sanity, on the oldest and the newest ansible-core."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import CheckFailed, Command, run_quietly
from environments import CACHE, ansible_environment, copy_of_checkout, variables
from interpreters import OLDEST_CORE, OLDEST_MODULE_PYTHON, interpreters, newest_core, python_version_for

HOME = CACHE / "sanity" / "home"
PIP_CACHE = HOME / ".ansible" / "test" / "cache"
PLANTED_FAULT = Path("plugins/module_utils/_planted_fault.py")

# ansible-test downloads these to put pip into its virtual environments. Python brings all that is needed.
# Its version is part of the file's name, and each ansible-core wants its own.
WANTED_PIP = re.compile(r"\bpip='([\d.]+)'")
ARCHIVE = re.compile(r" @ https://\S+")
PIP_BOOTSTRAP = """
import subprocess
import sys

packages = [argument for argument in sys.argv[1:] if not argument.startswith("--no-")]
subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
subprocess.run([sys.executable, "-m", "pip", "install", *packages], check=True)
"""


def main() -> None:
    _make_home()
    # ansible-test does most of its work on one processor.
    with ThreadPoolExecutor() as side_by_side:
        for check in [
            side_by_side.submit(_check_thoroughly, core) for core in dict.fromkeys((OLDEST_CORE, newest_core()))
        ]:
            check.result()


def check_one(core: str) -> None:
    """The tests alone, on any ansible-core."""
    _make_home()
    _check(core, _copy(core))


def _check_thoroughly(core: str) -> None:
    collection = _copy(core)
    _prove_that_it_bites(core, collection)
    _check(core, collection)
    if core == newest_core():
        _check_on_oldest_module_python(core, collection)


def _copy(core: str) -> Path:
    """A copy of the collection: ansible-test refuses a plain checkout, and checks nothing in a tree of links.

    The emulator is a package of its own and no part of the collection.
    """
    return copy_of_checkout(f"sanity-{core}", without={"emulator"})


def _check(core: str, collection: Path) -> None:
    status, output = _ansible_test_sanity(core, collection)
    tests = set(re.findall(r'^Running sanity test "([^"]+)"', output, re.MULTILINE))
    skipped = re.findall(r".*Skipping .*", output)
    if status or skipped or "shellcheck" not in tests:
        print(output)
        raise CheckFailed(f"sanity on ansible-core {core}: {'; '.join(skipped) or 'see above'}")
    print(f"ansible-core {core}: {len(tests)} sanity tests passed", flush=True)


def _prove_that_it_bites(core: str, collection: Path) -> None:
    fault = collection / PLANTED_FAULT
    fault.write_text("assert True\n")
    status, output = _ansible_test_sanity(core, collection, "--test", "no-assert")
    fault.unlink()
    if not status or str(PLANTED_FAULT) not in output:
        print(output)
        raise CheckFailed(f"sanity on ansible-core {core} does not find a planted fault")


def _check_on_oldest_module_python(core: str, collection: Path) -> None:
    """The modules run on older Pythons than ansible-core: they must at least load there."""
    python = interpreters().get(OLDEST_MODULE_PYTHON)
    if not python:
        print(f"There is no Python {OLDEST_MODULE_PYTHON} here: whether the modules load on it stays unchecked.")
        return
    controller = ("--controller", f"origin:python={python_version_for(core)}")
    target = ("--target-python", OLDEST_MODULE_PYTHON)
    status, output = _run(core, collection, *controller, *target, "--test", "compile", "--test", "import", also=python)
    if status:
        print(output)
        raise CheckFailed(f"the modules do not load on Python {OLDEST_MODULE_PYTHON}: see above")
    print(f"Python {OLDEST_MODULE_PYTHON}: the modules load")


def _ansible_test_sanity(core: str, collection: Path, *options: str) -> tuple[int, str]:
    # Without being told it would take what lies on PATH, where a version manager's shim may only look like a Python.
    return _run(core, collection, "--local", "--python", python_version_for(core), *options)


def _run(core: str, collection: Path, *options: str, also: Path | None = None) -> tuple[int, str]:
    folder = ansible_environment(core)
    _prepare(folder)
    command: Command = (folder / "ansible-test", "sanity", "--color", "no", *options)
    environment = variables(folder, HOME=str(HOME))
    if also:
        environment["PATH"] = os.pathsep.join([str(folder), str(also.parent), environment["PATH"]])
    return run_quietly(command, environment, collection)


def _prepare(folder: Path) -> None:
    """Have ansible-test find all that it installs: pip in its cache, everything else on the package index."""
    (ansible_test,) = folder.parent.glob("lib/*/site-packages/ansible_test")
    for version in WANTED_PIP.findall((ansible_test / "_internal/python_requirements.py").read_text()):
        (PIP_CACHE / f"get_pip_{version.replace('.', '_')}.py").write_text(PIP_BOOTSTRAP)
    # 2.22 wants an unreleased dill, for Python 3.15, from a place that may be out of reach.
    for requirements in (ansible_test / "_data/requirements").glob("*.txt"):
        text = requirements.read_text()
        if ARCHIVE.search(text):
            requirements.write_text(ARCHIVE.sub("", text))


def _make_home() -> None:
    PIP_CACHE.mkdir(parents=True, exist_ok=True)
    # pip reads both of these: the first silences it, the second is where the user may say how packages are found.
    silence = HOME / ".pip" / "pip.conf"
    silence.parent.mkdir(exist_ok=True)
    silence.write_text("[global]\nquiet = 2\n")
    settings = HOME / ".config" / "pip"
    if not settings.is_symlink():
        settings.parent.mkdir(exist_ok=True)
        settings.symlink_to(Path("~/.config/pip").expanduser())
