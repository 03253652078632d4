# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The request log: what a line says, what never stands in one, and where nothing is written."""

import contextlib
import datetime
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from client import ManualClock, make_api, make_client
from hypothesis import example, given
from hypothesis import strategies as st
from sampling import examples
from stub_server import StubResponse, json_response, stub_server, text_response

from ansible_collections.hosting.platform.plugins.module_utils._api.http import Request
from ansible_collections.hosting.platform.plugins.module_utils._api.request_log import RequestLog
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    InvalidOption,
    PlatformError,
)

KEYS = ["time", "operation", "path", "status", "attempt", "waited", "seconds", "error"]
USER = json_response({"id": "usr_1"})


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "requests.jsonl"


def test_a_line_tells_one_request(log):
    with stub_server(USER) as server:
        make_api(f"{server.base_url}/base", request_log=str(log)).get_user()
    (line,) = lines_of(log)
    assert list(line) == KEYS
    expected = {
        "operation": "GET /user",
        "path": "/base/user",
        "status": 200,
        "attempt": 1,
        "waited": 0,
        "error": None,
    }
    assert expected.items() <= line.items()
    assert isinstance(line["seconds"], float)
    sent = datetime.datetime.strptime(line["time"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(
        tzinfo=datetime.UTC
    )
    assert len(line["time"]) == len("2026-01-01T00:00:00.000Z")
    assert abs((datetime.datetime.now(datetime.UTC) - sent).total_seconds()) < 60
    assert log.stat().st_mode & 0o777 == 0o600


def test_each_try_has_a_line_and_says_how_long_it_waited(log):
    throttled = StubResponse(429, headers={"Retry-After": "7"})
    with stub_server(throttled, StubResponse(503), StubResponse(500), USER) as server:
        make_api(server.base_url, request_log=str(log)).get_user()
    found = [
        (line["attempt"], line["status"], line["waited"], line["error"]) for line in lines_of(log)
    ]
    assert found == [
        (1, 429, 0, "Too Many Requests"),
        (2, 503, 7, "Service Unavailable"),
        (3, 500, 0.5, "Internal Server Error"),
        (4, 200, 1, None),
    ]


def test_unanswered_request_is_logged_without_status(log):
    with pytest.raises(PlatformError):
        make_api("http://127.0.0.1:1", request_log=str(log), max_retries=1).get_user()
    found = [(line["attempt"], line["status"], line["error"]) for line in lines_of(log)]
    assert found == [(1, None, "not sent"), (2, None, "not sent")]


CANARY = "canary-Zq7-0123456789"
SAID = f"a {CANARY}\n{{}} \x1b[2J /../ {{{{ 1 }}}} \u00fc"
printable = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=30)


@examples(60)
@given(
    token=st.just(CANARY) | printable,
    name=st.text(min_size=1, max_size=20),
    status=st.sampled_from([200, 201, 204, 302, 400, 403, 404, 429, 500, 503, 599]),
    is_json=st.booleans(),
)
@example(token=CANARY, name=CANARY, status=400, is_json=True)
@example(token=CANARY, name=f"x{CANARY}y", status=200, is_json=False)
def test_log_lines_contain_no_sent_or_received_content(token, name, status, is_json):
    """The path is there, with the name that it addresses; where that is the token, without it."""
    body = {"code": 1, "message": SAID, "token": CANARY}
    answer = (
        json_response(body, status, **{"X-Odd": CANARY})
        if is_json
        else text_response(f"<p>{SAID}", status)
    )
    with tempfile.TemporaryDirectory() as folder, stub_server(answer) as server:
        log = Path(folder) / "log"
        http = make_client(server.base_url, request_log=str(log), access_token=token, max_retries=1)
        calls = [
            Request(
                "GET /auth/verify",
                query={"token": CANARY, "q": SAID},
                is_idempotent=False,
                secrets=(CANARY,),
            ),
            Request(
                "POST /projects",
                query={"teamId": CANARY},
                body={"name": CANARY, "x": SAID},
                is_idempotent=False,
            ),
            Request(
                "PATCH /projects/{idOrName}",
                (name,),
                body={"framework": CANARY, "x": SAID},
                secrets=(CANARY,),
            ),
        ]
        for call in calls:
            with contextlib.suppress(PlatformError):
                http.send(call)
        raw = log.read_bytes()
    assert CANARY.encode() not in raw
    assert raw.isascii()
    assert all(32 <= byte < 127 or byte == 10 for byte in raw)
    lines = [json.loads(line) for line in raw.decode().splitlines()]
    assert len(lines) == len(server.requests)
    operations = {call.operation for call in calls}
    for line in lines:
        assert list(line) == KEYS
        assert line["operation"] in operations
        assert "?" not in line["path"]
        assert line["error"] is not None or 200 <= line["status"] < 300


def test_existing_log_is_appended_to_and_made_private(log):
    log.write_text("before\n")
    log.chmod(0o644)
    with RequestLog(str(log)).line(ManualClock(), "GET /user", "/user", 1, 0.0):
        pass
    before, line = log.read_text().splitlines()
    assert (before, json.loads(line)["operation"]) == ("before", "GET /user")
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "reason"),
    [("link", "it is a symbolic link"), ("folder", ""), ("pipe", ""), ("missing/log", "")],
)
def test_a_log_that_cannot_be_written_fails_before_the_first_request(tmp_path, name, reason):
    (tmp_path / "link").symlink_to(tmp_path / "made")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with stub_server(USER) as server:
        with pytest.raises(InvalidOption, match=f"request_log: .* cannot be.*{reason}"):
            make_api(server.base_url, request_log=str(tmp_path / name)).get_user()
        assert server.requests == []
    assert not (tmp_path / "made").exists()


def test_the_mode_of_a_device_is_left_alone():
    controller, terminal = os.openpty()
    before = os.fstat(terminal).st_mode
    with pytest.raises(InvalidOption, match=r"request_log: .* is not a regular file"):
        RequestLog(os.ttyname(terminal))
    assert os.fstat(terminal).st_mode == before
    os.close(controller)
    os.close(terminal)
