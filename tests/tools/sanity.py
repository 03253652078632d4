# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-test sanity, in a copy of the collection, with what uv installs in the place of pip.

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
from installing import COMPILED, UV
from interpreters import OLDEST_MODULE_PYTHON, find_python

HOME = CACHE / "sanity" / "home"
PIP_CACHE = HOME / ".ansible" / "test" / "cache"
PLANTED_FAULT = Path("plugins/module_utils/_planted_fault.py")

# ansible-test downloads a script for each version of pip, which installs it into virtual
# environments. The version is part of the file's name, and each ansible-core requires its own. In
# its place, this installs a package of the same name that hands everything over to uv: pip takes
# longer than the tests.
WANTED_PIP = re.compile(r"\bpip='([\d.]+)'")
PIP_BOOTSTRAP = """
import pathlib, subprocess, sys, sysconfig
package = pathlib.Path(sysconfig.get_path("purelib"), "pip")
package.mkdir(exist_ok=True)
(package / "__init__.py").touch()
(package / "__main__.py").write_text({pip!r})
others = [wanted for wanted in sys.argv[1:] if not wanted.startswith(("--", "pip="))]
if others:
    subprocess.run([sys.executable, "-m", "pip", "install", *others], check=True)
"""
PIP_BY_UV = """
import os, sys
os.environ.update({environment!r})
given = [option for option in sys.argv[1:] if option != "--disable-pip-version-check"]
os.execv({uv!r}, [{uv!r}, "pip", *given, "--quiet", "--python=" + sys.executable])
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
    """Put what installs pip into the cache of ansible-test, which passes no variables to it."""
    PIP_CACHE.mkdir(parents=True, exist_ok=True)
    passed = {
        name: value
        for name, value in os.environ.items()
        if name == "HOME" or name.startswith("UV_")
    }
    # As pip does: what Python warns of as it compiles a package would fail the test that imports it.
    passed |= COMPILED
    pip = PIP_BY_UV.format(environment=passed, uv=str(UV))
    (ansible_test,) = folder.parent.glob("lib/*/site-packages/ansible_test")
    for version in WANTED_PIP.findall(
        (ansible_test / "_internal/python_requirements.py").read_text()
    ):
        script = PIP_CACHE / f"get_pip_{version.replace('.', '_')}.py"
        script.write_text(PIP_BOOTSTRAP.format(pip=pip))
