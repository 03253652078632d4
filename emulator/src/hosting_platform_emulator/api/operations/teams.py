# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams (§4)."""

from __future__ import annotations

from ...checks import PAGING, Checks, Text
from ...state.specification import TEAM_DESCRIPTION_LENGTH, TEAM_NAME_LENGTH, TEAM_PATH_MINIMUM
from ...state.store import Row
from ..call import Answer, Call
from ..operation import operation
from ..paging import Selection

_CREATION: Checks = {"slug": Text(required=True, minimum=1), "name": Text()}
_CHANGE: Checks = {
    "description": Text(maximum=TEAM_DESCRIPTION_LENGTH),
    "emailDomain": Text(),
    "name": Text(maximum=TEAM_NAME_LENGTH),
    "slug": Text(minimum=1),
}


@operation("POST /teams", body=_CREATION)
def create_team(call: Call) -> Answer:
    fields = dict(call.body)
    return call.created("teams", call.platform.add_team(call.caller, fields.pop("slug"), **fields))


@operation("GET /teams", query=PAGING)
def list_teams(call: Call) -> Answer:
    where = "id IN (SELECT teamId FROM members WHERE userId = ?)"
    return call.listed("teams", Selection("teams", where, (call.caller["id"],)))


@operation("GET /teams/{teamIdOrSlug}", path_minimum=TEAM_PATH_MINIMUM)
def get_team(call: Call) -> Answer:
    return Answer(content=call.shown("teams", _team(call, write=False)))


@operation("PATCH /teams/{teamIdOrSlug}", body=_CHANGE, path_minimum=TEAM_PATH_MINIMUM)
def update_team(call: Call) -> Answer:
    team = _team(call, write=True)
    if call.body.get("slug", team["slug"]) != team["slug"]:
        call.platform.require_free_slug(call.body["slug"])
    return Answer(content=call.shown("teams", call.platform.changed("teams", team, call.body)))


@operation("DELETE /teams/{teamIdOrSlug}", path_minimum=TEAM_PATH_MINIMUM)
def delete_team(call: Call) -> Answer:
    team = _team(call, write=True)
    call.platform.remove_team(team)
    return call.deleted({"teamId": team["id"]})


def _team(call: Call, *, write: bool) -> Row:
    team = call.find_team(call.path["teamIdOrSlug"])
    call.require_access(team["id"], write=write)
    return team
