# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The process that controls a run: `ansible-playbook`. Once it has been killed, nothing waits for the outcome.

Ansible's workers do not notice: they, and the module processes that they have started, would go on for minutes. A
worker knows its parent. A module process learns it from an environment variable, if it runs on the same machine and not
as a job of its own (`async`). This module imports nothing from Ansible.
"""

from __future__ import annotations

import contextlib
import os

VARIABLE = "HOSTING_PLATFORM_CONTROLLER"
ENDED = "ended"


def described(pid: int) -> str:
    """A process: its PID, its start time, which distinguishes it from a later process with that PID, and its namespace.

    Digits and colons, which need no quoting in a shell. The start time is empty if it cannot be determined.
    """
    started = _started(pid)
    return f"{pid}:{ENDED if started is None else started}:{_namespace()}"


def has_ended(described: str) -> bool:
    """Return whether the process has certainly ended. Cheap, as it is called before each request.

    False for other text, and for a process that is not visible from here.
    """
    pid, _colon, rest = described.partition(":")
    started, _colon, namespace = rest.partition(":")
    if not (pid.isascii() and pid.isdigit()) or os.getppid() == int(pid) or namespace != _namespace():
        return False
    now = _started(int(pid))
    return now is None or bool(now and started and now != started)


def end_with(described: str) -> None:
    """End this process if that one has ended: sending it anything would block forever."""
    if has_ended(described):
        os._exit(1)


def _started(pid: int) -> str | None:
    """A process's start time, in the system's units; ``None`` if there is no such process, ``""`` if it is unknown."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, *fields = file.read().rpartition(b")")[2].split()
    except (OSError, ValueError):
        return "" if _exists(pid) else None
    # A zombie has ended, and is only waiting to be reaped by its parent.
    return None if state in (b"Z", b"X") else fields[18].decode()


def _exists(pid: int) -> bool:
    """Return whether the process exists. /proc may hide the processes of other users."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _namespace() -> str:
    """The PID namespace: a container's PIDs denote other processes outside it."""
    with contextlib.suppress(OSError):
        return "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))
    return ""
