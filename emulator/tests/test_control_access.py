# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Control of an emulator: by programs on purpose, and never by a web page of elsewhere in somebody's browser."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from support import Api, refused, running


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "localhost.", "[::1]"])
@pytest.mark.parametrize("port", ["", ":8080"])
def test_a_host_of_this_machine_is_served(api: Api, host: str, port: str) -> None:
    assert api.post("/_emulator/reset", headers={"Host": host + port}).is_success


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "192.0.2.1", "localhost:1:2", "localhost/x", "", "[::2]"]
)
@pytest.mark.parametrize("request_line", ["POST /reset", "GET /state", "GET /", "GET /confirm/x", "GET /nothing"])
def test_another_host_is_refused(api: Api, host: str, request_line: str) -> None:
    """A name that somebody lets point here: DNS rebinding."""
    api.new_project("web")
    refused(api.ask(request_line.replace("/", "/_emulator/", 1), headers={"Host": host}), 403, "Host")
    assert api.names("/projects") == ["web"]
    assert api.get("/user", headers={"Host": host}).is_success, "the API itself asks for a token instead"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "file://", "", "x"]
)
def test_a_foreign_origin_is_refused(api: Api, origin: str) -> None:
    """A page of elsewhere that has a browser on this machine send a request."""
    api.new_project("web")
    headers = {"Origin": origin, "Content-Type": "text/plain"}
    refused(api.post("/_emulator/reset", headers=headers), 403, "Origin")
    assert api.names("/projects") == ["web"]


def test_the_emulators_own_page_is_served(api: Api) -> None:
    for host in ("127.0.0.1", "localhost"):
        address = f"{host}:{urlsplit(api.address).port}"
        headers = {"Host": address, "Origin": f"http://{address}"}
        assert api.post("/_emulator/reset", headers=headers).is_success


@pytest.mark.parametrize(
    ("options", "hosts"),
    [
        ("--allow-host emulator --allow-host Other.Example", ["emulator:8080", "other.example", "localhost"]),
        ("--host 0.0.0.0", ["192.0.2.1:8080", "[2001:db8::1]", "0.0.0.0", "localhost"]),
    ],
    ids=["names that are allowed", "any address where it listens everywhere"],
)
def test_other_hosts_are_served_where_an_option_says_so(options: str, hosts: list[str]) -> None:
    with running(*options.split()) as base_url, Api(base_url) as api:
        for host in hosts:
            assert api.get("/_emulator/state", headers={"Host": host}).is_success
        refused(api.get("/_emulator/state", headers={"Host": "evil.example"}), 403, "--allow-host")
