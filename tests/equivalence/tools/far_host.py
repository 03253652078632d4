# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host that Ansible reaches by ssh: a server on the loopback, or a stand-in for the client where there is none."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STAND_IN = """#!/bin/sh
for last; do :; done
exec /bin/sh -c "$last"
"""


@contextmanager
def far_host() -> Iterator[dict[str, Any]]:
    """The variables of such a host."""
    with tempfile.TemporaryDirectory() as folder:
        ssh = Path(folder) / "ssh"
        ssh.write_text(STAND_IN)
        ssh.chmod(0o755)
        yield {
            "ansible_connection": "ssh",
            "ansible_ssh_executable": str(ssh),
            "ansible_ssh_transfer_method": "piped",
        }
