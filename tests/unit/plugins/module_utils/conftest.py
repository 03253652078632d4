# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time that passes only when the client sleeps, an emulator without HTTP, one that shares that
time, and one whose own list shows what is a team's.
"""

import pytest
from acme import ACME, WEB, WWW, ZETA
from client import ManualClock, SharedClock
from emulated import ControlledEmulator
from in_process import InProcess


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def in_process() -> InProcess:
    return InProcess()


@pytest.fixture
def service(in_process: InProcess) -> InProcess:
    """Its `clock` is the client's, too."""
    in_process.reset()
    in_process.clock = SharedClock(in_process)
    return in_process


@pytest.fixture(params=[True, "one_team"], ids=["spanning", "of one team"])
def own_list(emulator: ControlledEmulator, request: pytest.FixtureRequest) -> ControlledEmulator:
    """The list without a team shows what is acme's, with what is nobody's or alone."""
    emulator.seed(teams=[ACME], projects=[{**WEB, "id": "prj_acme"}], aliases=[WWW])
    emulator.seed(domains=[{"name": "acme.org", "team": "acme"}])
    if request.param is True:
        emulator.seed(teams=[ZETA], projects=[{"name": "mine"}])
    emulator.switch(lists_span_teams=request.param)
    return emulator
