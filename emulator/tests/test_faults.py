# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned misbehaviour: each fault, when it strikes, and how often."""

import json
import re

import httpx
import pytest

from hosting_platform_emulator.serving.fault_answers import FAULTS
from support import Api

CREATE = "POST /projects"
ELSEWHERE = "https://elsewhere.example/x"
ERROR = r'\{"code": %d, "message": "[^"]+"\}'
PAGE = "<!DOCTYPE html>.+"
# The status, media type and body of the faults that are answers like others.
ANSWERS = {
    **{
        str(status): (status, "application/json", ERROR % status)
        for status in (400, 404, 409, 410, 422, 423)
    },
    "401": (401, "text/plain", ""),
    "403": (403, "text/plain", ".+"),
    "429": (429, "application/json", ERROR % 429),
    "500": (500, "application/json", ERROR % 500),
    "502": (502, "text/html", PAGE),
    "503": (503, "text/html", PAGE),
    "504": (504, "text/html", PAGE),
    "html": (200, "text/html", PAGE),
    "empty": (200, "application/json", ""),
    "redirect": (302, "", ""),
    "slow": (200, "application/json", r'\{"id":"prj_.+","name":"web",.+'),
}


@pytest.fixture(params=["before", "after"])
def when(request: pytest.FixtureRequest) -> str:
    value: str = request.param
    return value


def create(api: Api, fault: str, when: str, **options: object) -> httpx.Response:
    """A creation under a fault; `before` it was not processed, `after` it was."""
    api.control.fault(CREATE, fault, when=when, **options)
    try:
        return api.post("/projects", json={"name": "web"})
    finally:
        assert api.names("/projects") == (["web"] if when == "after" or fault == "slow" else [])


@pytest.mark.parametrize("fault", ANSWERS)
def test_answers(api: Api, when: str, fault: str) -> None:
    status, media_type, body = ANSWERS[fault]
    answer = create(api, fault, when, location=ELSEWHERE)
    assert answer.status_code == status
    assert answer.headers.get("content-type", "").startswith(media_type)
    assert re.fullmatch(body, answer.text)
    assert "retry-after" not in answer.headers
    assert answer.headers.get("location") == (ELSEWHERE if fault == "redirect" else None)


@pytest.mark.parametrize("seconds", ["3", "1.5"])
@pytest.mark.parametrize(
    "fault",
    ["400", "401", "403", "404", "409", "410", "422", "423", "429", "500", "502", "503", "504"],
)
def test_retry_after(api: Api, fault: str, seconds: str) -> None:
    assert create(api, fault, "before", retry_after=seconds).headers["retry-after"] == seconds


def test_reset(api: Api, when: str) -> None:
    """A connection that was closed and not reset would be a RemoteProtocolError."""
    with pytest.raises(httpx.ReadError):
        create(api, "reset", when)
    (entry,) = [entry for entry in api.control.requests() if entry["operation"] == CREATE]
    assert entry["status"] is None


def test_slow_is_processed_before_or_after_the_delay(api: Api, when: str) -> None:
    api.control.fault(CREATE, "slow", when=when, delay=0.4)
    with pytest.raises(httpx.ReadTimeout):
        api.post("/projects", json={"name": "web"}, timeout=0.1)
    assert api.names("/projects") == (["web"] if when == "after" else [])
    while api.control.requests()[0]["status"] is None:
        assert api.control.requests()[0]["operation"] == CREATE
    assert api.names("/projects") == ["web"], "a client that gave up does not stop the platform"


def test_truncated_json(api: Api, when: str) -> None:
    answer = create(api, "truncated", when)
    assert answer.status_code == 200
    assert int(answer.headers["content-length"]) == len(answer.content) > 0
    assert answer.text.startswith('{"id":"prj_')
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def test_short_body(api: Api, when: str) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        create(api, "short", when)


RENAME = {"request": "PATCH /projects/shop?teamId=acme", "body": {"name": "storefront"}}


@pytest.fixture
def shop(api: Api) -> Api:
    """The team acme with the project shop."""
    api.control.seed(teams=[{"slug": "acme"}], projects=[{"name": "shop", "team": "acme"}])
    return api


def test_somebody_else_acts_between_two_requests(shop: Api) -> None:
    """Right before a request is processed, or right after; the answer is genuine."""
    shop.control.fault("GET /projects", "concurrent", skip=1, **RENAME)
    shop.control.fault("GET /user", "concurrent", when="after", request="DELETE /teams/acme")
    seen = [shop.names("/projects", teamId="acme") for _ in range(3)]
    assert seen == [["shop"], ["storefront"], ["storefront"]]
    log = shop.control.requests()
    assert [entry["operation"] for entry in log] == ["GET /projects"] * 3
    assert shop.names("/teams") == ["acme"]
    assert shop.get("/user").json()["email"] == "owner@example.com"
    assert shop.names("/teams") == []
    assert [fault["status"] for fault in shop.get("/_emulator/faults").json()] == [200, 200]


def test_a_refused_action_of_somebody_else_changes_nothing(shop: Api) -> None:
    shop.control.fault("*", "concurrent", count=2, **RENAME)
    assert shop.delete("/projects/storefront", params={"teamId": "acme"}).is_success
    assert shop.get("/user").is_success
    (fault,) = shop.get("/_emulator/faults").json()
    assert fault["status"] == 404
    assert shop.control.state()["projects"] == []
    shop.control.restore(shop.control.snapshot())
    assert shop.get("/_emulator/faults").json() == [fault]


def test_somebody_else_acts_with_a_token_that_the_request_lacks(shop: Api) -> None:
    shop.control.fault("GET /user", "concurrent", **RENAME)
    assert shop.as_user(None).get("/user").status_code == 401
    assert shop.names("/projects", teamId="acme") == ["storefront"]


def test_every_fault_has_a_test() -> None:
    assert set(FAULTS) == {*ANSWERS, "reset", "truncated", "short", "concurrent"}


@pytest.mark.parametrize(
    ("plan", "statuses"),
    [
        ({"count": 2}, [500, 500, 200]),
        ({"skip": 2}, [200, 200, 500, 200]),
        ({"probability": 1, "count": 1}, [500, 200]),
    ],
)
def test_a_fault_strikes_as_often_as_planned(
    api: Api, plan: dict[str, int], statuses: list[int]
) -> None:
    api.control.fault("GET /user", "500", **plan)
    assert [api.get("/user").status_code for _ in statuses] == statuses
    assert [fault["remaining"] for fault in api.get("/_emulator/faults").json()] == [0]


def test_a_fault_hits_requests_of_its_operation_and_none_of_control(api: Api) -> None:
    """Those of its operation, or all but control's; the first one planned goes first."""
    api.control.fault("GET /user", "500")
    api.control.fault("*", "503", skip=1, count=2)
    paths = ("/projects", "/user", "/user", "/nothing", "/user")
    assert [api.get(path).status_code for path in paths] == [200, 500, 503, 503, 200]
    api.control.fault("*", "503", count=100)
    assert api.control.state()["users"]


def test_a_token_is_revoked_after_some_requests(api: Api) -> None:
    api.control.fault("*", "401", skip=2, count=None)
    paths = ("/projects", "/user", "/user", "/projects", "/teams", "/user")
    assert [api.get(path).status_code for path in paths] == [200, 200, 401, 401, 401, 401]
    assert api.control.state()["users"], "control has no token"


def test_creations_fail_at_random_by_kind(api: Api) -> None:
    """The same ones in each such run, and no other request."""
    runs: list[list[str]] = []
    for _ in range(2):
        assert api.post("/_emulator/reset").is_success
        api.control.fault(CREATE, "500", probability=0.5, seed=7)
        for number in range(20):
            assert api.post("/projects", json={"name": f"p{number}"}).status_code in (200, 500)
            assert api.post("/teams", json={"slug": f"team{number}"}).is_success
        runs.append([project["name"] for project in api.control.state()["projects"]])
    assert runs[0] == runs[1]
    assert 1 < len(runs[0]) < 20


def test_seeded_probability(api: Api) -> None:
    def outcomes(seed: int) -> list[int]:
        api.delete("/_emulator/faults")
        api.control.fault("GET /user", "500", probability=0.5, seed=seed)
        return [api.get("/user").status_code for _ in range(40)]

    first = outcomes(1)
    assert outcomes(1) == first
    assert outcomes(2) != first
    assert 1 < first.count(500) < 40, "for ever, as no count is given"
