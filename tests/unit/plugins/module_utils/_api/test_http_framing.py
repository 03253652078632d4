# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an answer begins and ends: no request gets another one's answer, and what is unclear is no refusal."""

from __future__ import annotations

import gzip
import ssl
import threading

import pytest
from certificates import tls_of
from client import TOKEN, api_to, failure_of, make_project
from scripted import response, response_json, scripted

from ansible_collections.hosting.platform.plugins.module_utils._errors import Outcome

pytestmark = pytest.mark.oldest_libraries

USER, OTHER = {"id": "usr_1"}, {"id": "usr_other"}
GOOD = response_json(USER)
CREATED = response_json({"id": "prj_1", "name": "web"})
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"


def after(first: bytes, tls: ssl.SSLContext | None = None, ca_path: str | None = None) -> list[int]:
    """The connections of two reads, of which the first is answered twice: wrongly, and rightly when it is repeated."""
    with scripted(first, GOOD, tls=tls) as server:
        api = api_to(server.base_url, ca_path=ca_path)
        assert api.get_user() == USER
        assert api.get_user() == USER
    return server.connections


@pytest.mark.parametrize("status", ["101 Switching Protocols", "102 Processing", "103 Early Hints", "199 Whatever"])
def test_an_interim_answer_that_nobody_asked_for_leaves_the_outcome_unknown(status):
    interim = f"HTTP/1.1 {status}\r\nLink: </style.css>\r\n\r\n".encode()
    failure = failure_of(make_project, interim + CREATED, match="interim answer")
    assert failure.outcome is Outcome.UNKNOWN
    assert after(interim + GOOD) == [0, 1, 1]


def test_the_interim_answer_100_is_passed_over():
    with scripted(b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + GOOD) as server:
        assert api_to(server.base_url).get_user() == USER
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(EMPTY + b'{"id": "usr_late"}', id="body-after-204"),
        pytest.param(EMPTY + response_json(OTHER), id="answer-after-204"),
        pytest.param(GOOD + b"\r\n", id="line-end-after-body"),
        pytest.param(GOOD + response_json(OTHER), id="answer-after-body"),
        pytest.param(GOOD + b"HTTP/1.1 103 Early Hints\r\n\r\n", id="late-interim-answer"),
        pytest.param(response_json(USER, Content_Length=5), id="body-longer-than-announced"),
        pytest.param(
            response(b"2\r\n{}\r\n0\r\n\r\n.", Content_Length=None, Transfer_Encoding="chunked"), id="after-last-chunk"
        ),
        pytest.param(response(b"no", "400 Bad Request", Content_Length=1), id="refusal-longer-than-announced"),
    ],
)
def test_a_byte_where_none_may_be_leaves_the_outcome_unknown(answer):
    assert failure_of(make_project, answer, match="longer than announced").outcome is Outcome.UNKNOWN
    assert after(answer) == [0, 1, 1]


def test_what_comes_after_an_encrypted_answer_is_seen_too(own):
    """In one record of TLS: it is decrypted at once, and the socket then looks as if nothing was left."""
    padded = response_json({**USER, "padding": "x" * 8000}) + response_json(OTHER)
    assert after(padded, tls_of(own), ca_path=str(own.certificate)) == [0, 1, 1]


@pytest.mark.parametrize("late", [b'{"id": "usr_late"}', response_json(OTHER), b"HTTP/1.1 103 Early Hints\r\n\r\n"])
def test_what_comes_between_two_requests_is_no_answer_to_the_second(late):
    sent, may_send = threading.Event(), threading.Event()

    def answer_and_go_on(asked):
        asked.stream.sendall(EMPTY)
        assert may_send.wait(30)
        asked.stream.sendall(late)
        sent.set()

    with scripted(answer_and_go_on, GOOD) as server:
        api = api_to(server.base_url)
        api.delete_project("web")
        may_send.set()
        assert sent.wait(30)
        assert api.get_user() == USER
    assert server.connections == [0, 1]


@pytest.mark.parametrize("headers", [{"Content_Length": 5}, {"Transfer_Encoding": "chunked"}])
def test_a_body_that_is_announced_where_none_may_be_ends_the_session(headers):
    empty = response(status="204 No Content", **{"Content_Length": None, **headers})
    with scripted(empty, GOOD) as server:
        api = api_to(server.base_url)
        api.delete_project("web")
        assert api.get_user() == USER
    assert server.connections == [0, 1]


def test_an_ordinary_answer_keeps_the_session():
    chunked = response(b"d\r\n" + b'{"id": "usr_1' + b"\r\n2;x=y\r\n" + b'"}' + b"\r\n0\r\nTrailer: x\r\n\r\n")
    chunked = chunked.replace(b"Content-Length", b"Transfer-Encoding: chunked\r\nX-Not-Content-Length")
    squeezed = gzip.compress(b'{"id": ') + gzip.compress(b'"usr_1"}')
    encoded = response(squeezed, Content_Encoding="gzip")
    with scripted(GOOD, chunked, encoded, EMPTY, response(b"", Content_Encoding="gzip"), GOOD) as server:
        api = api_to(server.base_url)
        assert [api.get_user() for _time in range(3)] == [USER] * 3
        api.delete_project("web")
        api.delete_project("web")
        assert api.get_user() == USER
    assert server.connections == [0] * 6


@pytest.mark.parametrize(
    ("headers", "named"),
    [
        ("Content-Length: 12\r\nContent-Length: 5", "Content-Length"),
        ("Content-Length: -1", "Content-Length"),
        ("Content-Length: 1e3", "Content-Length"),
        (f"Content-Length: {'9' * 5000}", "Content-Length"),
        ("X-Good: 1\r\nX Bad One: 2\r\nContent-Length: 12", "X Bad One"),
        ("no colon at all", "no colon at all"),
        (": no name", "without a name"),
        (" continued: nothing", "continued"),
    ],
)
def test_a_header_that_makes_the_answer_unclear_is_named(headers, named):
    answer = f"HTTP/1.1 200 OK\r\n{headers}\r\n\r\n".encode() + b'{"id": "ab"}'
    failure = failure_of(make_project, answer, match=named)
    assert failure.outcome is Outcome.UNKNOWN
    assert "header" in str(failure)


def test_the_same_length_twice_is_clear_enough():
    with scripted(GOOD.replace(b"\r\n\r\n", b"\r\nContent-Length: 15\r\n\r\n")) as server:
        assert api_to(server.base_url).get_user() == USER


def test_a_header_that_is_quoted_never_shows_the_token():
    answer = f"HTTP/1.1 200 OK\r\nBearer {TOKEN}\r\n\r\n".encode()
    assert TOKEN[:10] not in str(failure_of(make_project, answer, match="malformed header"))


@pytest.mark.parametrize(
    "line", [b"SSH-2.0-OpenSSH_9.9\r\n", b"\r\n\r\n", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n"]
)
def test_what_speaks_no_http_is_said_and_its_outcome_is_unknown(line):
    assert failure_of(make_project, line, match="cannot be read").outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "gzip,gzip", "identity, gzip", "x" * 500])
def test_an_encoding_that_nobody_asked_for_is_refused(encoding):
    answer = response(gzip.compress(gzip.compress(b"{}")), Content_Encoding=encoding)
    failure = failure_of(make_project, answer, match="not asked for")
    assert failure.outcome is Outcome.UNKNOWN
    assert encoding[:10] in str(failure)
    assert len(str(failure)) < 300


@pytest.mark.parametrize("spoil", [lambda body: body[:-9], lambda body: b"x" + body, lambda body: body + b"x"])
def test_a_body_that_does_not_fit_its_encoding_leaves_the_outcome_unknown(spoil):
    answer = response(spoil(gzip.compress(b'{"id": "prj_1"}')), Content_Encoding="gzip")
    assert failure_of(make_project, answer, match="Content-Encoding").outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(("status", "outcome"), [("400 Bad", Outcome.REFUSED), ("429 Slow", Outcome.UNPROCESSED)])
def test_a_refusal_is_one_though_its_body_cannot_be_decoded(status, outcome):
    failure = failure_of(make_project, response(b"garbage", status, Content_Encoding="gzip"), max_retries=0)
    assert failure.outcome is outcome
    assert failure.failure["message"] is None
