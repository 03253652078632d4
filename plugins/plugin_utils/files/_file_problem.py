# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file holds, or what is wrong with it, and where."""

from __future__ import annotations

import os
import stat
from pathlib import Path

# What evaluates templates, and decrypts what is vaulted.
INSTEAD = "give the blueprint in a variable (converge_blueprint, or the option blueprint)."
ENCRYPTED = f"encrypted with Ansible Vault, and files are data. Decrypt it, or {INSTEAD}"
# Why a link is no file, and what to do. A mounted ConfigMap consists of links.
LINK = "it is a link, and links are not followed. Copy the files it leads to: cp -rL SOURCE COPY."


class FileProblem(Exception):
    """A problem of a file. ``line``: where it is, 0 if that is unknown."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


def place(file: str, line: int) -> str:
    """``shop/aliases.yml:1``"""
    return f"{file}:{line}" if line else file


def content_of(path: Path) -> bytes:
    """The content of a regular file that is no link. Others may never end, or block until they have
    a writer. Raises FileProblem.
    """
    try:
        if path.is_symlink():
            raise FileProblem(LINK)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileProblem("it is not a regular file.")
            return stream.read()
    except OSError as error:
        raise FileProblem(f"it cannot be read: {error.strerror}.") from None
