# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The linters are told to look for everything they know."""

from __future__ import annotations

import json
import subprocess
import sys

import yaml
from environments import ROOT

SETTINGS = yaml.safe_load((ROOT / ".ansible-lint").read_text(encoding="utf-8"))
# In a process of its own: where pytest runs, the rules bring their own tests.
OFF_BY_DEFAULT = """
import importlib, json, pkgutil
from ansiblelint import rules
for module in pkgutil.iter_modules(rules.__path__):
    importlib.import_module(f"ansiblelint.rules.{module.name}")
found = rules.AnsibleLintRule.__subclasses__()
print(json.dumps([rule.id for rule in found if "opt-in" in rule.tags]))
"""


def test_every_rule_that_is_off_by_default_is_on() -> None:
    said = subprocess.run([sys.executable, "-c", OFF_BY_DEFAULT], check=True, capture_output=True, text=True).stdout
    off = set(json.loads(said))
    assert {"no-same-owner", "role-argument-spec"} <= off
    # No collection with modules of its own can keep to core's.
    assert off - {"only-builtins"} <= set(SETTINGS["enable_list"])
    assert not SETTINGS["warn_list"]
    assert "skip_list" not in SETTINGS
