# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that controls a run: known as long as it lives, and as nothing else afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._api.controller import described, has_ended

IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells when a process was started")


def waiting_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


@IN_PROC
@pytest.mark.parametrize(("started", "is_another"), [("1", True), ("", False)])
def test_a_later_process_of_the_same_number_is_another(started, is_another):
    with waiting_process() as process:
        pid, _started, namespace = described(process.pid).split(":")
        assert has_ended(f"{pid}:{started}:{namespace}") is is_another
        process.kill()


def test_the_parent_lives():
    assert not has_ended(described(os.getppid()))


@pytest.mark.parametrize("text", ["", "x", "1", "12:34", "1:2:pid:[1]", "-1:2:", ":::", "\u0661:1:"])
def test_what_cannot_be_seen_from_here_is_not_watched(text):
    if Path("/proc/self/ns/pid").exists():
        assert not has_ended(text)
