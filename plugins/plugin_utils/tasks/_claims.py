# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which host of a play writes a file.

Hosts run in processes of their own, and each knows only its own options. So each leaves a mark for
a file in the folder that Ansible makes for one run, and removes at its end: a link, because making
one is atomic. It leads nowhere; its target is the name of the host.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ansible import constants

from ...module_utils._errors import InvalidOption
from ..files._atomic_files import absolute_path


def claim_outputs(outputs: Mapping[str, str], host: str) -> Iterator[InvalidOption]:
    """Claim the paths of outputs, by option, for a host. What another host of this run has claimed
    is a problem.
    """
    for option, path in outputs.items():
        other = _claim(os.path.realpath(absolute_path(path)), host)
        if other != host:
            problem = (
                f"the host {other} writes {path}, too. Name a file for each host, with"
                " inventory_hostname in it."
            )
            yield InvalidOption(option, problem)


def _claim(path: str, host: str) -> str:
    """The host that has claimed the path first."""
    parent = multiprocessing.parent_process()
    run = parent.pid if parent else os.getpid()
    name = hashlib.sha256(f"{run}:{path}".encode()).hexdigest()
    mark = Path(constants.DEFAULT_LOCAL_TMP) / name
    # Without the folder, nobody can tell.
    with contextlib.suppress(OSError):
        try:
            mark.symlink_to(host)
        except FileExistsError:
            return os.readlink(mark)
    return host
