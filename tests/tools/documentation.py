# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the documentation and the changelog fragments, and builds the documentation site."""

from __future__ import annotations

import re
from pathlib import Path

import documentation_site
import nox
from environments import CACHE, FAILURES, copy_of_checkout

LINT = ("lint-collection-docs", "--plugin-docs", "--validate-collection-refs", "all", "--check-extra-docs-refs")

PLANTED_FAULT = Path("plugins/modules/planted_fault.py")


def check_documentation(session: nox.Session) -> None:
    collection = copy_of_checkout("docs", without={"emulator"})
    lint = ("antsibull-docs", *LINT, str(collection))
    session.run(*lint)
    session.run("antsibull-changelog", "lint")
    session.run("antsibull-changelog", "lint-changelog-yaml", "changelogs/changelog.yaml")

    (collection / PLANTED_FAULT).write_text("DOCUMENTATION = 'description: O(no_such_option)'\n")
    if str(PLANTED_FAULT) not in str(session.run(*lint, silent=True, success_codes=FAILURES)):
        session.error("antsibull-docs does not find a planted fault")
    (collection / PLANTED_FAULT).unlink()

    _preview_changelog(session, collection)
    documentation_site.build(session, CACHE / "docs")


def _preview_changelog(session: nox.Session, collection: Path) -> None:
    """Render the fragments as the next release will, as mistakes in them would otherwise show up only then."""
    if any((collection / "changelogs/fragments").glob("*.yml")):
        stated = (collection / "galaxy.yml").read_text(encoding="utf-8")
        (version,) = re.findall(r"^version: ([\d.]+)", stated, re.MULTILINE)
        with session.chdir(collection):
            session.run("antsibull-changelog", "release", "--version", version)
