# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the collection, installs it, and checks it with Galaxy's importer."""

import re
import shutil

import nox
from environments import CACHE, COLLECTION, ROOT, collection_variables, copy_of_checkout

BUILD = CACHE / "build"
FOR_DEVELOPERS = (
    "Makefile emulator extensions noxfile.py pyproject.toml tests/integration tests/unit"
)
CHECKS = {"CHECK_REQUIRED_TAGS": "true", "RUN_ANSIBLE_TEST": "false", "RUN_FLAKE8": "false"}
IMPORTER_SETTINGS = {f"GALAXY_IMPORTER_{name}": value for name, value in CHECKS.items()}


def check_artifact(session: nox.Session) -> None:
    shutil.rmtree(BUILD, ignore_errors=True)
    installed = BUILD / "installed"
    session.env.update(collection_variables(installed))
    galaxy = ("ansible-galaxy", "collection")
    session.run(*galaxy, "build", str(copy_of_checkout("build/source")), f"--output-path={BUILD}")
    (artifact,) = BUILD.glob("*.tar.gz")
    session.run(
        *galaxy,
        "install",
        str(artifact),
        "--offline",
        "--no-deps",
        f"--collections-path={installed}",
    )
    session.run(*galaxy, "verify", "--offline", "hosting.platform")
    if surplus := [
        name for name in FOR_DEVELOPERS.split() if (installed / COLLECTION / name).exists()
    ]:
        session.error(f"the artifact holds what users do not need: {', '.join(surplus)}")
    session.env.update(collection_variables() | IMPORTER_SETTINGS)
    with session.chdir(BUILD):
        output = str(
            session.run("python", "-m", "galaxy_importer.main", str(artifact), silent=True)
        )
    # The importer often only logs its findings.
    if findings := re.findall(r"^(?:WARNING|ERROR).*", output, re.MULTILINE):
        session.error("galaxy-importer:", *findings)
    session.log(f"The artifact: {artifact.relative_to(ROOT)}")
