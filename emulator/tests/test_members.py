# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Invitations and joining (§4 Teams), and the team member (§2)."""

from __future__ import annotations

from hosting_platform_emulator.state.specification import ROLES
from support import DEV_EMAIL, Api, forbidden, refused

INVITATION = {"email": DEV_EMAIL, "role": "DEVELOPER"}


def test_invitation_returns_a_team_member(api: Api, dev: Api) -> None:
    team = api.new_team("acme")
    member = api.post(f"/teams/{team['id']}/members", json=INVITATION).json()
    assert (member["email"], member["teamId"]) == (DEV_EMAIL, team["id"])
    assert dev.get("/teams/acme").json() == team, "a user is a member at once"


def test_every_role_has_an_id_of_its_own(api: Api) -> None:
    api.new_team("acme")
    role_ids = [
        api.post("/teams/acme/members", json={"email": f"{role}@example.com", "role": role}).json()["roleId"]
        for role in ROLES
    ]
    assert len(set(role_ids)) == len(ROLES) == 6


def test_user_by_email_or_by_id_which_takes_priority(api: Api, dev: Api) -> None:
    api.new_team("acme")
    uid = dev.get("/user").json()["id"]
    member = api.post("/teams/acme/members", json={"uid": uid, "email": "x@example.com", "role": "MEMBER"}).json()
    assert member["email"] == DEV_EMAIL
    refused(api.post("/teams/acme/members", json={"uid": "nobody", "role": "MEMBER"}), 400, "uid")
    refused(api.post("/teams/acme/members", json={"role": "MEMBER"}), 400, "email")


def test_joining_takes_up_a_waiting_invitation(api: Api) -> None:
    team = api.new_team("acme")
    api.post("/teams/acme/members", json={"email": "late@example.com", "role": "VIEWER"})
    api.control.seed(users=[{"email": "late@example.com", "token": "token-of-the-late-one"}])
    late = api.as_user("token-of-the-late-one")
    forbidden(late.get("/teams/acme"))
    assert late.get("/teams/acme/join").json() == team
    forbidden(late.patch("/teams/acme", json={"name": "x"}))
    assert late.get("/teams/acme").json() == team


def test_joining_twice_changes_nothing(api: Api, dev: Api) -> None:
    api.new_team("acme")
    assert dev.get("/teams/acme/join").is_success
    before = api.control.state()["members"]
    assert dev.get("/teams/acme/join").is_success
    assert api.control.state()["members"] == before
