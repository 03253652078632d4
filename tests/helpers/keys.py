# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Throwaway signing keys, in a temporary GnuPG home."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

GPG = shutil.which("gpg")
NO_GPG = "no gpg found: install the Debian package `gnupg`"

with_gpg = pytest.mark.skipif(not GPG and os.environ.get("CI") != "true", reason=NO_GPG)


class Keys:
    def __init__(self, home: Path) -> None:
        self.variables = {**os.environ, "GNUPGHOME": str(home)}
        self._home = home

    def new(self, name: str) -> str:
        """Create a key without a passphrase; returns the address that identifies it."""
        address = f"{name}@example.com"
        self.gpg("--passphrase", "", "--quick-generate-key", address, "ed25519", "sign", "never")
        return address

    def keyring(self, address: str) -> Path:
        """A keyring with only the public key, as users of a collection have it."""
        public, keyring = self._home / f"{address}.asc", self._home / f"{address}.kbx"
        self.gpg("--armor", "--output", public, "--export", address)
        self.gpg("--no-default-keyring", "--keyring", keyring, "--import", public)
        return keyring

    def gpg(self, *arguments: str | Path) -> None:
        assert GPG, NO_GPG
        command = [GPG, "--batch", "--quiet", "--pinentry-mode", "loopback", *arguments]
        subprocess.run(command, check=True, env=self.variables, capture_output=True)


@contextmanager
def throwaway_keys() -> Iterator[Keys]:
    # Not in a test's own folder: it contains the agent's socket, whose path must be short.
    with tempfile.TemporaryDirectory(prefix="gpg-") as home:
        keys = Keys(Path(home))
        try:
            yield keys
        finally:
            subprocess.run(["gpgconf", "--kill", "all"], check=False, env=keys.variables)
