# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams (§4)."""

from __future__ import annotations

from ...state.store import Condition, Row
from ..call import Answer, Call
from ..operation import operation


@operation("POST /teams")
def create_team(call: Call) -> Answer:
    fields = dict(call.body)
    return call.created("teams", call.platform.add_team(call.caller, fields.pop("slug"), **fields))


@operation("GET /teams")
def list_teams(call: Call) -> Answer:
    return call.listed("teams", Condition("id IN (SELECT teamId FROM members WHERE userId = ?)", (call.caller["id"],)))


@operation("GET /teams/{teamIdOrSlug}")
def get_team(call: Call) -> Answer:
    return Answer(content=call.shown("teams", _team(call, write=False)))


@operation("PATCH /teams/{teamIdOrSlug}")
def update_team(call: Call) -> Answer:
    team = _team(call, write=True)
    if call.body.get("slug", team["slug"]) != team["slug"]:
        call.platform.require_free_slug(call.body["slug"])
    return Answer(content=call.shown("teams", call.platform.changed("teams", team, call.body)))


@operation("DELETE /teams/{teamIdOrSlug}")
def delete_team(call: Call) -> Answer:
    team = _team(call, write=True)
    call.platform.remove_team(team)
    return call.deleted({"teamId": team["id"]})


def _team(call: Call, *, write: bool) -> Row:
    team = call.find_team(call.path["teamIdOrSlug"])
    call.require_access(team["id"], write=write)
    return team
