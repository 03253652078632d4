# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make release VERSION=x.y.z: version, changelog, commit, tag, and what is published, under .cache/release."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from commands import CheckFailed, run_all
from environments import CACHE, EMULATOR, ROOT, copy_of_checkout, development_environment, variables

RELEASE = CACHE / "release"
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
  gpg --detach-sign --armor SHA256SUMS                 (publish it beside the files)
  gpg --detach-sign --armor --output MANIFEST.json.asc MANIFEST.json
      (the signature that ansible-galaxy collection verify --keyring checks; MANIFEST.json is in the artifact)
"""


def main(version: str) -> None:
    _check(version)
    tools = development_environment()
    environment = variables(tools)
    for file, pattern in STATED.items():
        file.write_text(pattern.sub(version, file.read_text(), count=1))
    message = f"Release {version}"
    run_all(
        [
            (tools / "antsibull-changelog", "release", "--version", version),
            ("git", "add", "--all", "CHANGELOG.md", "CHANGELOG.rst", "changelogs", *STATED),
            ("git", "commit", "--quiet", "--message", message),
            ("git", "tag", "--annotate", version, "--message", message),
        ],
        environment,
    )
    artifact = _build(tools)
    print(NEXT_STEPS.format(version=version, folder=RELEASE.relative_to(ROOT), artifact=artifact.relative_to(ROOT)))


def _check(version: str) -> None:
    """Says what is wrong before anything is changed."""
    (before,) = {found[0] for file, pattern in STATED.items() if (found := pattern.search(file.read_text()))}
    if not SEMANTIC.fullmatch(version):
        raise CheckFailed("give the version as VERSION=x.y.z")
    # The first release may be made of the version that the files state already.
    is_released = _git("tag", "--list", before) != ""
    newest = tuple(map(int, before.split(".")))
    if tuple(map(int, version.split("."))) < newest or (is_released and version == before):
        raise CheckFailed(f"VERSION must be above {before}")
    if _git("status", "--porcelain"):
        raise CheckFailed("the working tree holds changes: commit them first")


def _build(tools: Path) -> Path:
    """The collection's artifact, the emulator's wheel, and their checksums."""
    shutil.rmtree(RELEASE, ignore_errors=True)
    source = copy_of_checkout("release/source")
    wheel = (tools / "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", RELEASE, RELEASE / "emulator")
    shutil.copytree(EMULATOR, RELEASE / "emulator", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    galaxy = (tools / "ansible-galaxy", "collection", "build", source, "--output-path", RELEASE)
    run_all([galaxy, wheel], variables(tools))
    for folder in ("source", "emulator", "ansible_collections"):
        shutil.rmtree(RELEASE / folder, ignore_errors=True)
    files = sorted(file for file in RELEASE.iterdir() if file.is_file())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (RELEASE / "SHA256SUMS").write_text(sums)
    return next(file for file in files if file.name.endswith(".tar.gz"))


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    try:
        main(os.environ.get("VERSION", ""))
    except CheckFailed as problem:
        sys.exit(f"No release: {problem}.")
