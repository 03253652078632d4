# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for all tests: an emulator that is fresh for every test, and a player of playbooks on
it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from emulated import ControlledEmulator, running_emulator
from hypothesis import HealthCheck, settings
from player import Player

# How long an example takes says nothing where the machine has other things to do.
settings.register_profile("usual", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("usual"), max_examples=25)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


@pytest.fixture(scope="session")
def running() -> Iterator[ControlledEmulator]:
    with running_emulator() as emulator:
        yield emulator


@pytest.fixture
def emulator(running: ControlledEmulator) -> ControlledEmulator:
    running.reset()
    return running


@pytest.fixture
def player(emulator: ControlledEmulator, tmp_path: Path) -> Player:
    return Player(emulator, tmp_path)
