# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make release VERSION=x.y.z SIGN_WITH=key: version, changelog, commit, tag, and the artifacts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import signing
from artifacts import RELEASE, TOOLS, build, git
from environments import ROOT, variables
from signing import NotReleased

# The files that state the version, and how; a unit test holds them together.
STATED = {
    ROOT / "galaxy.yml": re.compile(r"(?<=^version: )\S+", re.MULTILINE),
    ROOT / "plugins" / "module_utils" / "_version.py": re.compile(r'(?<=^VERSION = ")[^"]+', re.MULTILINE),
}
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")

NEXT_STEPS = """
The release {version} lies in {folder}. Nothing has left this machine. What is next:

  git push origin main {version}
  ansible-galaxy collection publish {artifact}
  publish the other files of {folder} beside the tag
{signing}"""
UNSIGNED = """
Nothing is signed. make artifacts SIGN_WITH=KEY builds the same files again, and signs them.
"""


def main(version: str) -> None:
    _check(version)
    key = signing.chosen_key()
    state(version)
    message = f"Release {version}"
    commands: list[tuple[str | Path, ...]] = [
        (TOOLS / "antsibull-changelog", "release", "--version", version),
        ("git", "add", "--all", "CHANGELOG.md", "CHANGELOG.rst", "changelogs", "docs/schemas", *STATED),
        ("git", "commit", "--quiet", "--message", message),
        ("git", "tag", "--annotate", version, "--message", message),
    ]
    for command in commands:
        subprocess.run(command, cwd=ROOT, env=variables(TOOLS), check=True)
    artifact = build(key)
    names = {"version": version, "folder": RELEASE.relative_to(ROOT), "artifact": artifact.relative_to(ROOT)}
    print(NEXT_STEPS.format(signing="" if key else UNSIGNED, **names))


def state(version: str) -> None:
    """Write the version wherever it stands; the schemas' addresses hold it as well."""
    for file, pattern in STATED.items():
        file.write_text(pattern.sub(version, file.read_text(), count=1))
    subprocess.run([TOOLS / "python", ROOT / "tests/tools/schemas.py"], env=variables(TOOLS), check=True)


def _check(version: str) -> None:
    """Says what is wrong before anything is changed."""
    (before,) = {found[0] for file, pattern in STATED.items() if (found := pattern.search(file.read_text()))}
    if not SEMANTIC.fullmatch(version):
        raise NotReleased("give the version as VERSION=x.y.z")
    # The first release may be made of the version that the files state already.
    is_released = git("tag", "--list", before) != ""
    newest = tuple(map(int, before.split(".")))
    if tuple(map(int, version.split("."))) < newest or (is_released and version == before):
        raise NotReleased(f"VERSION must be above {before}")
    if git("status", "--porcelain"):
        raise NotReleased("the working tree holds changes: commit them first")


if __name__ == "__main__":
    try:
        main(os.environ.get("VERSION", ""))
    except NotReleased as problem:
        sys.exit(f"No release: {problem}.")
