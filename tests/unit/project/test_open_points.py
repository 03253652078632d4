# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on open points of the API names every switch of the emulator, and every operation with its modules."""

from __future__ import annotations

import re

import yaml
from environments import ROOT
from hosting_platform_emulator.state.switches import SWITCHES

PAGE = (ROOT / "docs/docsite/rst/guide_open_points.rst").read_text(encoding="utf-8").partition("\nGlossary\n")[0]
ROWS = [[re.findall(r"``(.+?)``", cell) for cell in row.split("\n    - ")] for row in PAGE.split("\n  * - ")]
# These have nothing to do with the specification.
TEST_AIDS = {"connect_latency_ms", "echo_token", "latency_ms"}


def test_every_switch_plays_one_open_point():
    played = [name for row in ROWS if len(row) == 3 for name in row[2]]
    assert sorted(played) == sorted(SWITCHES.keys() - TEST_AIDS)


def test_every_operation_is_there_with_its_modules():
    operations = yaml.safe_load((ROOT / "tests/operations.yml").read_text(encoding="utf-8"))
    shown = {row[0][0]: row[1] for row in ROWS if len(row) == 2 and row[0]}
    assert shown == {row["operation"]: row["modules"] for row in operations}
