# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A request has left until the contrary is proven: what may not happen twice is not sent twice, whatever is missing."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from importlib.metadata import version

import pytest
from certificates import Certified, tls_of
from client import api_to, failure_of, make_project
from connections import Resetting, resetting, tunnelling
from scripted import answer_json, answer_text, scripted

from ansible_collections.hosting.platform.plugins.module_utils._api import exchange as wire
from ansible_collections.hosting.platform.plugins.module_utils._api import http
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Outcome, PlatformError

pytestmark = pytest.mark.oldest_libraries

PROJECT = {"name": "web"}
WAYS = ["http", "https", "http-by-proxy", "https-by-proxy"]
MAY_HAVE_LEFT = (Outcome.BROKEN, Outcome.UNKNOWN)


@contextmanager
def reset_by(way: str, certificate: Certified, monkeypatch, after_reading: bool) -> Iterator[tuple[str, Resetting]]:
    """The base URL by which, this way, the server is reached that resets all connections."""
    with contextlib.ExitStack() as stack:
        tls = tls_of(certificate) if way.startswith("https") else None
        server = stack.enter_context(resetting(tls, after_reading=after_reading))
        if way == "https-by-proxy":
            monkeypatch.setenv("https_proxy", stack.enter_context(tunnelling()))
        elif way == "http-by-proxy":
            monkeypatch.setenv("http_proxy", server.base_url)
        yield "http://hosting.example" if way == "http-by-proxy" else server.base_url, server


def unnoticed(monkeypatch) -> None:
    """As if urllib3 had come to connect and to send in another way."""
    for step in ("connect", "send"):
        monkeypatch.setattr(
            wire._Connection, step, lambda self, *data, _step=step: getattr(super(wire._Connection, self), _step)(*data)
        )


@pytest.mark.parametrize("after_reading", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("change", [None, unnoticed], ids=["guarded", "unnoticed"])
@pytest.mark.parametrize("way", WAYS)
def test_a_creation_that_is_reset_is_sent_once(monkeypatch, own, way, change, after_reading):
    if change:
        change(monkeypatch)
    with (
        reset_by(way, own, monkeypatch, after_reading) as (base_url, server),
        pytest.raises(ApiError) as failure,
    ):
        api_to(base_url, ca_path=str(own.certificate)).create_project(PROJECT)
    assert server.connections == 1
    assert server.requests == after_reading
    assert failure.value.outcome in MAY_HAVE_LEFT


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_sent_over_connections_that_are_not_guarded(monkeypatch, own, way):
    """As if urllib3 had come to make its connections in another way."""
    monkeypatch.setattr(wire, "_guard_pools", lambda _manager: None)
    with reset_by(way, own, monkeypatch, True) as (base_url, server):
        api = api_to(base_url, ca_path=str(own.certificate))
        for call in (api.get_user, lambda: api.create_project(PROJECT)):
            with pytest.raises(PlatformError, match=rf"urllib3 {version('urllib3')} .*Nothing was sent") as failure:
                call()
            assert not isinstance(failure.value, ApiError)
    assert server.connections == 0


def test_an_answer_that_came_past_its_guard_is_refused(monkeypatch):
    """Whatever bounds it, in time and size, was not there."""
    monkeypatch.setattr(wire._Connection, "response_class", HTTPResponse)
    failure = failure_of(Api.get_user, answer_json({"id": "usr_1"}), match=f"urllib3 {version('urllib3')} ")
    assert failure.outcome is Outcome.UNKNOWN


def test_a_status_line_that_reads_like_the_refusal_of_a_proxy_is_none():
    """The service could have made the object before it said so."""
    failure = failure_of(make_project, b"Tunnel connection failed: 503 Down\r\n\r\n")
    assert failure.outcome in MAY_HAVE_LEFT


@pytest.mark.parametrize("earlier", ["refused", "tunnel", "handshake"])
def test_the_failure_of_an_earlier_request_proves_nothing(monkeypatch, own, nobody, earlier):
    """Python keeps it as the context of all that is raised while it is handled."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(resetting(after_reading=True))
        if earlier == "refused":
            before = f"http://{nobody}"
        elif earlier == "tunnel":
            proxy = stack.enter_context(scripted(answer_text("not allowed", 403)))
            monkeypatch.setenv("https_proxy", proxy.base_url)
            before = "https://hosting.example"
        else:
            before = stack.enter_context(scripted(answer_json({}), tls=tls_of(own))).base_url
        outcomes = []
        try:
            api_to(before, max_retries=0).create_project(PROJECT)
        except ApiError as error:
            outcomes.append(error.outcome)
            with pytest.raises(ApiError) as failure:
                api_to(server.base_url).create_project(PROJECT)
            outcomes.append(failure.value.outcome)
    assert outcomes[0] is Outcome.UNPROCESSED
    assert server.requests == 1
    assert outcomes[1] in MAY_HAVE_LEFT


def test_silence_before_the_handshake_is_over_means_that_nothing_has_left():
    """The server is one that accepts and says nothing; nobody can read of a request what is not yet encrypted."""
    with socket.create_server(("127.0.0.1", 0)) as listening, pytest.raises(ApiError, match="no connection") as failure:
        api_to(f"https://127.0.0.1:{listening.getsockname()[1]}", timeout=0.2, max_retries=1).create_project(PROJECT)
    assert failure.value.outcome is Outcome.UNPROCESSED
    assert "Given up after 2 tries" in str(failure.value)


def test_a_connection_that_is_not_made_in_time_means_that_nothing_has_left():
    """The queue of the server is full, and nobody is let in."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, contextlib.ExitStack() as stack:
        for _waiting in range(4):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        with pytest.raises(ApiError, match="no connection") as failure:
            api_to(f"http://127.0.0.1:{full.getsockname()[1]}", timeout=0.2, max_retries=1).create_project(PROJECT)
    assert failure.value.outcome is Outcome.UNPROCESSED
    assert "Given up after 2 tries" in str(failure.value)


def test_a_connection_that_is_made_anew_amid_a_request_clears_nothing(monkeypatch):
    """Part of the request went over the first, and the second cannot be made."""
    with resetting(after_reading=False) as server:
        api = api_to(server.base_url)
        send = wire._Connection.send

        def send_and_lose(self, data):
            send(self, data)
            self.close()
            self.port = 1  # where nobody listens
            send(self, data)

        monkeypatch.setattr(wire._Connection, "send", send_and_lose)
        with pytest.raises(ApiError) as failure:
            api.create_project(PROJECT)
    assert failure.value.outcome in MAY_HAVE_LEFT


@pytest.mark.parametrize(
    ("installed", "missing"),
    [("1.25.10", True), ("1.26.4", True), ("1.26.5", False), ("1.26.20", False), ("2.0", False)],
)
def test_an_older_urllib3_is_named_with_the_oldest_that_will_do(installed, missing):
    assert (http.missing_library(installed) == "urllib3>=1.26.5") is missing
    assert http.missing_library(installed) in ("", "urllib3>=1.26.5")


def test_the_libraries_of_these_tests_will_do():
    assert http.MISSING_LIBRARY == ""
