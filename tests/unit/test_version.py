# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The version stands in galaxy.yml and in the code; both must say the same."""

from __future__ import annotations

from pathlib import Path

import yaml
from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION

GALAXY = Path(__file__).parents[2] / "galaxy.yml"


def test_code_and_galaxy_state_the_same_version():
    assert yaml.safe_load(GALAXY.read_text())["version"] == VERSION
