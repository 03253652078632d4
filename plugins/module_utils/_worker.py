# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Facts about the process that the code runs in, for `_platform_module.py`.

A module process ends with its one run: the defaults say so, and nothing is worth keeping. Where
`plugin_utils/_in_process.py` runs the module inside Ansible's worker, the process lives on: for the next item of the
loop, for the next try of `until`. Nothing of Ansible is imported here: tests and the inventory plugin use it too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from typing import Any

from ._controller import Controller


@dataclasses.dataclass
class Run:
    """One run of one module.

    ``item`` counts the items of the loop from 1; it is 0 in a process that ends with its run, where keeping is in vain.
    ``attempt`` counts the tries of ``until``: beyond the first the user waits for a change, so nothing is answered from
    memory. ``say`` shows a line to the user at once; ``None`` where nobody would see it. ``request_left`` is set right
    before the first byte of a request: from then on this run must never be repeated. ``controller``: the process
    without which nothing more is sent; ``None`` where it is not known, or not needed.
    """

    item: int = 0
    attempt: int = 1
    say: Callable[[str], None] | None = None
    request_left: bool = False
    controller: Controller | None = None


# The present run: another object for each, so read `_worker.run` anew and never import the name.
run = Run()


class Kept:
    """The sessions and lists that one run leaves for the next, under keys that name everything they depend on.

    The latest few are kept, and the others closed: a loop may go over hundreds of identities. Emptied by
    `_in_process.py` when nothing of it can be trusted: after a run that did not come to its own exit, and when a module
    process has worked in between.
    """

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._values: dict[Hashable, Any] = {}

    def latest(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The value under the key, made if there is none, and now the latest one."""
        value = self._values.pop(key, None) or make()
        self._values[key] = value
        while len(self._values) > self._most:
            self._values.pop(next(iter(self._values))).close()
        return value

    def clear(self) -> None:
        while self._values:
            self._values.popitem()[1].close()


kept = Kept()
