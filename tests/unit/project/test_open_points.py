# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on open points of the API names every switch of the emulator."""

import re
from itertools import chain

from environments import ROOT
from hosting_platform_emulator.state.switches import SWITCHES

PAGE = (ROOT / "docs/open_points.md").read_text(encoding="utf-8").partition("\n## All limits\n")[0]
LINES = re.findall(r"^\| (.*) \|$", PAGE, re.M)
ROWS = [[re.findall(r"`(.+?)`", cell) for cell in row.split(" | ")] for row in LINES]
# These have nothing to do with the specification.
TEST_AIDS = {"connect_latency_ms", "echo_token", "latency_ms"}


def test_every_switch_plays_one_open_point():
    played = chain.from_iterable(row[2] for row in ROWS if len(row) == 3)
    assert sorted(played) == sorted(SWITCHES.keys() - TEST_AIDS)
