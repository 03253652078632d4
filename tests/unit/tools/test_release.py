# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make release and make artifacts, tried on a clone: what they write, tag, build and sign, and what
they refuse.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from environments import ROOT, copy_of_checkout, variables
from release import NAMED, SEMANTIC, STATED, STATES, TELLING, next_version

# The version that is being developed, released before its time.
(VERSION,) = {STATES.findall(file.read_text())[0].partition("-")[0] for file in STATED}
NEXT = next_version(VERSION)
TOOLS = Path(sys.executable).parent
pytestmark = pytest.mark.thorough


def git(clone: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", clone, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def run(clone: Path, script: str, **given: str) -> str:
    """The output, also of a failure."""
    command: list[str | Path] = [sys.executable, clone / f"tests/tools/{script}.py"]
    done = subprocess.run(
        command, cwd=clone, env={**os.environ, **given}, check=False, capture_output=True, text=True
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout as it would be committed now, and released."""
    clone = copy_of_checkout(str(tmp_path_factory.mktemp("release")))
    (clone / "changelogs/fragments/tested.yml").write_text(
        "bugfixes:\n  - project - a bug (https://example.com/1).\n"
    )
    for name, value in (("name", "Somebody"), ("email", "somebody@example.com")):
        git(clone, "config", f"user.{name}", value)
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "As it is")
    assert f"git push origin main {VERSION}\n" in run(clone, "release", VERSION=VERSION)
    return clone


@pytest.fixture
def tagged(clone: Path) -> Iterator[Path]:
    """The clone at the tag, for one test: the tests run in any order."""
    git(clone, "checkout", "--quiet", VERSION)
    yield clone
    git(clone, "checkout", "--quiet", "-")


def test_the_release_is_committed_and_tagged_and_the_next_version_begun(clone: Path) -> None:
    assert git(clone, "log", "-2", "--format=%s").splitlines() == [
        f"Begin version {NEXT}",
        f"Release {VERSION}",
    ]
    assert git(clone, "rev-parse", f"{VERSION}^{{commit}}") == git(clone, "rev-parse", "HEAD~1")
    assert git(clone, "tag", "--list", VERSION, "--format=%(contents)").startswith(
        f"Release {VERSION}"
    )
    assert git(clone, "status", "--porcelain") == ""
    assert re.escape(VERSION) in (clone / "CHANGELOG.md").read_text()
    assert not list((clone / "changelogs/fragments").glob("*.yml"))
    for name in (file.relative_to(ROOT) for file in STATED):
        assert NEXT in (clone / name).read_text()
        assert NEXT not in git(clone, "show", f"{VERSION}:{name}")
    schema = "docs/schemas/blueprint.schema.json"
    assert "/main/docs/schemas/" in json.loads((clone / schema).read_text())["$id"]
    assert (
        f"/{VERSION}/docs/schemas/" in json.loads(git(clone, "show", f"{VERSION}:{schema}"))["$id"]
    )


def test_pages_name_the_newest_release(clone: Path) -> None:
    for root in (ROOT, clone):
        texts = [(root / page.relative_to(ROOT)).read_text(encoding="utf-8") for page in TELLING]
        named = {found["version"] for found in NAMED.finditer("\n".join(texts))}
        assert len(named) == 1
    assert named == {VERSION}


def test_pipelines_of_the_release_take_the_release(clone: Path) -> None:
    before = next(NAMED.finditer((ROOT / "README.md").read_text(encoding="utf-8")))["version"]
    for page in (page for page in TELLING if page.suffix in (".yml", ".yaml", ".json")):
        text = page.read_text(encoding="utf-8")
        assert before in text
        assert (clone / page.relative_to(ROOT)).read_text(encoding="utf-8") == text.replace(
            before, VERSION
        )


def test_a_wrong_version_or_a_changed_checkout_is_refused(clone: Path) -> None:
    readme = (clone / "README.md").read_text()
    (clone / "README.md").write_text("changed")
    above = f"above {VERSION}"
    for version, words in (
        ("99.0.0", "holds changes"),
        (VERSION, above),
        ("0.9.0", above),
        ("next", "VERSION=x.y.z"),
    ):
        assert words in run(clone, "release", VERSION=version)
    (clone / "README.md").write_text(readme)
    assert "99.0.0" not in git(clone, "tag").split()
    assert not any(map(SEMANTIC.fullmatch, ("", "1", "1.0", "v1.0.0", "1.0.0-rc1", "01.0.0")))


@pytest.mark.skipif(
    not shutil.which("gpg") and os.environ.get("CI") != "true", reason="no gpg found"
)
def test_the_files_of_the_tag_are_signed_as_ansible_galaxy_verifies_them(
    tagged: Path, tmp_path: Path
) -> None:
    # Not in the test's own folder: it contains the agent's socket, whose path must be short.
    with tempfile.TemporaryDirectory(prefix="gpg-") as home:
        environment = variables(TOOLS, tmp_path, GNUPGHOME=home)

        def call(*command: str | Path) -> int:
            return subprocess.run(
                command, cwd=tagged / ".cache/release", env=environment, check=False
            ).returncode

        for name in ("release@example.com", "other@example.com"):
            call(
                "gpg",
                "--batch",
                "--passphrase",
                "",
                "--quick-generate-key",
                name,
                "ed25519",
                "sign",
                "never",
            )
        run(tagged, "artifacts", GNUPGHOME=home, SIGN_WITH="release@example.com")
        call("gpg", "--output", "other", "--export", "other@example.com")
        call("gpg", "--output", "right", "--dearmor", "public-key.asc")
        artifact = f"hosting-platform-{VERSION}.tar.gz"
        assert (
            call("sha256sum", "--check", "--strict", "SHA256SUMS")
            == call("gpg", "--verify", "SHA256SUMS.asc")
            == 0
        )
        installed = ("ansible-galaxy", "collection", "install", "--no-deps", artifact)
        assert call(*installed, "--collections-path", tmp_path) == 0
        verify = ("ansible-galaxy", "collection", "verify", "--offline", "hosting.platform")
        signature = f"file://{tagged}/.cache/release/MANIFEST.json.asc"
        for keyring, is_right in (("right", True), ("other", False)):
            signed = ("--signature", signature, "--keyring", tagged / ".cache/release" / keyring)
            assert (call(*verify, *signed) == 0) is is_right
    components = json.loads((tagged / ".cache/release/emulator.cdx.json").read_text())["components"]
    assert {"starlette", "uvicorn", "ansible-core"} <= {
        component["name"] for component in components
    }
    assert {"Containerfile", f"hosting_platform_emulator-{VERSION}-py3-none-any.whl"} <= {
        file.name for file in (tagged / ".cache/release").iterdir()
    }
