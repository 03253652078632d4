# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the changelog and its fragments, and builds the documentation site."""

from __future__ import annotations

import re
from pathlib import Path

import documentation_site
import nox
from environments import CACHE, copy_of_checkout


def check_documentation(session: nox.Session) -> None:
    collection = copy_of_checkout("docs", without={"emulator"})
    session.run("antsibull-changelog", "lint")
    session.run("antsibull-changelog", "lint-changelog-yaml", "changelogs/changelog.yaml")
    _preview_changelog(session, collection)
    documentation_site.build(session, CACHE / "docs")


def _preview_changelog(session: nox.Session, collection: Path) -> None:
    """Render the fragments as the next release will, as mistakes in them would otherwise show up only then."""
    if any((collection / "changelogs/fragments").glob("*.yml")):
        stated = (collection / "galaxy.yml").read_text(encoding="utf-8")
        (version,) = re.findall(r"^version: ([\d.]+)", stated, re.MULTILINE)
        with session.chdir(collection):
            session.run("antsibull-changelog", "release", "--version", version)
