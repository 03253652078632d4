# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that controls a run: known as long as it lives, and as nothing else afterwards."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._common.controller import Controller

IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells when a process was started")


def waiting_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def test_a_process_has_ended_once_it_was_killed_and_stays_so():
    with waiting_process() as process:
        controller = Controller.of(process.pid)
        told = Controller.told(controller.as_told())
        assert told == controller
        assert not controller.has_ended()
        process.kill()
    assert controller.has_ended()
    assert told is not None
    assert told.has_ended()
    assert Controller.of(process.pid).has_ended()


@IN_PROC
def test_a_zombie_has_ended():
    with waiting_process() as process:
        controller = Controller.of(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert controller.has_ended()


@IN_PROC
def test_a_later_process_of_the_same_number_is_another():
    with waiting_process() as process:
        controller = Controller.of(process.pid)
        assert dataclasses.replace(controller, started="1").has_ended()
        assert not dataclasses.replace(controller, started="").has_ended()
        process.kill()


def test_the_parent_lives():
    assert not Controller.of(os.getppid()).has_ended()


@pytest.mark.parametrize("text", [None, "", "x", "1", "12:34", "1:2:pid:[1]", "-1:2:", ":::", "\u0661:1:"])
def test_what_cannot_be_seen_from_here_is_not_watched(text):
    if Path("/proc/self/ns/pid").exists():
        assert Controller.told(text) is None
