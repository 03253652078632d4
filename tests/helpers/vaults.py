# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vaulted files and values, and the password with which Ansible reads them."""

from pathlib import Path
from textwrap import indent

from ansible.parsing.vault import VaultLib, VaultSecret

PASSWORD = "vault-password-0123456789"
VAULT = VaultLib([("default", VaultSecret(PASSWORD.encode()))])


def vaulted(text: str) -> str:
    """A file's content."""
    return str(VAULT.encrypt(text).decode())


def vaulted_value(text: str, spaces: int = 4) -> str:
    """A value as YAML writes it, in a mapping that is indented by fewer spaces; it ends its
    line.
    """
    return "!vault |\n" + indent(vaulted(text), " " * spaces)


def with_password(folder: Path) -> tuple[str, str]:
    """The arguments with which a command knows the password."""
    file = folder / "password"
    file.write_text(PASSWORD)
    return "--vault-password-file", str(file)
