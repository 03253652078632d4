# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make artifacts: the files of a release, under .cache/release. The same commit and tools give the same bytes."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import provenance
import sbom
import signing
from environments import CACHE, ROOT, development_environment, variables
from reproducible import repack

RELEASE = CACHE / "release"
TOOLS = development_environment()
SUMS = RELEASE / "SHA256SUMS"


def build(key: str) -> Path:
    """Build the artifacts of the last commit, signed if a key is given; returns the collection's."""
    shutil.rmtree(RELEASE, ignore_errors=True)
    # A wheel preserves file modes, which would otherwise depend on the user's umask.
    os.umask(0o022)
    source = _committed(CACHE / "release-source")
    time = git("log", "-1", "--format=%ct")
    environment = variables(TOOLS, SOURCE_DATE_EPOCH=time)
    galaxy = (TOOLS / "ansible-galaxy", "collection", "build", source, "--output-path", RELEASE)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", RELEASE)
    subprocess.run(galaxy, env=environment, check=True)
    subprocess.run([TOOLS / "pip", "wheel", *options, source / "emulator"], env=environment, check=True)
    shutil.copy(source / "emulator/Containerfile", RELEASE)
    (artifact,) = RELEASE.glob("*.tar.gz")
    repack(artifact, int(time))
    sbom.write(RELEASE, source, environment)
    shutil.rmtree(source)
    provenance.write(RELEASE, git("rev-parse", "HEAD"), checksums())
    SUMS.write_text("".join(f"{digest}  {name}\n" for name, digest in checksums().items()))
    if key:
        signing.sign(key, artifact, SUMS)
    return artifact


def checksums() -> dict[str, str]:
    files = sorted(file for file in RELEASE.iterdir() if file.is_file())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _committed(folder: Path) -> Path:
    """Extract the last commit's files, so that nothing from the working tree gets into a release."""
    shutil.rmtree(folder, ignore_errors=True)
    command = ["git", "-c", "tar.umask=0022", "archive", "--format=tar", "HEAD"]
    archive = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


if __name__ == "__main__":
    try:
        build(signing.chosen_key())
    except signing.NotReleased as problem:
        sys.exit(f"No artifacts: {problem}.")
    print(f"\nThe artifacts: {RELEASE.relative_to(ROOT)}")
