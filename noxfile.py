# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks and tools of this project: `nox -l` lists them, and the targets of the Makefile start
them.

Arguments after `--` are passed to pytest. CORE selects the ansible-core for playbooks, CORE_PYTHON
its Python.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import antsibull_nox
import nox

sys.path.insert(0, str(Path(__file__).parent / "tests/tools"))

from build import check_artifact
from documentation_site import build_site
from environments import EMULATOR, ENVIRONMENTS, ROOT
from installing import UV, core_environment, install_core_to_come, install_wheel, oldest_libraries
from interpreters import OLDEST_CORE, SECTIONS, cells, chosen_core, newest_core
from sanity import check_sanity, check_sanity_thoroughly
from sessions import ON_EVERY_CPU, SPREAD, check_files_of_forges, install, play, pytest

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "uv"
nox.options.reuse_venv = "yes"
nox.options.allow_parallel = True
nox.options.envdir = str(ENVIRONMENTS.relative_to(ROOT))

SCRIPTS = ["artifacts", "pictures", "release", "schemas"]

# The sessions docs-check and extra-checks.
antsibull_nox.load_antsibull_nox_toml()


@nox.session(requires=["extra-checks"])
def lint(session: nox.Session) -> None:
    """Style, types, and the best practices of Ansible and of workflows."""
    install(session, "lint")
    session.run("ruff", "check", "--output-format=concise")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("mypy", "--config-file=emulator/pyproject.toml", "emulator")
    session.run("ansible-lint", "--nocolor")
    pytest(session, "tests/lint")
    session.run("reuse", "lint", "--lines")
    check_files_of_forges(session)


@nox.session
def unit(session: nox.Session) -> None:
    """Unit tests, or the chosen ones."""
    install(session, "tests")
    quick = {} if session.posargs else {"HYPOTHESIS_PROFILE": "quick"}
    pytest(session, "tests/unit", *ON_EVERY_CPU, "-m", "not thorough", **quick)


@nox.session
def emulator(session: nox.Session) -> None:
    """The emulator's own tests; paths are relative to its folder."""
    install(session, "emulator")
    with session.chdir(EMULATOR):
        pytest(session, "tests", *ON_EVERY_CPU, "-m", "not thorough")


@nox.session
def integration(session: nox.Session) -> None:
    """Playbooks against the emulator, on the newest ansible-core, and a dozen on the oldest; or all
    of them on CORE.
    """
    chosen = os.environ.get("CORE")
    if chosen:
        return play(session, "integration", chosen)
    play(session, "integration", newest_core(), "-m", "not thorough")
    return play(session, "integration", OLDEST_CORE, "-m", "core_differences and not thorough")


@nox.session
def equivalence(session: nox.Session) -> None:
    """In the worker's process or as a module: the same results, on the newest ansible-core; or all
    of them on CORE.
    """
    play(
        session,
        "equivalence",
        chosen_core(),
        *(() if os.environ.get("CORE") else ("-m", "not thorough")),
    )


@nox.session(default=False)
def thorough(session: nox.Session) -> None:
    """What these sections leave out: slow and exhaustive tests, many more random examples, and the
    oldest libraries.
    """
    install(session, "tests", "emulator")
    pytest(session, "tests/unit", *ON_EVERY_CPU, "-m", "thorough or hypothesis")
    with session.chdir(EMULATOR):
        pytest(session, "tests", *ON_EVERY_CPU, "-m", "thorough")
    # This urllib3 leaves closing connections to the garbage collector.
    chosen = ("-m", "oldest_libraries and not thorough", "-Wignore::ResourceWarning")
    pytest(session, "tests/unit/plugins", *ON_EVERY_CPU, *chosen, **oldest_libraries(session))
    core = newest_core()
    for section in ("integration", "equivalence"):
        play(session, section, core, "-m", "thorough")
    final = newest_core(is_final=True)
    check_sanity_thoroughly(session, final, core_environment(session, final))


@nox.session(default=False)
def molecule(session: nox.Session) -> None:
    """The scenarios of Molecule: one for each role, and one for the modules; and the example for
    own tests.
    """
    install(session, "molecule", emulator=False)
    install_wheel(session, Path(session.bin, "python"))
    session.run("molecule", "test", "--all")
    with session.chdir("examples/own_tests"):
        session.run("molecule", "test")


@nox.session(venv_backend="none")
def sanity(session: nox.Session) -> None:
    """ansible-test sanity on the newest final ansible-core, or on CORE: a candidate's may require
    the network.
    """
    core = os.environ.get("CORE") or newest_core(is_final=True)
    check_sanity(session, core, core_environment(session, core))


@nox.session(requires=["docs-check"])
def docs(session: nox.Session) -> None:
    """Documentation, with its site, and changelog."""
    install(session, "docs", emulator=False)
    session.run("antsibull-changelog", "lint")
    session.run("antsibull-changelog", "lint-changelog-yaml", "changelogs/changelog.yaml")
    build_site(session)


@nox.session
def build(session: nox.Session) -> None:
    """The artifact: build, install, verify, and Galaxy's importer."""
    install(session, "build", emulator=False)
    check_artifact(session)


@nox.session(default=False)
@nox.parametrize(
    "core,python,section",
    [nox.param(*cell, id="{}, Python {}, {}".format(*cell)) for cell in cells()],
)
def matrix(session: nox.Session, core: str, python: str, section: str) -> None:
    """Integration, equivalence or sanity, on one ansible-core with one Python."""
    if section == "sanity":
        return check_sanity(session, core, core_environment(session, core))
    return play(session, section, core, python=python)


@nox.session(default=False)
@nox.parametrize("section", SECTIONS, ids=SECTIONS)
def canary(session: nox.Session, section: str) -> None:
    """The newest ansible-core on the index, released or not, or that of CORE_SOURCE."""
    tools, core = install_core_to_come(session)
    if section == "sanity":
        return check_sanity(session, core, tools)
    install(session, "tests")
    return pytest(session, f"tests/{section}", *SPREAD[section], ANSIBLE_BIN=str(tools), CORE=core)


@nox.session(default=False)
def demo(session: nox.Session) -> None:
    """The collection at work, on nothing but this machine; KEEP=1 leaves its page open
    until Enter.
    """
    install(session, "demo")
    session.run("python", "tests/tools/demo.py")


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """How fast it is, compared with other tasks: docs/performance.md."""
    install(session, "tests")
    core = chosen_core()
    path = os.pathsep.join([str(session.env["PYTHONPATH"]), "tests/helpers", "tests/tools"])
    tools = str(core_environment(session, core))
    session.run(
        "python",
        "tests/bench/bench.py",
        env={"PYTHONPATH": path, "CORE": core, "ANSIBLE_BIN": tools},
    )


@nox.session(default=False)
@nox.parametrize("script", SCRIPTS, ids=SCRIPTS)
def write(session: nox.Session, script: str) -> None:
    """Generated files: those of a release, and parts of the documentation."""
    install(session, "tests")
    session.run("python", f"tests/tools/{script}.py")


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Small breaks of the code, and whether its tests notice: SAMPLE=100 of FOLDER=_api."""
    install(session, "tests")
    session.install("cosmic-ray==8.7.0")
    session.run("python", "tests/tools/mutants.py")


@nox.session(default=False)
def released(session: nox.Session) -> None:
    """Build the files of a release, and test them like a user who has these files and no
    checkout.
    """
    install(session, "tests")
    session.run("python", "tests/tools/artifacts.py")
    pytest(session, "tests/release")


@nox.session(default=False, venv_backend="none")
def pins(session: nox.Session) -> None:
    """Renew the pinned requirements."""
    session.run(sys.executable, "tests/tools/pins.py", str(UV), external=True)
