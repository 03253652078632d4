# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the documentation and the changelog's fragments, and builds the documentation site."""

from __future__ import annotations

import re
from pathlib import Path

import documentation_site
from commands import CheckFailed, Command, run_all, run_quietly
from environments import CACHE, copy_of_checkout, development_environment, variables

LINT = ("lint-collection-docs", "--plugin-docs", "--validate-collection-refs", "all", "--check-extra-docs-refs")

PLANTED_FAULT = Path("plugins/modules/planted_fault.py")


def main() -> None:
    tools = development_environment()
    environment = variables(tools)
    collection = copy_of_checkout("docs", without={"emulator"})
    lint: Command = (tools / "antsibull-docs", *LINT, collection)
    changelog = tools / "antsibull-changelog"
    run_all(
        [lint, (changelog, "lint"), (changelog, "lint-changelog-yaml", "changelogs/changelog.yaml")],
        environment,
    )

    (collection / PLANTED_FAULT).write_text("DOCUMENTATION = 'description: O(no_such_option)'\n")
    status, output = run_quietly(lint, environment, collection)
    if not status or str(PLANTED_FAULT) not in output:
        raise CheckFailed("antsibull-docs does not find a planted fault")
    (collection / PLANTED_FAULT).unlink()

    _preview_changelog(collection, tools)
    documentation_site.build(tools, CACHE / "docs")


def _preview_changelog(collection: Path, tools: Path) -> None:
    """Have the site show the fragments as the next release will: nobody else sees their mistakes before that."""
    if any((collection / "changelogs/fragments").glob("*.yml")):
        stated = (collection / "galaxy.yml").read_text(encoding="utf-8")
        (version,) = re.findall(r"^version: ([\d.]+)", stated, re.MULTILINE)
        release: Command = (tools / "antsibull-changelog", "release", "--version", version)
        run_all([release], variables(tools, CACHE / "docs"), collection)
