# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the collection, installs it, and lets Galaxy's importer judge it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from commands import CheckFailed, run_all, run_quietly
from environments import CACHE, ROOT, copy_of_checkout, development_environment, variables

BUILD = CACHE / "build"
SHIPPED = {
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "FILES.json",
    "LICENSE",
    "LICENSES",
    "MAINTAINERS.md",
    "MANIFEST.json",
    "README.md",
    "REUSE.toml",
    "changelogs",
    "docs",
    "examples",
    "meta",
    "playbooks",
    "plugins",
    "requirements.txt",
    "roles",
    "tests/config.yml",
}

# The importer's own run of ansible-test wants containers; make sanity does the same without.
IMPORTER_SETTINGS = {
    "GALAXY_IMPORTER_CHECK_REQUIRED_TAGS": "true",
    "GALAXY_IMPORTER_RUN_ANSIBLE_TEST": "false",
    "GALAXY_IMPORTER_RUN_FLAKE8": "false",
}


def main() -> None:
    shutil.rmtree(BUILD, ignore_errors=True)
    source = copy_of_checkout("build/source")
    installed = BUILD / "installed"
    tools = development_environment()
    environment = variables(tools, installed)
    galaxy = (tools / "ansible-galaxy", "collection")
    run_all([(*galaxy, "build", source, "--output-path", BUILD)], environment)
    (artifact,) = BUILD.glob("*.tar.gz")
    install = (*galaxy, "install", artifact, "--offline", "--no-deps", "--collections-path", installed)
    verify = (*galaxy, "verify", "--offline", "hosting.platform")
    run_all([install, verify], environment)
    _check_contents(installed / "ansible_collections" / "hosting" / "platform")
    _import(artifact, tools)
    print(f"\nThe artifact: {artifact.relative_to(ROOT)}", flush=True)


def _check_contents(collection: Path) -> None:
    files = (file.relative_to(collection) for file in collection.rglob("*") if file.is_file())
    surplus = sorted(str(file) for file in files if not SHIPPED & {file.parts[0], str(file)})
    if surplus:
        raise CheckFailed(f"the artifact holds what users do not need: {', '.join(surplus)}")


def _import(artifact: Path, tools: Path) -> None:
    command = (tools / "python", "-m", "galaxy_importer.main", artifact)
    status, output = run_quietly(command, variables(tools) | IMPORTER_SETTINGS, BUILD)
    print(output)
    # What the importer finds is often a mere line of its log.
    findings = re.findall(r"^(?:WARNING|ERROR).*", output, re.MULTILINE)
    if status or findings:
        raise CheckFailed("galaxy-importer: " + ("; ".join(findings) or "see above"))
