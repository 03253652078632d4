# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sessions of nox have in common: pinned requirements, and tests, on one ansible-core or
none.
"""

import os
from itertools import chain
from pathlib import Path

import nox
from environments import EMULATOR, REQUIREMENTS, ROOT, collection_variables
from installing import core_environment, extra_environment, install_wheel
from interpreters import RUNNING

# Only Pythons on this machine are used, and like for pip, and unlike for uv by default, a company's
# certificate authority is known to the system alone.
os.environ |= {"UV_PYTHON_DOWNLOADS": "never", "UV_SYSTEM_CERTS": "true"}
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
ON_EVERY_CPU = ("--numprocesses=auto", "--dist=worksteal")
# Tests of one file share long plays, which another process would have to run again.
SPREAD = {"equivalence": ("--numprocesses=auto", "--dist=loadfile"), "integration": ON_EVERY_CPU}

SCHEMAS_OF_FORGES = {
    "github-workflows": (".github/workflows/*.yml", "examples/pipelines/github/blueprint.yml"),
    "github-issue-forms": (".github/ISSUE_TEMPLATE/[!c]*.yml",),
    "dependabot": (".github/dependabot.yml", "examples/pipelines/github/dependabot.yml"),
    "gitlab-ci --data-transform gitlab-ci": ("examples/pipelines/gitlab/.gitlab-ci.yml",),
}


def check_files_of_forges(session: nox.Session) -> None:
    configured = ("--offline", "--quiet", "--config=examples/pipelines/github/zizmor.yml")
    session.run("zizmor", *configured, ".github", "examples/pipelines/github/blueprint.yml")
    for schema, patterns in SCHEMAS_OF_FORGES.items():
        found = chain.from_iterable(ROOT.glob(pattern) for pattern in patterns)
        files = [str(file) for file in found]
        session.run("check-jsonschema", "--builtin-schema", *f"vendor.{schema}".split(), *files)


def install(session: nox.Session, *pinned: str, emulator: bool = True) -> None:
    """Install pinned requirements, and make Ansible find the collection in this checkout."""
    session.install(*(f"--requirement={REQUIREMENTS / name}.txt" for name in pinned))
    if emulator:
        session.install("--no-deps", "--editable", str(EMULATOR))
    session.env.update(collection_variables())


def pytest(session: nox.Session, folder: str, *arguments: str, **env: str) -> None:
    """Run the chosen tests, or those of the folder."""
    # Those that differ between ansible-cores need nothing of a user's installation.
    if folder == "tests/integration" and "core_differences" not in "".join(arguments):
        install_wheel(
            session,
            extra_environment(session, f"users-{env['CORE']}", RUNNING, "molecule") / "python",
        )
    chosen = session.posargs or arguments
    has_path = any(Path(argument.partition("::")[0]).exists() for argument in session.posargs)
    session.run("pytest", *chosen, *(() if has_path else (folder,)), env=env)


def play(session: nox.Session, section: str, core: str, *arguments: str, python: str = "") -> None:
    """Run tests on one ansible-core."""
    install(session, "tests")
    tools = core_environment(session, core, python or os.environ.get("CORE_PYTHON", ""))
    session.log(f"ansible-core {core}")
    pytest(
        session, f"tests/{section}", *SPREAD[section], *arguments, CORE=core, ANSIBLE_BIN=str(tools)
    )
