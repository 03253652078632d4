# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The process that controls a run: `ansible-playbook`. Where it was killed, nobody waits for the outcome any more.

Ansible's workers do not notice: they, and the module processes that they have started, would go on for minutes. A
worker knows its parent. A module process is told of it in a variable, if it runs on the same machine and not as a job
of its own (`async`). Nothing of Ansible is imported here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os

VARIABLE = "HOSTING_PLATFORM_CONTROLLER"


@dataclasses.dataclass(frozen=True)
class Controller:
    """A process by its number, and by what tells it from a later one of that number: when it was started.

    ``started``: ``None`` if it was gone already, ``""`` where that cannot be known.
    """

    pid: int
    started: str | None

    @classmethod
    def of(cls, pid: int) -> Controller:
        return cls(pid, _started(pid))

    @classmethod
    def told(cls, text: str | None) -> Controller | None:
        """The process that ``as_told`` describes, ``None`` if it does not, or not one that can be seen from here."""
        pid, _colon, rest = (text or "").partition(":")
        started, _colon, namespace = rest.partition(":")
        if not (pid.isascii() and pid.isdigit()) or namespace != _namespace():
            return None
        return cls(int(pid), started)

    def as_told(self) -> str:
        """Digits and colons: no shell has to quote them."""
        return f"{self.pid}:{self.started or ''}:{_namespace()}"

    def has_ended(self) -> bool:
        """Return whether it certainly has. Cheap: it is asked before each request."""
        if os.getppid() == self.pid:
            return False
        now = _started(self.pid)
        return now is None or self.started is None or bool(now and self.started and now != self.started)

    def end_with_it(self) -> None:
        """End this process if it has ended: whatever would be sent to it would be waited with for ever."""
        if self.has_ended():
            os._exit(1)


def _started(pid: int) -> str | None:
    """When a process was started, by the system's own count; ``None`` if there is none, ``""`` if nobody tells."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, *fields = file.read().rpartition(b")")[2].split()
    except (OSError, ValueError):
        return "" if _exists(pid) else None
    # A zombie has ended, and only waits for its parent to ask how.
    return None if state in (b"Z", b"X") else fields[18].decode()


def _exists(pid: int) -> bool:
    """Return whether there is such a process. One of another user may be hidden otherwise."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _namespace() -> str:
    """What the numbers of processes belong to: those of a container mean others outside."""
    with contextlib.suppress(OSError):
        return "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))
    return ""
