# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Open points of the API: the table, the page of the documentation and the emulator's switches are in step."""

from __future__ import annotations

from hosting_platform_emulator.state.switches import SWITCHES
from open_points import PAGE, POINTS, rendered

# These have nothing to do with the specification.
TEST_AIDS = {"connect_latency_ms", "echo_token", "latency_ms"}


def test_every_switch_plays_one_open_point():
    played = [name for point in POINTS for name in point["switches"]]
    assert sorted(played) == sorted(SWITCHES.keys() - TEST_AIDS)


def test_the_page_shows_the_tables_as_they_are():
    page = PAGE.read_text(encoding="utf-8")
    assert rendered(page) == page, "run tests/tools/open_points.py with the development environment's Python"
