# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams (§4), and the team resource (§2)."""

from __future__ import annotations

import pytest

from hosting_platform_emulator.state.specification import ROLES
from support import DEV_EMAIL, Api, forbidden


def test_list_shows_the_teams_of_the_caller(api: Api, dev: Api) -> None:
    api.new_team("first")
    api.new_team("second")
    dev.new_team("theirs")
    assert api.names("/teams") == ["second", "first"]
    assert dev.names("/teams") == ["theirs"]


def test_update(api: Api) -> None:
    before = api.new_team("acme", name="Acme")
    assert (before["slug"], before["name"]) == ("acme", "Acme")
    body = {"name": "Acme Ltd", "slug": "acme-ltd", "description": "Makers", "emailDomain": "acme.example"}
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
    state, scope = api.control.state(), {"teamId": "acme"}
    reads = [dev.get(path, params=scope) for path in ("/projects", "/projects/web/domains", "/domains", "/aliases")]
    reads.append(dev.get("/teams/acme"))
    invitation = dev.post("/teams/acme/members", json={"email": "new@example.com", "role": "MEMBER"})
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
    for answers, allowed in ((reads, role is not None), ([invitation], role == "OWNER"), (writes, may_write)):
        for answer in answers:
            if allowed:
                assert answer.is_success, answer.request
            else:
                forbidden(answer)
    assert may_write or api.control.state() == state
