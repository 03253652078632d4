# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host that Ansible reaches by ssh: a server on this machine, or a stand-in for the client where there is none."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SSHD = shutil.which("sshd", path=os.pathsep.join([os.defpath, "/usr/sbin", "/usr/local/sbin"]))
# Where it is not there, the server of a superuser does not start; its package's service makes it.
PRIVILEGE_SEPARATION = Path("/run/sshd")
IS_REAL = bool(SSHD) and (os.geteuid() != 0 or PRIVILEGE_SEPARATION.is_dir())

OPTIONS = {
    "StrictModes": "no",
    "UsePAM": "no",
    "PasswordAuthentication": "no",
    "PermitRootLogin": "prohibit-password",
}
STAND_IN = """#!/bin/sh
for last; do :; done
exec /bin/sh -c "$last"
"""


@contextmanager
def far_host() -> Iterator[dict[str, Any]]:
    """The variables of such a host."""
    with tempfile.TemporaryDirectory() as folder, (_server if IS_REAL else _stand_in)(Path(folder)) as variables:
        yield {"ansible_connection": "ssh", "ansible_ssh_transfer_method": "piped", **variables}


@contextmanager
def _stand_in(folder: Path) -> Iterator[dict[str, Any]]:
    client = folder / "ssh"
    client.write_text(STAND_IN)
    client.chmod(0o755)
    yield {"ansible_ssh_executable": str(client)}


@contextmanager
def _server(folder: Path) -> Iterator[dict[str, Any]]:
    """Started by the client for each connection, so no port is needed. One key is the server's and the user's."""
    key, config = folder / "key", folder / "config"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    options = {**OPTIONS, "HostKey": key, "AuthorizedKeysFile": f"{key}.pub"}
    config.write_text("".join(f"{name} {value}\n" for name, value in options.items()))
    yield {
        "ansible_host": "127.0.0.1",
        "ansible_user": getpass.getuser(),
        "ansible_ssh_private_key_file": str(key),
        # The usual ones would leave a connection open beyond the test.
        "ansible_ssh_args": "-F none -o LogLevel=ERROR",
        "ansible_ssh_common_args": "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
        f" -o ProxyCommand='{SSHD} -i -f {config}'",
    }
