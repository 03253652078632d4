# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a role, in its specification, its defaults and its README; and what the README says of a run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import ROOT

ROLES = sorted((ROOT / "roles").iterdir())
of_each_role = pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)


def options(role: Path) -> dict[str, dict[str, Any]]:
    specified: dict[str, Any] = yaml.safe_load((role / "meta/argument_specs.yml").read_text(encoding="utf-8"))
    return dict(specified["argument_specs"]["main"]["options"])


def readme(role: Path) -> str:
    return (role / "README.md").read_text(encoding="utf-8")


@of_each_role
def test_every_option_is_in_the_defaults(role: Path) -> None:
    """Who reads them sees every input: what has no value, or its module's, is there as a comment."""
    text = (role / "defaults/main.yml").read_text(encoding="utf-8")
    given = yaml.safe_load(text) or {}
    specified = options(role)
    assert given == {name: option["default"] for name, option in specified.items() if "default" in option}
    commented = re.findall(rf"^# ({role.name}_\w+): ", text, re.MULTILINE)
    assert sorted(commented) == sorted(specified.keys() - given.keys())
    assert isinstance(yaml.safe_load(text.replace(f"# {role.name}_", f"{role.name}_")), dict)


@of_each_role
def test_every_option_is_in_the_readme(role: Path) -> None:
    rows = re.findall(rf"^\| `({role.name}_\w+)` \| *(?:`(.+?)`)?[^|]*\| \S", readme(role), re.MULTILINE)
    specified = options(role)
    assert {name for name, _default in rows} == specified.keys()
    defaults = {name: yaml.safe_load(default) for name, default in rows if default}
    assert {
        name: option["default"] for name, option in specified.items() if "default" in option
    }.items() <= defaults.items()
