# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make release, tried on a clone: what it writes, tags and builds, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from environments import ROOT
from release import SEMANTIC

# A clone has no environments yet: this one lends its own.
RUN = """
import sys, pathlib
sys.path.insert(0, "tests/tools")
import release
release.development_environment = lambda: pathlib.Path(sys.executable).parent
try:
    release.main(sys.argv[1])
except release.CheckFailed as problem:
    sys.exit(f"No release: {problem}")
"""


def git(clone: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", clone, *arguments], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The checkout as it would be committed now."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    files = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for file in filter(None, files.split("\0")):
        if (ROOT / file).is_file():
            (clone / file).parent.mkdir(parents=True, exist_ok=True)
            (clone / file).write_bytes((ROOT / file).read_bytes())
    git(clone, "config", "user.name", "Somebody")
    git(clone, "config", "user.email", "somebody@example.com")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--allow-empty", "--message", "As it is")
    return clone


def release(clone: Path, version: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, version]
    return subprocess.run(command, cwd=clone, check=False, capture_output=True, text=True)


def test_a_release(clone: Path) -> None:
    done = release(clone, "1.0.0")

    assert done.returncode == 0, done.stdout + done.stderr
    assert git(clone, "tag") == "1.0.0"
    assert git(clone, "log", "-1", "--format=%s") == "Release 1.0.0"
    assert git(clone, "status", "--porcelain") == ""
    assert "1\\.0\\.0" in (clone / "CHANGELOG.md").read_text()
    assert not list((clone / "changelogs" / "fragments").glob("*.yml"))
    built = clone / ".cache" / "release"
    names = {file.name for file in built.iterdir()}
    assert {"SHA256SUMS", "hosting-platform-1.0.0.tar.gz"} < names
    assert [name for name in names if name.startswith("hosting_platform_emulator-") and name.endswith(".whl")]
    assert subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=built, check=False).returncode == 0
    with tarfile.open(built / "hosting-platform-1.0.0.tar.gz") as artifact:
        held = artifact.getnames()
    assert "CHANGELOG.md" in held
    assert not [name for name in held if name.startswith(("emulator", "tests/unit", ".ci"))]
    assert "ansible-galaxy collection publish" in done.stdout

    (clone / "README.md").write_text("changed")
    for version, words in (("1.0.1", "holds changes"), ("1.0.0", "above 1.0.0"), ("0.9.0", "above 1.0.0")):
        assert words in release(clone, version).stderr
    assert git(clone, "tag") == "1.0.0"


@pytest.mark.parametrize("version", ["", "1", "1.0", "v1.0.0", "1.0.0-rc1", "01.0.0"])
def test_versions_that_are_none(version: str) -> None:
    assert not SEMANTIC.fullmatch(version)
