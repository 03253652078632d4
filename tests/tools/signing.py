# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detached signatures with the key named by $SIGN_WITH."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

MANIFEST = "MANIFEST.json"
PUBLIC_KEY = "public-key.asc"


class NotReleased(Exception):
    """Why there is no release."""


def chosen_key() -> str:
    """The key, "" if none is named. Raises NotReleased for a key that cannot sign."""
    key = os.environ.get("SIGN_WITH", "")
    if key and not _gpg("--list-secret-keys", key):
        raise NotReleased(f"SIGN_WITH names {key}, and gpg has no such secret key")
    return key


def sign(key: str, artifact: Path, *files: Path) -> None:
    """Sign the artifact's manifest, as ansible-galaxy checks it, and other files, each as FILE.asc next to it."""
    manifest = artifact.with_name(MANIFEST)
    with tarfile.open(artifact) as archive:
        archive.extract(MANIFEST, artifact.parent, filter="data")
    for file in (manifest, *files):
        if not _gpg("--yes", "--armor", "--local-user", key, "--detach-sign", str(file)):
            raise NotReleased(f"gpg does not sign {file.name}; make artifacts SIGN_WITH={key} tries it again")
    _gpg("--yes", "--armor", "--output", str(artifact.with_name(PUBLIC_KEY)), "--export", key)
    manifest.unlink()


def _gpg(*arguments: str) -> bool:
    """Run gpg; it may prompt for a passphrase, so it keeps the terminal."""
    try:
        return subprocess.run(["gpg", *arguments], check=False, stdout=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        raise NotReleased("SIGN_WITH needs gpg, of the Debian package gnupg") from None


def main(folder: Path) -> None:
    """Sign files built on another machine."""
    key = chosen_key()
    if not key:
        raise NotReleased("SIGN_WITH names no key")
    sign(key, *folder.glob("*.tar.gz"), folder / "SHA256SUMS")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except NotReleased as problem:
        sys.exit(f"Nothing is signed: {problem}.")
