# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a file can be written, why not, and what the operating system says when it cannot be
read.
"""

from __future__ import annotations

import os
import stat

FOR_THE_OWNER = 0o600

# How a file begins that Ansible Vault has encrypted.
VAULT_HEADER = "$ANSIBLE_VAULT"


def why_not_writable(path: str) -> str:
    """The visible obstacle to writing the file, in words; ``""`` if there is none."""
    folder, name = os.path.split(path)
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        status = None
    except OSError as error:
        return os_error_text(error)
    if not name or (status and stat.S_ISDIR(status.st_mode)):
        return "it is a directory"
    if status and stat.S_ISLNK(status.st_mode):
        return "it is a symbolic link"
    if status and not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    return _why_folder_not_writable(folder or os.curdir)


def _why_folder_not_writable(folder: str) -> str:
    """The same for a new file in a folder, or in its nearest ancestor that exists."""
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder) or os.curdir
    if not os.path.isdir(folder):
        return f"{folder} is not a directory"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"the directory {folder} is not writable"


def os_error_text(error: OSError) -> str:
    """The system's message for an error, in lower case to continue a sentence."""
    words = error.strerror or type(error).__name__
    return words[:1].lower() + words[1:]
