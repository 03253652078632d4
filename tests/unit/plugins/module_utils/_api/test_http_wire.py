# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests on the wire: addresses, headers, connections; and what is made of any answer."""

import os
import platform
import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from urllib.parse import unquote

import pytest
from ansible.module_utils.ansible_release import __version__ as core_version
from client import TOKEN, expect_failure, make_api, make_client
from hypothesis import assume, example, given
from hypothesis import strategies as st
from stub_server import StubResponse, json_response, list_response, stub_server, text_response

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION

pytestmark = pytest.mark.oldest_libraries

USER = {"id": "usr_1", "email": "dev@example.com"}
PROJECT = {"id": "prj_1", "name": "web"}


def test_the_libraries_that_are_meant_to_be_tested_are():
    assert version("urllib3").startswith(os.environ.get("URLLIB3", "2."))
    assert version("requests").startswith(os.environ.get("REQUESTS", "2."))


@given(value=st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | st.integers())
@example("two words/100%/a%2Fb")
@example("...")
def test_a_path_value_is_escaped(value):
    assume(value not in (".", ".."))
    with stub_server(json_response(PROJECT)) as server:
        make_api(server.base_url).get_project(value)
    segment = server.requests[0].target.removeprefix("/projects/")
    assert re.fullmatch(r"([\w.~-]|%[0-9A-F]{2})+", segment, re.ASCII)
    assert unquote(segment) == str(value)


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_path_value_that_cannot_be_sent_is_refused(value):
    with stub_server(json_response(PROJECT)) as server, pytest.raises(PlatformError):
        make_api(server.base_url).delete_project(value)
    assert server.requests == []


def test_failure_shows_the_sent_path_without_query():
    with (
        stub_server(json_response({"code": 400, "message": "no"}, 400)) as server,
        pytest.raises(ApiError) as failure,
    ):
        make_api(f"{server.base_url}/a/v%201//").update_project("a b", {}, team_id="team_1")
    assert failure.value.failure["path"] == "/a/v%201/projects/a%20b"
    assert failure.value.failure["operation"] == "PATCH /projects/{idOrName}"
    assert server.requests[0].target == "/a/v%201/projects/a%20b?teamId=team_1"


def test_query_values_are_escaped_and_what_is_not_given_is_not_sent():
    with stub_server(list_response(projects=[])) as server:
        make_api(server.base_url).list_projects(teamId="a&b c", since=5, until=9)
    query = server.requests[0].target.partition("?")[2]
    assert sorted(query.split("&")) == ["limit=100", "since=5", "teamId=a%26b+c", "until=9"]


def test_headers():
    with stub_server(json_response(PROJECT)) as server:
        make_api(server.base_url).create_project({"name": "ü"})
        make_api(server.base_url).delete_project("web")
    created, deleted = server.requests
    assert created.headers["Authorization"] == f"Bearer {TOKEN}"
    assert created.headers["Content-Type"] == "application/json"
    agent = (
        f"hosting.platform/{VERSION} ansible-core/{core_version} python/{platform.python_version()}"
    )
    assert created.headers["User-Agent"] == agent
    assert "Content-Type" not in deleted.headers
    assert deleted.body == b""


def test_a_connection_that_was_idle_for_long_is_not_used_again(emulator, clock):
    api = make_api(emulator.base_url, clock)
    for idle in (0, 4, 6):
        clock.sleep(idle)
        api.get_user()
    first, second, third = (request["connection"] for request in emulator.requests())
    assert first == second != third


def test_cookies_are_not_kept():
    answer = StubResponse(body=json_response(USER).body, headers={"Set-Cookie": "a=b"})
    with stub_server(answer) as server:
        api = make_api(server.base_url)
        api.get_user()
        api.get_user()
    assert [request.headers.get("Cookie") for request in server.requests] == [None, None]


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        pytest.param(
            json_response({"code": 400, "message": "bad name"}, 400),
            400,
            "bad name",
            id="documented",
        ),
        pytest.param(StubResponse(401), None, None, id="empty"),
        pytest.param(text_response("No permission.", 403), None, "No permission.", id="text"),
        pytest.param(
            text_response("<html>Bad Gateway</html>", 403, "text/html"), None, None, id="html"
        ),
        pytest.param(text_response("<html>who says", 403), None, None, id="html-as-text"),
        pytest.param(
            json_response({"error": "no"}, 400), None, '{"error": "no"}', id="json-without-message"
        ),
        pytest.param(
            json_response({"code": "400", "message": {}}, 400), None, None, id="json-of-other-types"
        ),
        pytest.param(
            json_response({"code": True, "message": None}, 400),
            None,
            None,
            id="json-code-is-a-boolean",
        ),
        pytest.param(
            StubResponse(403, b"\xff\xfe broken", {}), None, "\ufffd\ufffd broken", id="not-utf-8"
        ),
        pytest.param(StubResponse(400, b"   ", {}), None, None, id="only-spaces"),
        pytest.param(json_response(["a", "list"], 404), None, '["a", "list"]', id="json-list"),
        pytest.param(json_response(None, 400), None, "null", id="json-null"),
    ],
)
def test_error_body_determines_code_and_message(answer, code, message):
    failure = expect_failure(lambda api: api.update_project("web", {}), answer, max_retries=0)
    assert failure.failure == {
        "operation": "PATCH /projects/{idOrName}",
        "method": "PATCH",
        "path": "/projects/web",
        "status": answer.status,
        "code": code,
        "message": message,
    }
    assert f"status {answer.status}" in str(failure)
    assert message is None or message.rstrip(".") in str(failure)


NO_PROJECTS = [
    b"",
    b"[]",
    b"null",
    b"<html>",
    b"[" * 100_000,
    b'{"projects": []}',
    b'{"projects": {}, "pagination": {"next": null}}',
    b'{"projects": [1], "pagination": {"next": null}}',
    b'{"projects": [], "pagination": {"count": 0}}',
]


@pytest.mark.parametrize("body", NO_PROJECTS)
def test_a_list_that_is_not_the_promised_one_fails(body):
    expect_failure(
        Api.list_projects,
        StubResponse(200, body, {"Content-Type": "application/json"}),
        max_retries=0,
    )


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_success(status):
    body = b"" if status == 204 else b'{"id": "prj_1"}'
    with stub_server(StubResponse(status, body, {"Content-Type": "application/json"})) as server:
        assert make_api(server.base_url).update_project("web", {}) == (
            {} if status == 204 else {"id": "prj_1"}
        )


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        *((status, "Check base_url") for status in (405, 501)),
        (505, "try again later"),
        *((status, "See its message") for status in (402, 410, 413, 418, 422, 451)),
        *((status, f"status {status}") for status in (300, 304, 307, 401, 403)),
    ],
)
def test_any_other_status_fails_at_once_and_says_what_to_do(status, advice):
    failure = expect_failure(
        Api.get_user, StubResponse(status, b"" if status < 400 else b"no"), match=advice
    )
    assert failure.failure["status"] == status


def test_a_query_value_that_cannot_be_sent_fails_without_a_traceback():
    expect_failure(
        lambda api: api.verify_login("dev@example.com", "\udc80"),
        times=0,
        match="could not be made",
    )


def test_threads_have_connections_of_their_own_and_closing_ends_all_of_them(emulator):
    client = make_client(emulator.base_url)
    api = Api(client)
    all_here = threading.Barrier(3)

    def ask(_number: int) -> None:
        all_here.wait(30)
        for _time in range(5):
            api.get_user()

    with ThreadPoolExecutor(3) as threads:
        for _round in range(2):
            list(threads.map(ask, range(3)))
            client.close()
    assert (
        sorted(Counter(request["connection"] for request in emulator.requests()).values())
        == [5] * 6
    )
