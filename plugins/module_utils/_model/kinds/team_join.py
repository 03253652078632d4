# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joining a team with an invite code (section 4 of the specification)."""

from __future__ import annotations

from typing import Any

from ..._api.retries import create_once
from ..._errors import Effect
from ..fields import Values
from ..options import Options, check_not_empty, check_unmasked
from ..platform import Platform
from ..scope import OWN_SCOPE
from .team import TEAM, Team


def join_team(platform: Platform, options: Options, check_mode: bool) -> dict[str, Any]:
    """Join with an invite code, by a GET with side effects, unless the team is already in the
    caller's list. The team is sent as given: others cannot be looked up.
    """
    team = options["team"]
    code = options["invite_code"]
    parameter = options["invite_code_parameter"]
    check_not_empty(options, "invite_code_parameter")
    check_unmasked(options, "team", "invite_code")

    def find_listed() -> Values | None:
        platform.lists.invalidate()
        return platform.find(Team, OWN_SCOPE, team)

    def join() -> Values:
        return TEAM.to_result(platform.api.join_team(team, {parameter: code} if code else {}))

    record = find_listed()
    changed = record is None
    if record is None and check_mode:
        record = dict.fromkeys(TEAM.returned)
    elif record is None:
        record, lost = create_once(platform.api.client.retries(), join, find_listed)
        changed = lost is None or lost.effect is not Effect.REJECTED
    diff = {"before": {}, "after": {"team": team} if changed else {}}
    return {"changed": changed, "team": record, "diff": diff}
