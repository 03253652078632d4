# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make release and make artifacts, tried on clones: what they write, tag, build and sign, and what they refuse."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from environments import EMULATOR, REQUIREMENTS, ROOT, copy_of_checkout, variables
from galaxy_server import galaxy_server
from keys import GPG, Keys, throwaway_keys, with_gpg
from release import NAMED, SEMANTIC, STATED, TELLING, next_version

# The version that is being developed, released before its time.
(VERSION,) = {pattern.findall(file.read_text())[0].partition("-")[0] for file, pattern in STATED.items()}
NEXT = next_version(VERSION)
PACKAGED = (".py", ".html", ".yaml", ".typed")
PACKAGE = EMULATOR / "src/hosting_platform_emulator"
ARTIFACT, WHEEL = f"hosting-platform-{VERSION}.tar.gz", f"hosting_platform_emulator-{VERSION}-py3-none-any.whl"
pytestmark = pytest.mark.thorough


def git(clone: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", clone, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def run(clone: Path, script: str, given: Mapping[str, str], umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [sys.executable, clone / f"tests/tools/{script}.py"]
    environment = {**os.environ, **given}
    return subprocess.run(command, cwd=clone, env=environment, umask=umask, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout as it would be committed now."""
    clone = copy_of_checkout(str(tmp_path_factory.mktemp("release")))
    (clone / "changelogs/fragments/tested.yml").write_text("bugfixes:\n  - project - a bug (https://example.com/1).\n")
    git(clone, "config", "user.name", "Somebody")
    git(clone, "config", "user.email", "somebody@example.com")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "As it is")
    return clone


class Release(NamedTuple):
    clone: Path
    said: str

    @property
    def folder(self) -> Path:
        return self.clone / ".cache/release"


@pytest.fixture(scope="module")
def released(clone: Path) -> Release:
    """The release of the clone, unsigned."""
    done = run(clone, "release", {"VERSION": VERSION})
    assert done.returncode == 0, done.stdout + done.stderr
    return Release(clone, done.stdout)


def test_what_it_writes_and_tags(released: Release) -> None:
    clone = released.clone
    assert VERSION in git(clone, "tag").split()
    assert git(clone, "log", "-2", "--format=%s").splitlines() == [f"Begin version {NEXT}", f"Release {VERSION}"]
    assert git(clone, "rev-parse", f"{VERSION}^{{commit}}") == git(clone, "rev-parse", "HEAD~1")
    assert git(clone, "status", "--porcelain") == ""
    assert re.escape(VERSION) in (clone / "CHANGELOG.md").read_text()
    assert not list((clone / "changelogs" / "fragments").glob("*.yml"))
    assert "ansible-galaxy collection publish" in released.said
    assert f"git checkout {VERSION} && make artifacts SIGN_WITH=KEY" in released.said
    assert (released.folder / "SHA256SUMS").read_text() in released.said


def test_the_tag_tells_what_the_release_brings(released: Release) -> None:
    message = git(released.clone, "tag", "--list", VERSION, "--format=%(contents)")
    assert message.startswith(f"Release {VERSION}")
    written = yaml.safe_load((released.clone / "changelogs/changelog.yaml").read_text(encoding="utf-8"))
    assert written["releases"][VERSION]["changes"].get("release_summary", "").strip() in message


def test_all_state_the_version_at_its_tag_and_the_next_one_afterwards(released: Release) -> None:
    for name in (file.relative_to(ROOT) for file in STATED):
        assert NEXT in (released.clone / name).read_text()
        assert NEXT not in git(released.clone, "show", f"{VERSION}:{name}")
    schemas = [file.relative_to(released.clone) for file in (released.clone / "docs/schemas").iterdir()]
    assert len(schemas) > 5
    for schema in schemas:
        assert "/main/docs/schemas/" in json.loads((released.clone / schema).read_text())["$id"]
        assert f"/{VERSION}/docs/schemas/" in json.loads(git(released.clone, "show", f"{VERSION}:{schema}"))["$id"]


def test_pages_name_the_newest_release(released: Release) -> None:
    for root in (ROOT, released.clone):
        texts = [(root / page.relative_to(ROOT)).read_text(encoding="utf-8") for page in TELLING]
        named = [found["version"] for text in texts for found in NAMED.finditer(text)]
        assert len(named) > 5
        assert len(set(named)) == 1
    assert set(named) == {VERSION}


def test_what_it_builds(released: Release) -> None:
    built = released.folder
    assert {"SHA256SUMS", ARTIFACT, WHEEL, "Containerfile"} < {file.name for file in built.iterdir()}
    assert subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=built, check=False).returncode == 0
    with tarfile.open(built / ARTIFACT) as artifact:
        held = artifact.getnames()
    assert "CHANGELOG.md" in held
    with zipfile.ZipFile(built / WHEEL) as wheel:
        held = [name.partition("/")[2] for name in wheel.namelist()]
    shipped = [str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*") if file.suffix in PACKAGED]
    about = ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE"]
    assert sorted(held) == sorted(shipped + about)


def test_what_it_refuses(released: Release) -> None:
    clone = released.clone
    readme = (clone / "README.md").read_text()
    (clone / "README.md").write_text("changed")
    above = f"above {VERSION}"
    for version, words in (("99.0.0", "holds changes"), (VERSION, above), ("0.9.0", above), ("next", "VERSION=x.y.z")):
        assert words in run(clone, "release", {"VERSION": version}).stderr
    (clone / "README.md").write_text(readme)
    assert "99.0.0" not in git(clone, "tag").split()


@pytest.mark.parametrize("version", ["", "1", "1.0", "v1.0.0", "1.0.0-rc1", "01.0.0"])
def test_versions_that_are_none(version: str) -> None:
    assert not SEMANTIC.fullmatch(version)


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    with throwaway_keys() as keys:
        yield keys


@pytest.fixture(scope="module")
def rebuilt(released: Release, keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artifacts of the tag as somebody else builds and signs them: later, elsewhere, with files of other modes."""
    other = tmp_path_factory.mktemp("elsewhere") / "clone"
    subprocess.run(["git", "clone", "--quiet", "--branch", VERSION, released.clone, other], check=True, umask=0o077)
    for file in other.rglob("*.py"):
        os.utime(file, (1, 1))
    signed = {**keys.variables, "SIGN_WITH": keys.new("release")} if GPG else {}
    again = run(other, "artifacts", {**signed, "TZ": "Asia/Tokyo"}, umask=0o077)
    assert again.returncode == 0, again.stdout + again.stderr
    return other / ".cache/release"


def test_who_builds_it_again_gets_the_same_bytes(released: Release, rebuilt: Path) -> None:
    assert (released.folder / "SHA256SUMS").read_text() == (rebuilt / "SHA256SUMS").read_text()


def test_a_bill_of_materials_for_the_wheel_and_for_each_environment(released: Release) -> None:
    bills = {file.name.removesuffix(".cdx.json"): file.read_text() for file in released.folder.glob("*.cdx.json")}
    assert bills.keys() == {WHEEL, *(f"environment-{pins.stem}" for pins in REQUIREMENTS.glob("*.txt"))}
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert [validator.validate_str(bills[name]) for name in (WHEEL, "environment-demo")] == [None, None]
    assert {"starlette", "uvicorn", "httptools", "PyYAML"} <= components(bills[WHEEL])
    assert "hosting_platform_emulator" not in components(bills[WHEEL])
    assert json.loads(bills[WHEEL])["metadata"]["component"]["name"] == "hosting-platform-emulator"
    assert {"ansible-core", "cyclonedx-bom", "setuptools"} <= components(bills["environment-tests"])
    assert "file:" not in "".join(bills.values())


def components(bill: str) -> set[str]:
    return {component["name"] for component in json.loads(bill)["components"]}


def test_the_provenance(released: Release) -> None:
    built = released.folder
    statement = json.loads((built / "provenance.intoto.json").read_text())
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
    told = {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]}
    files = {file for file in built.iterdir() if file.name not in ("provenance.intoto.json", "SHA256SUMS")}
    assert told == {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    (source,) = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert source["digest"]["gitCommit"] == git(released.clone, "rev-parse", f"{VERSION}^{{commit}}")
    versions = statement["predicate"]["runDetails"]["builder"]["version"]
    assert versions["python"] == sys.version.split()[0]
    assert versions.keys() > {"ansible-core", "cyclonedx-bom", "pip", "setuptools"}


@with_gpg
def test_ansible_galaxy_takes_what_the_right_key_signed_and_nothing_else(
    rebuilt: Path, keys: Keys, tmp_path: Path
) -> None:
    tools = Path(sys.executable).parent
    signature = ("--signature", f"file://{rebuilt / 'MANIFEST.json.asc'}", "--collections-path", str(tmp_path))
    right, wrong = keys.keyring("release@example.com"), keys.keyring(keys.new("other"))

    def galaxy(keyring: Path, command: str, *options: str) -> subprocess.CompletedProcess[str]:
        call: list[str | Path] = [tools / "ansible-galaxy", "collection", command, "hosting.platform", *signature]
        call += ["--keyring", keyring, *options]
        return subprocess.run(call, env=variables(tools, tmp_path), check=False, text=True, capture_output=True)

    with galaxy_server(rebuilt / ARTIFACT) as address:
        install = ("install", "--required-valid-signature-count", "+1", "--no-deps", "--force", "--server", address)
        refused = galaxy(wrong, *install)
        assert refused.returncode != 0
        assert "signature verification failed" in refused.stdout + refused.stderr
        assert not (tmp_path / "ansible_collections/hosting/platform/plugins").exists()
        for command in (install, ("verify", "--offline")):
            done = galaxy(right, *command)
            assert done.returncode == 0, done.stdout + done.stderr
    assert galaxy(wrong, "verify", "--offline").returncode != 0


@with_gpg
def test_the_checksums_are_signed(rebuilt: Path, keys: Keys) -> None:
    keys.gpg("--verify", rebuilt / "SHA256SUMS.asc", rebuilt / "SHA256SUMS")
    with throwaway_keys() as others:
        others.gpg("--import", rebuilt / "public-key.asc")
        others.gpg("--verify", rebuilt / "SHA256SUMS.asc", rebuilt / "SHA256SUMS")


@with_gpg
def test_what_another_machine_has_built_is_signed(released: Release, keys: Keys, tmp_path: Path) -> None:
    folder = shutil.copytree(released.folder, tmp_path / "release")
    command: list[str | Path] = [sys.executable, ROOT / "tests/tools/signing.py", folder]
    unnamed = subprocess.run(command, env=keys.variables, check=False, capture_output=True, text=True)
    assert (unnamed.returncode, unnamed.stderr) == (1, "Nothing is signed: SIGN_WITH names no key.\n")
    subprocess.run(command, env={**keys.variables, "SIGN_WITH": keys.new("workflow")}, check=True)
    keys.gpg("--verify", folder / "SHA256SUMS.asc", folder / "SHA256SUMS")
    assert {"MANIFEST.json.asc", "public-key.asc"} <= {file.name for file in folder.iterdir()}


@with_gpg
def test_a_key_that_cannot_sign_is_refused_before_anything_is_changed(released: Release, keys: Keys) -> None:
    clone = released.clone
    given = {**keys.variables, "VERSION": "99.0.0", "SIGN_WITH": "nobody@example.com"}
    refused = run(clone, "release", given)
    assert "nobody@example.com, and gpg has no such secret key" in refused.stderr
    assert "99.0.0" not in git(clone, "tag").split()
    assert git(clone, "status", "--porcelain") == ""
