# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers about teams: refused invitations that are none, and objects that land in another team."""

from dataclasses import replace

import pytest
from client import run_module
from stub_server import (
    ReceivedRequest,
    StubResponse,
    forward,
    json_response,
    list_response,
    stub_server,
)

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import (
    TeamMember,
)

TEAMS = [
    {"id": "team_acme", "slug": "acme", "createdAt": 1},
    {"id": "team_other", "slug": "other", "createdAt": 2},
]
# Why an invitation was refused, and whether it is there then.
REFUSALS = {
    "User is already a member of this team": True,
    "A pending invitation already exists for this email": True,
    "dev@example.com has already joined": True,
    "User already belongs to team acme": True,
    "The `email` or `uid` is invalid: this user already is a member of the team"
    " (dev@example.com).": True,
    "This user is a member of the team already.": True,
    "Membership already exists": True,
    "An invitation has already been sent to dev@example.com.": True,
    "ALREADY INVITED": True,
    "User has already accepted the invitation.": True,
    "The member already exists.": True,
    "Members cannot be invited again: dev@example.com is already on the team.": True,
    "User is already part of this team.": True,
    "User already assigned to the team": True,
    "User was already added.": True,
    "Invite already pending": True,
    "This collaborator is already present.": True,
    "dev@example.com already in team.": True,
    "already_member": True,
    "ALREADY_INVITED": True,
    "MEMBER_LIMIT_ALREADY_REACHED": False,
    "The email is already taken.": False,
    "Remember that this is already uninvited.": False,
    "The team has already all of its members: it is full.": False,
    "The role already expired.": False,
    "An invitation of another user has already been sent": False,
    "The email is already used by another account": False,
    "Invalid value: role": False,
    "The member limit of this team is already reached.": False,
    "role: this member seat is already taken": False,
    "The email is already invited to another team": False,
    "The user is already a member of a different team": False,
}


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(("message", "is_there"), REFUSALS.items())
def test_invitation_of_a_member_is_unchanged_and_other_errors_fail(message, is_there, status):
    refusal = json_response({"code": status, "message": message}, status)
    with stub_server(list_response(teams=TEAMS), refusal) as server:
        if not is_there:
            with pytest.raises(ApiError):
                run_module(TeamMember, server.base_url, team="acme", email="a@example.com")
            return
        result = run_module(TeamMember, server.base_url, team="acme", email="a@example.com")
    assert result["changed"] is False
    assert any(warning.endswith(message) for warning in result["warnings"])


@pytest.mark.parametrize("status", [403, 404, 500])
def test_a_failure_that_speaks_of_a_member_is_a_failure(status):
    refusal = json_response({"code": status, "message": "already a member"}, status)
    with stub_server(list_response(teams=TEAMS), refusal) as server, pytest.raises(ApiError):
        run_module(TeamMember, server.base_url, team="acme", email="a@example.com")


def test_a_creation_that_lands_in_another_team_fails(emulator):
    emulator.seed(teams=TEAMS)

    def reply(request: ReceivedRequest) -> StubResponse:
        return forward(
            emulator, replace(request, body=request.body.replace(b"team_acme", b"team_other"))
        )

    with (
        stub_server(reply) as server,
        pytest.raises(PlatformError, match="into the team") as raised,
    ):
        run_module(Project, server.base_url, name="web", team="acme")
    assert raised.value.result["changed"] is True
    assert raised.value.result["project"]["team_id"] == "team_other"
