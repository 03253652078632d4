# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is stated in more than one file must be the same in each."""

from __future__ import annotations

import yaml
from environments import ROOT
from interpreters import OLDEST_CORE

from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION


def _yaml(name):
    return yaml.safe_load((ROOT / name).read_text())


def test_code_and_galaxy_state_the_same_version():
    assert _yaml("galaxy.yml")["version"] == VERSION


def test_the_oldest_tested_core_is_the_oldest_that_is_allowed():
    assert _yaml("meta/runtime.yml")["requires_ansible"] == f">={OLDEST_CORE}.0"
