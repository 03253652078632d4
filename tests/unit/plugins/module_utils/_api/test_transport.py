# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an exchange that failed proves and says, and the bounds of an answer in time and size."""

import contextlib
import gzip
import select
import socket
import ssl
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from certificates import tls_of
from client import ManualClock, expect_failure, make_api, make_project
from connections import listening
from stub_server import ReceivedRequest, Reply, json_response, response, stub_server, text_response

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Effect

pytestmark = pytest.mark.oldest_libraries

MIB = 1024 * 1024
USER = {"id": "usr_1"}
HIDDEN = "https://hosting.example"
CREDENTIALS = "somebody:proxy-password@"
MAY_HAVE_LEFT = (Effect.INTERRUPTED, Effect.UNKNOWN)


RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER, for no time


def flood(pieces: Iterable[bytes]) -> Reply:
    """Sends the pieces, until there are no more or the client disconnects."""

    def send(request: ReceivedRequest) -> None:
        with contextlib.suppress(OSError):
            for piece in pieces:
                request.stream.sendall(piece)

    return send


class Resetting:
    """``requests``: the number of requests begun; ``connections``: the number of connections."""

    def __init__(self, scheme: str, port: int) -> None:
        self.base_url = f"{scheme}://127.0.0.1:{port}"
        self.connections = self.requests = 0


@contextmanager
def resetting(tls: ssl.SSLContext | None = None, *, after_reading: bool) -> Iterator[Resetting]:
    """Resets each connection: when a request arrives, or after all or most of it was read. Also its
    own proxy.
    """

    def serve(connection: socket.socket) -> None:
        server.connections += 1
        if tls and connection.recv(1, socket.MSG_PEEK) == b"C":  # CONNECT, in the clear
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with tls.wrap_socket(connection, server_side=True) if tls else connection as open_one:
            select.select(
                [open_one], [], []
            )  # a connection that is reset earlier may count as not established
            if after_reading:
                asked = open_one.recv(65536)
                server.requests += bool(asked)
                while asked and not asked.endswith((b"\r\n\r\n", b"}")):
                    asked += open_one.recv(65536)
            open_one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)

    with listening(serve) as port:
        server = Resetting("https" if tls else "http", port)
        yield server


def failed_creation(base_url: str, tries: int = 1, **options: Any) -> ApiError:
    """The failure of a creation after so many tries."""
    clock = ManualClock()
    with pytest.raises(ApiError) as failure:
        make_api(base_url, clock, max_retries=3, **options).create_project({"name": "web"})
    assert len(clock.slept) == tries - 1
    return failure.value


def test_a_refused_connection_proves_that_nothing_has_left(nobody):
    failure = failed_creation(f"http://{nobody}", tries=4)
    assert failure.effect is Effect.NOT_PROCESSED
    assert f"could not connect to {nobody} (Connection refused). Check base_url" in str(failure)


def test_an_unknown_name_proves_that_nothing_has_left():
    failure = failed_creation("https://no-such-host.invalid", tries=4)
    assert failure.effect is Effect.NOT_PROCESSED
    assert "could not connect to no-such-host.invalid (" in str(failure)


def test_a_connection_that_is_not_made_in_time_proves_that_nothing_has_left():
    """The queue of the server is full, and nobody is let in."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, contextlib.ExitStack() as stack:
        for _waiting in range(4):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        failure = failed_creation(f"http://127.0.0.1:{full.getsockname()[1]}", tries=4, timeout=0.2)
    assert failure.effect is Effect.NOT_PROCESSED
    assert "could not connect" in str(failure)


@pytest.mark.parametrize("after_reading", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("way", ["http", "https", "https-by-proxy"])
def test_a_creation_that_is_reset_is_sent_once(monkeypatch, own, way, after_reading):
    with resetting(tls_of(own) if way != "http" else None, after_reading=after_reading) as server:
        if way == "https-by-proxy":
            monkeypatch.setenv("https_proxy", server.base_url.replace("https:", "http:"))
        failure = failed_creation(server.base_url, ca_path=str(own.certificate))
    assert server.connections == 1
    assert server.requests == after_reading
    assert failure.effect in MAY_HAVE_LEFT


@pytest.mark.parametrize(
    "answer",
    [
        b"Tunnel connection failed: 503 Down\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99\r\n{}",
    ],
)
def test_an_answer_that_is_cut_off_or_no_http_proves_nothing(answer):
    def send(request: ReceivedRequest) -> None:
        request.stream.sendall(answer)
        request.stream.shutdown(socket.SHUT_WR)

    failure = expect_failure(make_project, send, match="closed before the response was complete")
    assert failure.effect is Effect.INTERRUPTED


def test_a_body_that_does_not_fit_its_encoding_proves_nothing():
    answer = response(b"x" + gzip.compress(b"{}"), Content_Encoding="gzip")
    assert expect_failure(make_project, answer, match="Content-Encoding").effect is Effect.UNKNOWN


def test_a_body_that_is_compressed_twice_is_refused():
    """A few bytes of it may become gigabytes."""
    answer = response(gzip.compress(gzip.compress(b"{}")), Content_Encoding="gzip, gzip")
    failure = expect_failure(
        make_project, answer, match="the response is compressed more than once"
    )
    assert (failure.effect, failure.fault.temporary) == (Effect.UNKNOWN, False)


@pytest.mark.parametrize("base_url", [HIDDEN, "http://hosting.example"])
def test_failed_proxy_proves_no_effect_and_hides_its_credentials(monkeypatch, nobody, base_url):
    monkeypatch.setenv("all_proxy", f"http://{CREDENTIALS}{nobody}")
    failure = failed_creation(base_url)
    assert (failure.effect, failure.fault.temporary) == (Effect.INTERRUPTED, True)
    assert "the connection to hosting.example through a proxy failed (Connection refused)" in str(
        failure
    )
    assert "https_proxy" in str(failure)
    assert "proxy-password" not in str(failure)


def test_a_proxy_that_refuses_proves_nothing_and_is_quoted(monkeypatch):
    with stub_server(text_response("not allowed", 403)) as proxy:
        monkeypatch.setenv(
            "https_proxy", proxy.base_url.replace("http://", f"http://{CREDENTIALS}")
        )
        failure = failed_creation(HIDDEN)
    assert failure.effect is Effect.INTERRUPTED
    assert (
        "the connection to hosting.example through a proxy failed (Tunnel connection failed: 403"
        in str(failure)
    )
    assert "proxy-password" not in str(failure)


def test_a_certificate_that_is_not_trusted_fails_at_once_and_says_why(own, clock):
    failure = expect_failure(
        Api.get_user, times=0, match=r"self.signed", tls=tls_of(own), clock=clock
    )
    assert "ca_path" in str(failure)
    assert clock.slept == []


def test_https_where_plain_http_is_spoken_says_so():
    with stub_server(json_response(USER)) as server:
        assert "write http:// in base_url" in str(
            failed_creation(server.base_url.replace("http:", "https:"))
        )


def test_plain_http_where_tls_is_spoken_says_so(own):
    with stub_server(json_response(USER), tls=tls_of(own)) as server:
        failure = failed_creation(server.base_url.replace("https:", "http:"))
    assert "write https:// in base_url" in str(failure)
    assert failure.effect is Effect.INTERRUPTED


def drip(clock: ManualClock, head: bytes, piece: bytes) -> Iterator[bytes]:
    """A second for each piece: never silent for long, and never at its end."""
    yield head
    while True:
        clock.sleep(1)
        yield piece


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request"])
def test_slow_response_fails_after_ten_timeouts(clock, status):
    head = f"HTTP/1.1 {status}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    failure = expect_failure(Api.get_user, flood(drip(clock, head, b"1\r\n \r\n")), clock=clock)
    assert "still incomplete after 300 s (10 times timeout)" in str(failure)
    assert failure.effect is Effect.UNKNOWN


def padded(size: int) -> bytes:
    return b'{"id": "' + b"x" * (size - 10) + b'"}'


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_body_of_32_mib_is_taken_and_a_larger_one_refused(encoding):
    encode = {"identity": bytes, "gzip": lambda body: gzip.compress(body, 1)}[encoding]
    answers = [
        response(encode(padded(size)), Content_Encoding=encoding)
        for size in (32 * MIB, 32 * MIB + 1)
    ]
    with stub_server(*answers) as server:
        api = make_api(server.base_url)
        assert len(api.get_user()["id"]) == 32 * MIB - 10
        with pytest.raises(ApiError, match="longer than 32 MiB") as failure:
            make_project(api)
    assert failure.value.effect is Effect.UNKNOWN
