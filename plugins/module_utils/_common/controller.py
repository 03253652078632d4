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
import dataclasses
import os

VARIABLE = "HOSTING_PLATFORM_CONTROLLER"


@dataclasses.dataclass(frozen=True)
class Controller:
    """A process, identified by its PID and its start time, which distinguishes it from a later process with that PID.

    ``started``: ``None`` if it had already ended, ``""`` if that cannot be determined.
    """

    pid: int
    started: str | None

    @classmethod
    def of(cls, pid: int) -> Controller:
        return cls(pid, _started(pid))

    @classmethod
    def told(cls, text: str | None) -> Controller | None:
        """The process that ``as_told`` describes; ``None`` for other text, or a process not visible from here."""
        pid, _colon, rest = (text or "").partition(":")
        started, _colon, namespace = rest.partition(":")
        if not (pid.isascii() and pid.isdigit()) or namespace != _namespace():
            return None
        return cls(int(pid), started)

    def as_told(self) -> str:
        """Digits and colons, which need no quoting in a shell."""
        return f"{self.pid}:{self.started or ''}:{_namespace()}"

    def has_ended(self) -> bool:
        """Return whether it has certainly ended. Cheap, as it is called before each request."""
        if os.getppid() == self.pid:
            return False
        now = _started(self.pid)
        return now is None or self.started is None or bool(now and self.started and now != self.started)

    def end_with_it(self) -> None:
        """End this process if that one has ended: sending it anything would block forever."""
        if self.has_ended():
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
