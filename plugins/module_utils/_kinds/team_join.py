# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joining a team with an invite code (section 4 of the specification, "Teams"): a GET with side effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._client.creation import create_once
from .._common.errors import Outcome
from .._resources.fields import Values
from .._resources.options import check_filled
from .._resources.platform import Platform, Scope
from .team import TEAM, Team, team_among


def join_team(platform: Platform, options: Mapping[str, Any], check_mode: bool) -> dict[str, Any]:
    """Join, unless the team is already in the caller's list. The team is sent as given: others cannot be looked up."""
    team, code, parameter = options["team"], options["invite_code"], options["invite_code_parameter"]
    check_filled(options, "team", "invite_code_parameter")

    def listed() -> Values | None:
        return team_among(platform.listing(Team, Scope()), team)

    def join() -> Values:
        return TEAM.result(platform.api.join_team(team, {parameter: code} if code else {}))

    item = listed()
    if item is not None:
        return _result(item, {}, changed=False)
    if check_mode:
        return _result(dict.fromkeys(TEAM.returned), {"team": team}, changed=True)
    item, lost = create_once(platform.api.http, join, listed)
    is_ours = lost is None or lost.outcome is not Outcome.REFUSED
    return _result(item, {"team": team} if is_ours else {}, changed=is_ours)


def _result(item: Values, after: Values, changed: bool) -> dict[str, Any]:
    return {"changed": changed, "team": item, "diff": {"before": {}, "after": after}}
