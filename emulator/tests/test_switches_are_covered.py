# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every switch has a test under each of its values."""

from __future__ import annotations

from importlib import import_module

from hosting_platform_emulator.state.switches import SWITCHES, Choice
from support import COVERED


def test_every_value_of_every_switch_has_a_test() -> None:
    for name in ("test_paging", "test_rate_limit", "test_switches", "test_switching"):
        import_module(name)
    choices = {
        (name, value) for name, switch in SWITCHES.items() if isinstance(switch, Choice) for value in switch.values
    }
    assert choices - COVERED == set()
    open_ones = {name for name, switch in SWITCHES.items() if not isinstance(switch, Choice)}
    for name in open_ones:
        values = {value for covered, value in COVERED if covered == name}
        assert SWITCHES[name].default in values, f"{name} under its default"
        assert len(values) > 1, f"{name} under another value"
