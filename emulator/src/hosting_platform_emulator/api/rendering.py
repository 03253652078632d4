# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored rows as the API shows them (§2), subject to the switches that affect objects."""

from __future__ import annotations

from typing import Any

from ..checks import Text
from ..state.specification import ALWAYS_COMPLETE, RESOURCES, ROLE_IDS
from ..state.store import Row
from ..state.switches import Switches

_EXTRA = {"nodeVersion": "20.x", "latestDeployment": {"id": "dpl_1", "state": "READY"}}


def shown(switches: Switches, resource: str, row: Row, personal_team_id: str) -> dict[str, Any]:
    """One object with the fields of its resource. Fields that may be null are always present."""
    unset = "empty" if resource in ALWAYS_COMPLETE else switches["unset_fields"]
    hides_own_team = switches["personal_team_id"] == "unset"
    hides_team = resource in ("aliases", "project_domains") and switches["alias_team_id"] == "unset"
    result: dict[str, Any] = {}
    for field, check in RESOURCES[resource].items():
        value = row.get(field)
        if field == "roleId":
            value = ROLE_IDS[row["role"]]
        elif field == "teamId" and (hides_team or (hides_own_team and value == personal_team_id)):
            value = None
        if value is None and isinstance(check, Text) and not check.nullable:
            if unset == "missing":
                continue
            value = "" if unset == "empty" else None
        result[field] = value
    if switches["extra_fields"]:
        result.update(_EXTRA)
    return result


def with_fields(content: Any, fields: dict[str, str]) -> Any:
    """The answer with these fields added to every object in it."""
    if isinstance(content, dict):
        return {**{key: with_fields(value, fields) for key, value in content.items()}, **fields}
    if isinstance(content, list):
        return [with_fields(item, fields) for item in content]
    return content
