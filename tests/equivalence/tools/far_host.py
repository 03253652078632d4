# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host that Ansible reaches by ssh: a server on this machine."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

SSHD = shutil.which("sshd", path=os.pathsep.join([os.defpath, "/usr/sbin", "/usr/local/sbin"]))
# Where it is not there, the server of a superuser does not start; its package's service makes it.
PRIVILEGE_SEPARATION = Path("/run/sshd")
HAS_SSHD = bool(SSHD) and (os.geteuid() != 0 or PRIVILEGE_SEPARATION.is_dir())

OPTIONS = {"StrictModes": "no", "UsePAM": "no", "PasswordAuthentication": "no", "PermitRootLogin": "prohibit-password"}


def far_host(folder: Path) -> dict[str, Any]:
    """The variables of such a host.

    The client starts its server for each connection, so no port is needed. One key is the server's and the user's.
    """
    if not HAS_SSHD:
        assert os.environ.get("CI") != "true", "no sshd that would start: nothing is delegated to a remote host"
        return {}
    key, config = folder / "key", folder / "config"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    options = {**OPTIONS, "HostKey": key, "AuthorizedKeysFile": f"{key}.pub"}
    config.write_text("".join(f"{name} {value}\n" for name, value in options.items()))
    return {
        "ansible_connection": "ssh",
        "ansible_ssh_transfer_method": "piped",
        "ansible_host": "127.0.0.1",
        "ansible_user": getpass.getuser(),
        "ansible_ssh_private_key_file": str(key),
        # The usual ones would leave a connection open beyond the test.
        "ansible_ssh_args": "-F none -o LogLevel=ERROR",
        "ansible_ssh_common_args": "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
        f" -o ProxyCommand='{SSHD} -i -f {config}'",
    }
