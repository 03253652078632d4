# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The control API: state, seeds, resets, the request log; and that no web page of elsewhere
controls an emulator.
"""

from typing import Any

import pytest

from support import DEV_EMAIL, DEV_TOKEN, OWNER_EMAIL, Api, assert_refused, pairs, running

KINDS = ["users", "teams", "members", "projects", "project_domains", "aliases", "domains"]
SEED: dict[str, list[dict[str, Any]]] = {
    "users": [
        {"id": "usr_x", "email": DEV_EMAIL, "username": "dev", "name": "Dev", "token": DEV_TOKEN}
    ],
    "teams": [
        {
            "id": "team_x",
            "slug": "acme",
            "name": "Acme",
            "owner": DEV_EMAIL,
            "members": [
                {"email": OWNER_EMAIL, "role": "VIEWER"},
                {"email": "x@example.com", "role": "BILLING"},
            ],
        }
    ],
    "domains": [{"id": "dom_x", "name": "example.com", "team": "acme", "expiresAt": 5}],
    "projects": [
        {"id": "prj_x", "name": "web", "team": "team_x", "framework": "vite", "createdAt": 1000}
    ],
    "aliases": [
        {"id": 5001, "alias": "www.example.com", "project": "web", "team": "acme", "target": "t"}
    ],
    "project_domains": [
        {"alias": "x.example.com", "project": "prj_x", "team": "acme", "verified": False}
    ],
}


def test_seed_returns_what_it_created(api: Api) -> None:
    created = api.control.seed(SEED)
    assert list(created) == ["users", "teams", "domains", "projects", "aliases", "project_domains"]
    ids = [item["id"] for (item,) in created.values()]
    assert ids[:5] == ["usr_x", "team_x", "dom_x", "prj_x", 5001]
    state = api.control.state()
    assert all(item in state[kind] for kind, item in pairs(created))
    assert {(member["email"], member["role"]) for member in state["members"]} == {
        *((DEV_EMAIL, "OWNER"), (OWNER_EMAIL, "VIEWER"), ("x@example.com", "BILLING"))
    }
    (alias,) = created["aliases"]
    assert (alias["target"], alias["domain"]) == ("t", "example.com")
    assert created["project_domains"][0]["verified"] is False
    assert api.as_user(DEV_TOKEN).names("/projects", teamId="acme") == ["web"]


def test_reset_forgets_everything_but_the_owner(api: Api, dev: Api) -> None:
    api.control.seed(
        teams=[{"slug": "acme"}], projects=[{"name": "web"}], domains=[{"name": "example.com"}]
    )
    api.post("/auth/signin", json={"email": "x@example.com", "tokenName": "x"})
    api.control.fault("*", "500", skip=99)
    api.control.switch(not_found=403)
    owner, user = api.control.state()["users"]
    api.post("/_emulator/reset", json={"keep_switches": True})
    assert api.get("/_emulator/switches").json()["not_found"] == 403
    api.post("/_emulator/reset")
    state = api.control.state()
    assert [len(state[kind]) for kind in KINDS] == [1, 0, 0, 0, 0, 0, 0]
    assert [api.get(f"/_emulator/{path}").json() for path in ("requests", "faults", "outbox")] == [
        [],
        [],
        [],
    ]
    assert api.get("/_emulator/switches").json()["not_found"] == 404
    assert api.get("/user").is_success
    assert state["users"] == [owner]
    api.control.seed(users=[{"email": DEV_EMAIL, "id": user["id"]}])
    assert dev.get("/user").status_code == 401, "tokens end for good"


def test_log_shows_each_request(api: Api) -> None:
    api.new_project("a/b")
    before = api.control.requests()[-1]["number"]
    api.patch(
        "/projects/a%2Fb",
        params={"teamId": "x"},
        json={"framework": "vite"},
        headers={"User-Agent": "me/1"},
    )
    entry = api.control.requests()[-1]
    connection, number, moment = (entry.pop(name) for name in ("connection", "number", "time"))
    assert isinstance(connection, int)
    assert moment <= api.get("/_emulator/clock").json()["now"]
    assert number == before + 1, "control requests are not counted"
    assert entry == {
        "operation": "PATCH /projects/{idOrName}",
        "method": "PATCH",
        "path": "/projects/a%2Fb",
        "query": {"teamId": "x"},
        "body": {"framework": "vite"},
        "status": 400,
        "authorization": "valid",
        "user_agent": "me/1",
    }


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "localhost.", "[::1]"])
@pytest.mark.parametrize("port", ["", ":8080"])
def test_a_host_of_this_machine_is_served(api: Api, host: str, port: str) -> None:
    assert api.post("/_emulator/reset", headers={"Host": host + port}).is_success


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "192.0.2.1",
        "localhost:1:2",
        "localhost/x",
        "",
        "[::2]",
    ],
)
@pytest.mark.parametrize(
    "request_line", ["POST /reset", "GET /state", "GET /", "GET /confirm/x", "GET /nothing"]
)
def test_another_host_is_refused(api: Api, host: str, request_line: str) -> None:
    """A name that somebody lets point here: DNS rebinding."""
    api.new_project("web")
    assert_refused(
        api.ask(request_line.replace("/", "/_emulator/", 1), headers={"Host": host}), 403, "Host"
    )
    assert api.names("/projects") == ["web"]
    assert api.get("/user", headers={"Host": host}).is_success, (
        "the API itself asks for a token instead"
    )


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "file://", "", "x"],
)
def test_a_foreign_origin_is_refused(api: Api, origin: str) -> None:
    """A page of elsewhere that has a browser on this machine send a request."""
    api.new_project("web")
    headers = {"Origin": origin, "Content-Type": "text/plain"}
    assert_refused(api.post("/_emulator/reset", headers=headers), 403, "Origin")
    assert api.names("/projects") == ["web"]


@pytest.mark.parametrize(
    ("options", "hosts"),
    [
        (
            "--allow-host emulator --allow-host Other.Example",
            ["emulator:8080", "other.example", "localhost"],
        ),
        ("--host 0.0.0.0", ["192.0.2.1:8080", "[2001:db8::1]", "0.0.0.0", "localhost"]),
    ],
    ids=["names that are allowed", "any address where it listens everywhere"],
)
def test_other_hosts_are_served_where_an_option_says_so(options: str, hosts: list[str]) -> None:
    with running(*options.split()) as base_url, Api(base_url) as api:
        for host in hosts:
            assert api.get("/_emulator/state", headers={"Host": host}).is_success
        assert_refused(
            api.get("/_emulator/state", headers={"Host": "evil.example"}), 403, "--allow-host"
        )


def test_defaults_come_back(api: Api) -> None:
    before = api.get("/_emulator/switches").json()
    given = {
        "not_found": "400",
        "limit_cap": "5",
        "extra_fields": "true",
        "duplicate_names": "allowed",
    }
    values = {"not_found": 400, "limit_cap": 5, "extra_fields": True, "duplicate_names": "allowed"}
    assert api.control.switch(given) == {**before, **values}, "numbers and truth values may be text"
    assert api.delete("/_emulator/switches").json() == before
