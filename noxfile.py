# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks and tools of this project: `nox -l` lists them, and the targets of the Makefile start them.

Arguments after `--` are passed to pytest. CORE selects the ansible-core for playbooks, CORE_PYTHON its Python.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import antsibull_nox
import nox

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tests/tools"))

from build import check_artifact
from documentation import check_documentation
from environments import EMULATOR, ENVIRONMENTS, REQUIREMENTS, collection_variables
from installing import UV, core_environment, extra_environment, install_core_to_come, install_wheel, uv
from interpreters import CORES, OLDEST_CORE, RUNNING, find_python, newest_core, preferred_python
from sanity import check_sanity, check_sanity_thoroughly

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "uv"
nox.options.reuse_venv = "yes"
nox.options.allow_parallel = True
nox.options.envdir = str(ENVIRONMENTS.relative_to(ROOT))

# Only Pythons on this machine are used.
os.environ["UV_PYTHON_DOWNLOADS"] = "never"
# Like pip, and unlike uv by default: a company's certificate authority is known to the system alone.
os.environ["UV_SYSTEM_CERTS"] = "true"
# Like pip, and unlike uv by default: Ansible's modules never write bytecode, so each would compile what it imports.
os.environ["UV_COMPILE_BYTECODE"] = "true"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
ON_EVERY_CPU = ("--numprocesses=auto", "--dist=worksteal")
# Tests of one file share long plays, which another process would have to run again.
SPREAD = {"equivalence": ("--numprocesses=auto", "--dist=loadfile"), "integration": ON_EVERY_CPU}
# From npm: it runs the example pipeline for GitLab, only in the matrix.
GITLAB_CI_LOCAL = "4.61.0"
# Those of matrix and canary. The Makefile passes unset variables as empty strings.
SECTIONS = (os.environ.get("SECTION") or "equivalence integration sanity").split()
SCRIPTS = ["artifacts", "pictures", "release", "schemas"]

PIPELINES = ROOT / "examples/pipelines"
FORGE = ROOT / ".github"
FILES_OF_FORGES = {
    "github-workflows": [
        *FORGE.glob("workflows/*"),
        *(PIPELINES / f"github/{name}.yml" for name in ("plan", "apply", "drift")),
    ],
    "github-issue-forms": [FORGE / "ISSUE_TEMPLATE/bug.yml", FORGE / "ISSUE_TEMPLATE/feature.yml"],
    "github-issue-config": [FORGE / "ISSUE_TEMPLATE/config.yml"],
    "dependabot": [FORGE / "dependabot.yml", PIPELINES / "github/dependabot.yml"],
    "gitlab-ci --data-transform gitlab-ci": [PIPELINES / "gitlab/.gitlab-ci.yml"],
}

# The sessions docs-check and extra-checks.
antsibull_nox.load_antsibull_nox_toml()


@nox.session(requires=["extra-checks"])
def lint(session: nox.Session) -> None:
    """Style, types and Ansible's best practices."""
    _install(session, "lint")
    session.run("ruff", "check", "--output-format=concise")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("mypy", "--config-file=emulator/pyproject.toml", "emulator")
    # ansible-lint makes the modules validate their options, two of which are required.
    placeholders = {"HOSTING_PLATFORM_BASE_URL": "https://api.example.com", "HOSTING_PLATFORM_ACCESS_TOKEN": "none"}
    session.run("ansible-lint", "--nocolor", env=placeholders)
    session.run("reuse", "lint", "--lines")
    session.run("zizmor", "--offline", "--quiet", ".github", *map(str, PIPELINES.glob("github/*.yml")))
    for schema, files in FILES_OF_FORGES.items():
        session.run("check-jsonschema", "--builtin-schema", *f"vendor.{schema}".split(), *map(str, files))


@nox.session
def unit(session: nox.Session) -> None:
    """Unit tests, or the chosen ones."""
    _install(session, "tests")
    if session.posargs:
        return _pytest(session, "tests/unit")
    return _pytest(session, "tests/unit", *ON_EVERY_CPU, "-m", "not thorough", env={"HYPOTHESIS_PROFILE": "quick"})


@nox.session
def emulator(session: nox.Session) -> None:
    """The emulator's own tests; paths are relative to its folder."""
    _install(session, "emulator")
    with session.chdir(EMULATOR):
        _pytest(session, "tests", *ON_EVERY_CPU, "-m", "not thorough")


@nox.session
def integration(session: nox.Session) -> None:
    """Playbooks against the emulator, on the newest ansible-core, and a tenth on the oldest; or all of them on CORE."""
    chosen = os.environ.get("CORE")
    if chosen:
        return _play(session, "integration", chosen)
    _play(session, "integration", newest_core(), "-m", "not thorough")
    return _play(session, "integration", OLDEST_CORE, "-m", "core_differences and not thorough")


@nox.session
def equivalence(session: nox.Session) -> None:
    """In the worker's process or as a module: the same results, on the newest ansible-core; or all of them on CORE."""
    chosen = os.environ.get("CORE")
    _play(session, "equivalence", chosen or newest_core(), *(() if chosen else ("-m", "not thorough")))


@nox.session(default=False)
def thorough(session: nox.Session) -> None:
    """What these sections leave out: slow and exhaustive tests, many more random examples, and the oldest libraries."""
    _install(session, "tests", "emulator")
    _pytest(session, "tests/unit", *ON_EVERY_CPU, "-m", "thorough or hypothesis")
    with session.chdir(EMULATOR):
        _pytest(session, "tests", *ON_EVERY_CPU, "-m", "thorough")
    _use_oldest_libraries(session)
    core = newest_core()
    for section in ("integration", "equivalence"):
        _play(session, section, core, "-m", "thorough")
    check_sanity_thoroughly(session, core, core_environment(session, core))


@nox.session
def molecule(session: nox.Session) -> None:
    """The scenarios of Molecule: one for each role, and one for the modules; and the example for own tests."""
    _install(session, "molecule", emulator=False)
    install_wheel(session, Path(session.bin, "python"))
    session.run("molecule", "test", "--all")
    with session.chdir("examples/own_tests"):
        session.run("molecule", "test")


@nox.session(venv_backend="none")
def sanity(session: nox.Session) -> None:
    """ansible-test sanity on the newest ansible-core, or on CORE."""
    core = os.environ.get("CORE") or newest_core()
    check_sanity(session, core, core_environment(session, core))


@nox.session(requires=["docs-check"])
def docs(session: nox.Session) -> None:
    """Documentation, with its site, and changelog."""
    _install(session, "docs", emulator=False)
    check_documentation(session)


@nox.session
def build(session: nox.Session) -> None:
    """The artifact: build, install, verify, and Galaxy's importer."""
    _install(session, "build", emulator=False)
    check_artifact(session)


def _cells() -> Iterator[object]:
    """Every ansible-core with every Python found; CORE, CORE_PYTHON and SECTION, each a list, select among them."""
    cores, pythons = (os.environ.get(name, "").split() for name in ("CORE", "CORE_PYTHON"))
    for core in cores or CORES:
        found = list(filter(find_python, CORES[core]))
        for python in found:
            is_preferred = python == found[0]
            if pythons and python not in pythons and not (is_preferred and "preferred" in pythons):
                continue
            # ansible-test creates its own environments, so once per core is enough.
            for section in SECTIONS if is_preferred else set(SECTIONS) - {"sanity"}:
                yield nox.param(core, python, section, id=f"{core}, Python {python}, {section}")


@nox.session(default=False)
@nox.parametrize("core,python,section", list(_cells()))
def matrix(session: nox.Session, core: str, python: str, section: str) -> None:
    """Integration, equivalence or sanity, on one ansible-core with one Python."""
    if section == "sanity":
        check_sanity(session, core, core_environment(session, core))
    else:
        _play(session, section, core, python=python, env={"GITLAB_CI_LOCAL": GITLAB_CI_LOCAL})


@nox.session(default=False)
@nox.parametrize("section", SECTIONS, ids=SECTIONS)
def canary(session: nox.Session, section: str) -> None:
    """The newest ansible-core on the index, released or not, or that of CORE_SOURCE."""
    tools = install_core_to_come(session)
    asked = "import ansible.release as r; print(r.__version__)"
    version = str(session.run(str(tools / "python"), "-c", asked, external=True, silent=True)).strip()
    session.log(f"ansible-core {version}")
    core = ".".join(version.split(".")[:2])
    if section == "sanity":
        return check_sanity(session, core, tools)
    _install(session, "tests")
    return _pytest(session, f"tests/{section}", *SPREAD[section], env={"ANSIBLE_BIN": str(tools), "CORE": core})


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """How fast it is, compared with other tasks: docs/performance.md. BENCH_PEER=1 compares with a peer."""
    _install(session, "tests")
    core = os.environ.get("CORE") or newest_core()
    is_beside_peer = bool(os.environ.get("BENCH_PEER"))
    if is_beside_peer:
        tools = extra_environment(session, "peer", preferred_python(core), "peer")
    else:
        tools = core_environment(session, core)
    path = os.pathsep.join([str(session.env["PYTHONPATH"]), "tests/helpers", "tests/tools"])
    session.run("python", "tests/bench/bench_all.py", env={"PYTHONPATH": path, "CORE": core, "ANSIBLE_BIN": str(tools)})


@nox.session(default=False)
def demo(session: nox.Session) -> None:
    """The collection at work, on nothing but this machine; KEEP=1 leaves its page open until Enter."""
    _install(session, "demo")
    session.run("python", "tests/tools/demo.py")


@nox.session(default=False)
@nox.parametrize("script", SCRIPTS, ids=SCRIPTS)
def write(session: nox.Session, script: str) -> None:
    """Generated files: those of a release, and parts of the documentation."""
    _install(session, "tests")
    session.run("python", f"tests/tools/{script}.py")


@nox.session(default=False)
def released(session: nox.Session) -> None:
    """Build the files of a release, and test them like a user who has these files and no checkout."""
    _install(session, "tests")
    session.run("python", "tests/tools/artifacts.py")
    _pytest(session, "tests/release")


@nox.session(default=False, venv_backend="none")
def pins(session: nox.Session) -> None:
    """Renew the pinned requirements."""
    session.run(sys.executable, "tests/tools/pins.py", str(UV), external=True)


def _install(session: nox.Session, *pinned: str, emulator: bool = True) -> None:
    """Install pinned requirements, and make Ansible find the collection in this checkout."""
    session.install(*(f"--requirement={REQUIREMENTS / name}.txt" for name in pinned))
    if emulator:
        session.install("--no-deps", "--editable", str(EMULATOR))
    session.env.update(collection_variables())


def _pytest(session: nox.Session, folder: str, *arguments: str, env: Mapping[str, str] = MappingProxyType({})) -> None:
    """Run the chosen tests, or those of the folder."""
    chosen = session.posargs or arguments
    has_path = any(Path(argument.partition("::")[0]).exists() for argument in session.posargs)
    session.run("pytest", *chosen, *(() if has_path else (folder,)), env=dict(env))


def _play(
    session: nox.Session,
    section: str,
    core: str,
    *arguments: str,
    python: str = "",
    env: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Run tests on one ansible-core."""
    _install(session, "tests")
    version = python or os.environ.get("CORE_PYTHON", "")
    tools = core_environment(session, core, version)
    if section == "integration":
        users = extra_environment(session, "users", RUNNING, "molecule")
        install_wheel(session, users / "python")
    session.log(f"ansible-core {core}")
    given = {**env, "CORE": core, "ANSIBLE_BIN": str(tools)}
    _pytest(session, f"tests/{section}", *SPREAD[section], *arguments, env=given)


def _use_oldest_libraries(session: nox.Session) -> None:
    """The tests of what requests and urllib3 do, with the oldest ones."""
    oldest = ENVIRONMENTS / "oldest"
    uv(session, "pip", "install", f"--target={oldest}", f"--requirement={REQUIREMENTS / 'oldest.txt'}")
    path = os.pathsep.join([str(oldest), str(session.env["PYTHONPATH"])])
    environment = {"PYTHONPATH": path, "REQUESTS": "2.25.0", "URLLIB3": "1.26.5"}
    # This urllib3 leaves closing connections to the garbage collector.
    chosen = ("-m", "oldest_libraries and not thorough", "-Wignore::ResourceWarning")
    _pytest(session, "tests/unit/plugins", *ON_EVERY_CPU, *chosen, env=environment)
