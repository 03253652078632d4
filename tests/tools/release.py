# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make release VERSION=x.y.z: version, changelog, commit, tag, the artifacts, and the next
version.
"""

import os
import re
import subprocess
from pathlib import Path

import yaml
from artifacts import RELEASE, TOOLS, build
from environments import ROOT, variables

# The files that state the version, and how; a unit test checks that they agree.
STATED = [
    *map(
        ROOT.joinpath, ("galaxy.yml", "plugins/module_utils/_version.py", "emulator/pyproject.toml")
    ),
    ROOT / "emulator/src/hosting_platform_emulator/__init__.py",
]
STATES = re.compile(r'^(?:version: |(?:VERSION|version|__version__) = ")([^"\n]+)', re.MULTILINE)
PIPELINES = ROOT / "examples" / "pipelines"
TELLING = (
    *map(ROOT.joinpath, ("README.md", "emulator/README.md")),
    *sorted((ROOT / "docs/docsite/rst").glob("*.rst")),
    *map(PIPELINES.joinpath, (".pre-commit-config.yaml", "rules/projects.schema.json")),
    *map(
        PIPELINES.joinpath,
        ("github/blueprint.yml", "gitlab/.gitlab-ci.yml", "gitlab/blueprint.yml"),
    ),
    ROOT / ".github/workflows/blueprint.yml",
)
NAMED = re.compile(
    r"(?P<what>releases/download/|hosting\.platform(?:[:/](?:==)?|\n +(?:rev|version): )|"
    r"hosting_platform_emulator-|/blueprint\.yml@|  version:\n +default: )"
    r"(?P<version>\d+\.\d+\.\d+)"
)
COMMIT = ("commit", "--quiet", "--all", "--message")
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")

NEXT_STEPS = """
The release {} lies in {}. Nothing has left this machine.
What is next is in RELEASING.md, and begins with

  git push origin main {}

{}"""


def main(version: str) -> None:
    _check(version)
    state(version)
    tell(version)
    changelog: list[str | Path] = [TOOLS / "antsibull-changelog", "release", "--version", version]
    subprocess.run(changelog, cwd=ROOT, env=variables(TOOLS), check=True)
    git(*COMMIT, f"Release {version}")
    releases = yaml.safe_load((ROOT / "changelogs/changelog.yaml").read_text(encoding="utf-8"))[
        "releases"
    ]
    summary = releases[version]["changes"].get("release_summary", "")
    git("tag", "--annotate", version, "--message", f"Release {version}\n\n{summary}")
    build()
    state(following := next_version(version))
    git(*COMMIT, f"Begin version {following}")
    print(
        NEXT_STEPS.format(
            version, RELEASE.relative_to(ROOT), version, (RELEASE / "SHA256SUMS").read_text()
        )
    )


def state(version: str) -> None:
    """Write the version wherever it is stated, including the schemas' addresses."""
    for file in STATED:
        file.write_text(
            STATES.sub(lambda found: found[0].replace(found[1], version), file.read_text(), count=1)
        )
    subprocess.run(
        [TOOLS / "python", ROOT / "tests/tools/schemas.py"], env=variables(TOOLS), check=True
    )


def tell(version: str) -> None:
    """Update the pages that name the newest release."""
    for page in TELLING:
        page.write_text(
            NAMED.sub(rf"\g<what>{version}", page.read_text(encoding="utf-8")), encoding="utf-8"
        )


def next_version(version: str) -> str:
    """The version in development after a release: the next minor version, unless it turns out to be
    another.
    """
    major, minor, _patch = _numbers(version)
    return f"{major}.{minor + 1}.0-dev0"


def git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def _check(version: str) -> None:
    """Refuse to release before anything is changed."""
    if not SEMANTIC.fullmatch(version):
        raise SystemExit("No release: give the version as VERSION=x.y.z.")
    released = filter(SEMANTIC.fullmatch, git("tag", "--list", "--merged", "HEAD").split())
    newest = max(released, key=_numbers, default="")
    if newest and _numbers(version) <= _numbers(newest):
        raise SystemExit(f"No release: VERSION must be above {newest}.")
    if git("status", "--porcelain"):
        raise SystemExit("No release: the working tree holds changes: commit them first.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


if __name__ == "__main__":
    main(os.environ.get("VERSION", ""))
