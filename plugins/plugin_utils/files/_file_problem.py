# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a file, and where."""

from __future__ import annotations

# What evaluates templates, and decrypts what is vaulted.
INSTEAD = "give the blueprint in a variable (converge_blueprint, or the option blueprint)."
ENCRYPTED = f"encrypted with Ansible Vault, and files are data. Decrypt it, or {INSTEAD}"


class FileProblem(Exception):
    """A problem of a file. ``line``: where it is, 0 if that is unknown."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line

    def at(self, file: str) -> str:
        """The message with its place: ``shop/aliases.yml:1: unknown key taem.``"""
        return f"{place(file, self.line)}: {self}"


def place(file: str, line: int) -> str:
    """``shop/aliases.yml:1``"""
    return f"{file}:{line}" if line else file
