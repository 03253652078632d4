# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of the inventory plugin, for every test."""

import pytest
from inventories import Inventory
from player import Player


@pytest.fixture
def inventory(player: Player) -> Inventory:
    return Inventory(player)
