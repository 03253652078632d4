# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the linters are told to look for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from environments import ROOT

SETTINGS = yaml.safe_load((ROOT / ".ansible-lint").read_text(encoding="utf-8"))
ROLES = sorted((ROOT / "roles").iterdir())
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


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_a_role_may_be_included_in_a_loop(role: Path) -> None:
    """The loop that includes it has a variable, most often item: the role neither loops over it nor reads it."""
    texts = [
        file.read_text(encoding="utf-8")
        for folder in ("tasks", "vars", "defaults")
        for file in (role / folder).iterdir()
    ]
    assert len(texts) >= 3
    assert [text for text in texts if re.search(r"\b(item|loop_var)\b|^\s*(loop|with_\w+):", text, re.MULTILINE)] == []
