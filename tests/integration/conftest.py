# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A player of playbooks, and sources of the inventory plugin, for every test."""

from __future__ import annotations

from pathlib import Path

import pytest
from emulated import Emulated
from inventories import Inventory
from playing import Player


@pytest.fixture
def player(emulator: Emulated, tmp_path: Path) -> Player:
    return Player(emulator, tmp_path)


@pytest.fixture
def inventory(player: Player) -> Inventory:
    return Inventory(player)
