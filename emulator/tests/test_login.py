# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Authentication, the login flow by email, and the authenticated user (§2, §4, §5)."""

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import OWNER_EMAIL, OWNER_TOKEN, Api, assert_refused, under

REQUEST = {"email": "new@example.com", "tokenName": "laptop"}


@pytest.fixture
def stranger(api: Api) -> Api:
    return api.as_user(None)


def sign_in(stranger: Api) -> dict[str, str]:
    token: str = stranger.post("/auth/signin", json=REQUEST).json()["token"]
    return {"email": REQUEST["email"], "token": token}


def click(api: Api) -> None:
    (mail,) = api.get("/_emulator/outbox").json()
    assert api.get(mail["link"]).is_success


def test_sign_in_returns_a_verification_token_and_sends_a_mail(api: Api, stranger: Api) -> None:
    answer = stranger.post("/auth/signin", json=REQUEST).json()
    assert list(answer) == ["token", "securityCode"]
    (mail,) = api.get("/_emulator/outbox").json()
    assert list(mail) == ["number", "to", "subject", "text", "link", "clicked"]
    assert (mail["to"], mail["clicked"]) == ("new@example.com", False)
    assert answer["securityCode"] in mail["text"]
    assert answer["token"] not in str(mail)


def test_a_login_is_verified_once_it_is_confirmed(api: Api, stranger: Api) -> None:
    query = sign_in(stranger)
    assert_refused(stranger.get("/auth/verify", params=query), 400, "not confirmed yet")
    assert stranger.as_user(query["token"]).get("/user").status_code == 401, (
        "it is no authentication token"
    )
    click(api)
    assert api.get("/_emulator/outbox").json()[0]["clicked"] is True
    for wrong in ({"email": OWNER_EMAIL}, {"token": "unknown"}):
        assert_refused(stranger.get("/auth/verify", params={**query, **wrong}), 400, "token")
    result = stranger.get("/auth/verify", params=query).json()
    assert list(result) == ["token", "email", "teamId"]
    assert result["email"] == "new@example.com"
    user = stranger.as_user(result["token"])
    assert user.get("/user").json()["email"] == "new@example.com"
    assert user.new_project("web")["teamId"] == result["teamId"]
    assert_refused(stranger.get("/auth/verify", params=query), 400, "no open verification token")
    shown = "".join(api.get(f"/_emulator/{path}").text for path in ("state", "requests", "outbox"))
    assert query["token"] not in shown
    assert result["token"] not in shown
    assert api.control.requests()[-1]["query"] == {"email": "new@example.com", "token": "(hidden)"}


@pytest.mark.parametrize(
    "name", [name for name, operation in OPERATIONS.items() if operation.described.needs_bearer]
)
@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer wrong",
        f"Basic {OWNER_TOKEN}",
        OWNER_TOKEN,
        f"Bearer {OWNER_TOKEN}x",
    ],
)
def test_every_operation_needs_a_valid_bearer(api: Api, name: str, header: str | None) -> None:
    answer = api.as_user(None).ask(
        name, headers={"Authorization": header} if header is not None else {}
    )
    assert (answer.status_code, answer.content) == (401, b"")
    entry = api.control.requests()[-1]
    assert (entry["operation"], entry["status"]) == (name, 401)
    assert entry["authorization"] == ("none" if header is None else "invalid")


@under("login_requires_bearer")
def test_login_requires_bearer(api: Api, switched: bool) -> None:
    body = {"email": "new@example.com", "tokenName": "x"}
    for token in (None, "wrong", OWNER_TOKEN):
        is_refused = switched and token != OWNER_TOKEN
        caller = api.as_user(token)
        assert caller.post("/auth/signin", json=body).status_code == (401 if is_refused else 200)
        answer = caller.get("/auth/verify", params={"email": "x", "token": "y"})
        assert answer.status_code == (401 if is_refused else 400)
