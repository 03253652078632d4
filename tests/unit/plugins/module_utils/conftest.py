# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time that passes only when the client sleeps, and an emulator without HTTP."""

import pytest
from client import ManualClock
from in_process import InProcess


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def in_process() -> InProcess:
    return InProcess()
