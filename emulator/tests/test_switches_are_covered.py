# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every switch has a test under each of its values, or under its default and another."""

from __future__ import annotations

from importlib import import_module

from hosting_platform_emulator.state.switches import SWITCHES
from support import COVERED


def test_every_switch_has_a_test_under_its_values() -> None:
    for name in ("test_paging", "test_rate_limit", "test_switches", "test_switching"):
        import_module(name)
    assert SWITCHES.keys() == COVERED
