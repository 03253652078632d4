# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Input that nobody sends in good faith: it is refused, never an error of the emulator, and never dear."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support import OWNER_TOKEN, Api, refused, running

MIB = 1024 * 1024
JSON = {"Content-Type": "application/json"}


def test_a_control_path_that_is_none_and_a_method_that_it_lacks(api: Api) -> None:
    refused(api.get("/_emulator/nothing"), 404, "/_emulator/nothing")
    refused(api.put("/_emulator/state"), 405, "PUT")
    assert api.put("/_emulator/switches").headers["allow"] == "DELETE, GET, PATCH"


@pytest.mark.parametrize(
    "target", ["*", "/projects/\u00e9", "http://else.example/projects", "//projects", "/%", "/projects/%zz", "?x=1", ""]
)
def test_any_request_target_gets_an_answer(api: Api, target: str) -> None:
    status = raw(api, f"GET {target} HTTP/1.1\r\nHost: x\r\n{bearer()}\r\n").split()[1]
    assert int(status) in (200, 400, 404, 501)
    assert api.get("/user").is_success


@pytest.mark.parametrize("path", ["/projects", "/nothing"])
def test_a_body_has_at_most_a_mebibyte(api: Api, path: str) -> None:
    content = f'{{"name": "web", "framework": "{"x" * MIB}"}}'
    refused(api.post(path, content=content, headers=JSON), 413, str(MIB))
    chunks = iter([content.encode()])
    refused(api.post(path, content=chunks, headers=JSON), 413, str(MIB))
    assert [(entry["body"], entry["status"]) for entry in api.control.requests()] == [(None, 413)] * 2
    assert api.names("/projects") == []


def test_a_client_that_hangs_up_within_its_body_leaves_no_trace(tmp_path: Path) -> None:
    said = tmp_path / "stderr"
    with said.open("w") as stderr, running(stderr=stderr) as base_url, Api(base_url) as api:
        for path in ("/projects", "/_emulator/seed"):
            with connection_to(api) as connection:
                head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{{"
                connection.sendall(head.encode())
        assert api.get("/user").is_success
    assert said.read_text() == ""


def bearer() -> str:
    return f"Authorization: Bearer {OWNER_TOKEN}\r\n"


def connection_to(api: Api) -> socket.socket:
    address = urlsplit(api.address)
    return socket.create_connection((str(address.hostname), address.port or 80), timeout=10)


def raw(api: Api, request: str) -> str:
    """The answer to these very bytes."""
    with connection_to(api) as connection:
        connection.sendall(request.encode())
        return connection.recv(65536).decode()
