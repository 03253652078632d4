# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of the inventory plugin, statistics that somebody reads, and a platform on which a
mistake reaches something.
"""

from itertools import product

import pytest
from emulated import ControlledEmulator
from inventories import Inventory
from player import Player


@pytest.fixture
def inventory(player: Player) -> Inventory:
    return Inventory(player)


@pytest.fixture
def custom_stats(player: Player) -> None:
    """The role passes on statistics where somebody reads them."""
    player.environment["ANSIBLE_SHOW_CUSTOM_STATS"] = "true"


@pytest.fixture
def shop_and_legacy(emulator: ControlledEmulator) -> None:
    """What a task would reach by mistake: the own scope, and the team of the environment."""
    projects = [
        {"name": name, "framework": "astro", **scope}
        for name, scope in product(("shop", "legacy"), ({}, {"team": "prod"}))
    ]
    emulator.seed(teams=[{"slug": "prod"}], projects=projects)
