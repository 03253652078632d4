# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make artifacts: the files of a release, built of the last commit, under .cache/release."""

import hashlib
import os
import shutil
import subprocess

from environments import CACHE, ROOT, development_environment, variables

RELEASE = CACHE / "release"
TOOLS = development_environment()
# Of what `make demo` installs: the emulator and ansible-core, with all that they need.
BILL = (
    "--mc-type",
    "application",
    "--output-reproducible",
    "--output-file",
    RELEASE / "emulator.cdx.json",
)


def build(key: str = "") -> None:
    """Build them, signed if a key is named."""
    for folder in (RELEASE, source := CACHE / "release-source"):
        shutil.rmtree(folder, ignore_errors=True)
    # Nothing of the working tree, such as a file that is not committed, gets into a release.
    subprocess.run(["git", "clone", "--quiet", ROOT, source], check=True)
    described = (
        "--pyproject",
        source / "emulator/pyproject.toml",
        source / "tests/requirements/demo.txt",
    )
    for command in (
        ("ansible-galaxy", "collection", "build", source, "--output-path", RELEASE),
        (
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            RELEASE,
            source / "emulator",
        ),
        ("cyclonedx-py", "requirements", *described, *BILL),
    ):
        subprocess.run([TOOLS / command[0], *command[1:]], env=variables(TOOLS), check=True)
    shutil.copy(source / "emulator/Containerfile", RELEASE)
    sums = (
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(RELEASE.iterdir())
    )
    (RELEASE / "SHA256SUMS").write_text("".join(sums))
    if key:
        subprocess.run([ROOT / "tests/tools/sign.sh", RELEASE, key], check=True)


if __name__ == "__main__":
    build(os.environ.get("SIGN_WITH", ""))
    print(f"\nThe artifacts: {RELEASE.relative_to(ROOT)}")
