# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams, invitations and joining (§4 Teams)."""

from ...checks import Text
from ...errors import Invalid, Refusal
from ...state.resources import remove_domain
from ...state.store import Condition, Row
from ..call import Answer, Call
from ..operation import operation


@operation("POST /teams")
def create_team(call: Call) -> Answer:
    fields = call.named_body(slug="teams")
    team = call.platform.add_team(call.caller, fields.pop("slug"), **fields)
    return call.answer_creation("teams", team)


@operation("GET /teams")
def list_teams(call: Call) -> Answer:
    own_teams = Condition(
        "id IN (SELECT teamId FROM members WHERE userId = ?)", (call.caller["id"],)
    )
    return call.answer_list("teams", own_teams)


@operation("GET /teams/{teamIdOrSlug}")
def get_team(call: Call) -> Answer:
    return Answer(content=call.record("teams", _team(call, write=False)))


@operation("PATCH /teams/{teamIdOrSlug}")
def update_team(call: Call) -> Answer:
    team = _team(call, write=True)
    call.require_ready(team["id"])
    changes = call.changes(slug="teams")
    if changes.get("slug", team["slug"]) != team["slug"]:
        call.platform.require_free_slug(changes["slug"], team["id"])
    changed = call.platform.patch("teams", team, changes)
    return call.answer_patch("teams", team, changed)


@operation("DELETE /teams/{teamIdOrSlug}")
def delete_team(call: Call) -> Answer:
    team = _team(call, write=True)
    for domain in call.platform.store.all("SELECT * FROM domains WHERE teamId = ?", (team["id"],)):
        remove_domain(call.platform, domain)
    call.platform.remove_team(team)
    return call.answer_deletion({"teamId": team["id"]})


def _team(call: Call, *, write: bool) -> Row:
    team = call.find_team(call.path["teamIdOrSlug"])
    call.require_access(team["id"], write=write)
    return team


@operation("POST /teams/{teamId}/members")
def invite(call: Call) -> Answer:
    """Only an OWNER may invite. A user becomes a member immediately; an email without a user stays
    pending.
    """
    team = call.find_team(call.path["teamId"])
    if call.platform.role(team["id"], call.caller["id"]) != "OWNER":
        raise Refusal("Only an OWNER of this team may invite.", 403)
    call.require_ready(team["id"])
    email = _invited_email(call)
    member = _member(call, team, email)
    if member is None:
        member = call.platform.add_member(team["id"], email, call.body["role"], call.caller)
        return call.answer_creation("members", member)
    status = call.switches["repeated_invitation"]
    if status == 200:
        return Answer(content=call.record("members", member))
    raise Refusal(
        f"The `email` or `uid` is invalid: this user already is a member of the team ({email}).",
        status,
    )


@operation(
    "GET /teams/{teamId}/join", query=lambda _, switches: {switches["join_parameter"]: Text()}
)
def join(call: Call) -> Answer:
    """Join with the invite code, or by the team's id or slug alone if the switch allows it."""
    team = call.find_team(call.path["teamId"])
    parameter = call.switches["join_parameter"]
    code = call.query.get(parameter)
    if code is None and not call.switches["join_by_team_id"]:
        raise Invalid(parameter, "is required in the query")
    if code is not None and code != team["inviteCode"]:
        raise Invalid(parameter, "is not the invite code of this team")
    call.require_ready(team["id"])
    member = _member(call, team, call.caller["email"])
    if member is None:
        call.platform.add_member(team["id"], call.caller["email"], "MEMBER", call.caller)
    elif member["userId"] is None:
        call.platform.store.update("members", member, {"userId": call.caller["id"]})
    return Answer(content=call.record("teams", team))


def _invited_email(call: Call) -> str:
    """The invitee's email address; `uid` takes priority over `email`."""
    if "uid" in call.body:
        user = call.platform.store.one("SELECT * FROM users WHERE id = ?", (call.body["uid"],))
        if user is None:
            raise Invalid("uid", "is no user's id")
        return str(user["email"])
    if "email" not in call.body:
        raise Invalid("email", "or `uid` is required in the body")
    return str(call.body["email"])


def _member(call: Call, team: Row, email: str) -> Row | None:
    return call.platform.store.one(
        "SELECT * FROM members WHERE teamId = ? AND email = ?", (team["id"], email)
    )
