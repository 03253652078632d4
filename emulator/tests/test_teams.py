# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams and their members (§4 Teams), and both resources (§2)."""

import pytest

from hosting_platform_emulator.description import ROLES
from support import DEV_EMAIL, Api, assert_forbidden, assert_refused, under


def test_update(api: Api) -> None:
    before = api.new_team("acme", name="Acme")
    assert (before["slug"], before["name"]) == ("acme", "Acme")
    body = {
        "name": "Acme Ltd",
        "slug": "acme-ltd",
        "description": "Makers",
        "emailDomain": "acme.example",
    }
    after = api.patch("/teams/acme", json=body).json()
    assert after.keys() == before.keys(), "description and emailDomain are input only"
    assert (after["id"], after["name"], after["slug"]) == (before["id"], "Acme Ltd", "acme-ltd")
    (stored,) = api.control.state()["teams"]
    assert (stored["description"], stored["emailDomain"]) == ("Makers", "acme.example")
    assert api.get("/teams/acme").status_code == 404


@pytest.mark.parametrize("role", [None, *ROLES])
def test_members_read_most_write_and_owners_invite(api: Api, dev: Api, role: str | None) -> None:
    api.control.seed(
        teams=[{"slug": "acme", "members": [{"email": DEV_EMAIL, "role": role}] if role else []}],
        projects=[{"name": "web", "team": "acme"}],
        domains=[{"name": "example.com", "team": "acme"}],
    )
    state = api.control.state()
    scope = {"teamId": "acme"}
    reads = [
        dev.get(path, params=scope)
        for path in ("/projects", "/projects/web/domains", "/domains", "/aliases")
    ]
    reads.append(dev.get("/teams/acme"))
    invitation = dev.post(
        "/teams/acme/members", json={"email": "new@example.com", "role": "MEMBER"}
    )
    writes = [
        dev.post("/projects", json={"name": "new", "teamId": state["teams"][0]["id"]}),
        dev.patch("/projects/web", params=scope, json={"framework": "vite"}),
        dev.post("/web/alias", params=scope, json={"alias": "x.example.com"}),
        dev.delete(f"/aliases/{state['aliases'][0]['id']}", params=scope),
        dev.delete("/domains/example.com", params=scope),
        dev.delete("/projects/web", params=scope),
        dev.patch("/teams/acme", json={"name": "x"}),
        dev.delete("/teams/acme"),
    ]
    may_write = role not in (None, "BILLING", "VIEWER")
    for answers, allowed in (
        (reads, role is not None),
        ([invitation], role == "OWNER"),
        (writes, may_write),
    ):
        for answer in answers:
            if allowed:
                assert answer.is_success, answer.request
            else:
                assert_forbidden(answer)
    assert may_write or api.control.state() == state


def test_every_role_has_an_id_of_its_own(api: Api) -> None:
    api.new_team("acme")
    role_ids = [
        api.post("/teams/acme/members", json={"email": f"{role}@example.com", "role": role}).json()[
            "roleId"
        ]
        for role in ROLES
    ]
    assert len(set(role_ids)) == len(ROLES) == 6


def test_user_by_email_or_by_id_which_takes_priority(api: Api, dev: Api) -> None:
    api.new_team("acme")
    uid = dev.get("/user").json()["id"]
    member = api.post(
        "/teams/acme/members", json={"uid": uid, "email": "x@example.com", "role": "MEMBER"}
    ).json()
    assert member["email"] == DEV_EMAIL
    assert_refused(
        api.post("/teams/acme/members", json={"uid": "nobody", "role": "MEMBER"}), 400, "uid"
    )
    assert_refused(api.post("/teams/acme/members", json={"role": "MEMBER"}), 400, "email")


def test_joining_twice_changes_nothing(api: Api, dev: Api) -> None:
    api.new_team("acme")
    assert dev.get("/teams/acme/join").is_success
    before = api.control.state()["members"]
    assert dev.get("/teams/acme/join").is_success
    assert api.control.state()["members"] == before


@under("repeated_invitation")
def test_repeated_invitation(api: Api, switched: int) -> None:
    api.control.seed(
        teams=[
            {"slug": "acme", "members": [{"email": DEV_EMAIL, "role": "VIEWER", "createdAt": 1000}]}
        ]
    )
    answer = api.post("/teams/acme/members", json={"email": DEV_EMAIL, "role": "OWNER"})
    if switched == 200:
        assert (answer.json()["createdAt"], answer.json()["email"]) == (1000, DEV_EMAIL)
    else:
        assert_refused(answer, switched, "already is a member of the team")
    assert [member["role"] for member in api.control.state()["members"]] == ["OWNER", "VIEWER"]


@under("join_parameter", "code")
def test_join_parameter(api: Api, dev: Api, switched: str) -> None:
    (team,) = api.control.seed(teams=[{"slug": "acme", "inviteCode": "letmein"}])["teams"]
    path = f"/teams/{team['id']}/join"
    other = "code" if switched == "inviteCode" else "inviteCode"
    for field, value in ((other, "letmein"), (switched, "guess")):
        assert_refused(dev.get(path, params={field: value}), 400, field)
    assert dev.names("/teams") == []
    assert dev.get(path, params={switched: "letmein"}).json()["slug"] == "acme"
    assert dev.names("/teams") == ["acme"]


@under("join_by_team_id")
def test_join_by_team_id(api: Api, dev: Api, switched: bool) -> None:
    team = api.new_team("acme")
    answer = dev.get(f"/teams/{team['id']}/join")
    if switched:
        assert answer.json() == team
    else:
        assert_refused(answer, 400, "inviteCode")
        assert len(api.control.state()["members"]) == 1
