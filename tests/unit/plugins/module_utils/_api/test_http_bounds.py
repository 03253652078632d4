# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of an answer in time, size and memory, whatever a service sends."""

from __future__ import annotations

import functools
import gzip
import itertools
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from typing import Any

import pytest
from client import api_to, failure_of
from sampling import sampled
from scripted import Asked, Reply, flood, response, scripted

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Outcome

pytestmark = pytest.mark.oldest_libraries

MIB = 1024 * 1024
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
DRIPS = {
    "status": (b"HTTP/1.1 200 O", b"K"),
    "interim": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "header": (HEAD + b"X-Long: ", b"x"),
    "body": (HEAD + b"Content-Length: 99999\r\n\r\n[", b" "),
    "body-without-length": (HEAD + b"\r\n[", b" "),
    "refusal": (b"HTTP/1.1 400 Bad\r\nContent-Length: 99999\r\n\r\n", b"x"),
    "chunks": (CHUNKED, b"1\r\n \r\n"),
    "chunk-extension": (CHUNKED + b"1;", b"x"),
    "trailer": (CHUNKED + b"0\r\n", b"X: y\r\n"),
}


def failure_of_list(sending: Reply, **options: Any) -> str:
    """How a read fails that is answered with this. It is not sent again: that would take as long, or as much."""
    failure = failure_of(Api.list_projects, sending, **options)
    assert failure.outcome is Outcome.UNKNOWN
    return str(failure)


@pytest.mark.parametrize("place", DRIPS)
def test_an_answer_that_drips_is_given_up_after_ten_times_the_timeout(clock, place):
    """A second for each piece: never silent for long, and never at its end."""
    begin, piece = DRIPS[place]

    def drip() -> Iterator[bytes]:
        yield begin
        while True:
            clock.sleep(1)
            yield piece

    assert "not complete after 300 s, 10 times timeout" in failure_of_list(flood(drip()), clock=clock)


def test_silence_just_before_the_deadline_is_not_waited_for_as_long_as_other_silence(clock):

    def fall_silent(asked: Asked) -> None:
        clock.sleep(299.95)
        asked.stream.sendall(HEAD)
        asked.stream.recv(1)

    assert "not complete after 300 s" in failure_of_list(fall_silent, clock=clock)


def test_an_answer_that_comes_in_time_is_taken_however_long_it_took(clock):

    def come_late(_asked: Asked) -> bytes:
        clock.sleep(295)
        return response(b'{"id": "usr_1"}')

    with scripted(come_late, response(b'{"id": "usr_2"}')) as server:
        api = api_to(server.base_url, clock)
        assert [api.get_user()["id"] for _time in range(2)] == ["usr_1", "usr_2"]


def padded(size: int) -> bytes:
    return b'{"id": "' + b"x" * (size - 10) + b'"}'


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_body_of_32_mib_is_taken_and_a_larger_one_refused(encoding):
    encode = {"identity": bytes, "gzip": lambda body: gzip.compress(body, 1)}[encoding]
    answers = [response(encode(padded(size)), Content_Encoding=encoding) for size in (32 * MIB, 32 * MIB + 1)]
    with scripted(*answers) as server:
        api = api_to(server.base_url)
        assert len(api.get_user()["id"]) == 32 * MIB - 10
        with pytest.raises(ApiError, match="longer than 32 MiB") as failure:
            api.create_project({"name": "web"})
    assert failure.value.outcome is Outcome.UNKNOWN


def test_more_values_than_can_be_told_apart_are_refused():
    assert "more than 1,000,000 values" in failure_of_list(response(b"[" + b'{"":0},' * 1_000_001 + b"{}]"))


def nested(levels: int, **fields: str) -> bytes:
    """An object whose innermost value is on this level."""
    return json.dumps(fields)[:-1].encode() + b', "deep": ' + b'{"a":' * (levels - 1) + b"1" + b"}" * levels


@pytest.mark.parametrize(("levels", "is_taken"), [(64, True), (65, False), (330, False), (100_000, False)])
@pytest.mark.parametrize("method", ["get_user", "list_projects", "create_project", "update_project", "delete_project"])
def test_an_answer_that_is_nested_deeper_than_anything_here_can_carry_is_refused(method, levels, is_taken):
    """What was changed may have been: nobody says that it was not, and nothing is sent again."""
    document = nested(levels - 1 if method != "list_projects" else levels - 3, id="prj_1")
    if method == "list_projects":
        document = b'{"pagination": {"next": null}, "projects": [%s]}' % document
    arguments: dict[str, list[Any]] = {"create_project": [{}], "update_project": ["web", {}], "delete_project": ["web"]}
    values = arguments.get(method, [])
    with scripted(response(document)) as server:
        call = getattr(api_to(server.base_url), method)
        if is_taken:
            call(*values)
        else:
            with pytest.raises(ApiError, match="nested deeper than 64 levels") as failure:
                call(*values)
            assert failure.value.outcome is Outcome.UNKNOWN
    assert len(server.asked) == 1


@pytest.mark.parametrize("levels", [65, 330, 100_000])
def test_a_refusal_that_is_nested_too_deep_is_still_the_refusal(levels):
    failure = failure_of(Api.get_user, response(nested(levels, message="no"), "400 Bad Request"), match="status 400")
    assert failure.outcome is Outcome.REFUSED


@pytest.mark.parametrize("status", ["400 Bad Request", "302 Found", "500 Oh No"])
def test_of_a_long_refusal_only_the_beginning_is_read(status):
    sent = []

    def count() -> Iterator[bytes]:
        yield response(status=status, Content_Length=300 * MIB, Content_Type="text/plain")
        for _megabyte in range(300):
            sent.append(MIB)
            yield b"long text " * (MIB // 10)

    failure = failure_of(Api.get_user, flood(count()), max_retries=0)
    assert failure.status == int(status[:3])
    assert str(failure.failure["message"]).startswith("long text long text")
    assert len(str(failure)) < 2000
    assert sum(sent) < 50 * MIB


@functools.cache
def bomb() -> bytes:
    """Gzip of 300 MiB."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return b"".join([*(compressor.compress(bytes(MIB)) for _megabyte in range(300)), compressor.flush()])


def bombed(status: str = "200 OK", wrappings: int = 1, **headers: str) -> Iterator[bytes]:
    body = bomb()
    for _wrapping in range(wrappings - 1):
        body = gzip.compress(body)
    yield response(body, status, Content_Encoding=", ".join(["gzip"] * wrappings), **headers)


HOSTILE: dict[str, Callable[[], Iterable[bytes]]] = {
    "gzip": bombed,
    "gzip-in-gzip": lambda: bombed(wrappings=2),
    "gzip-of-a-refusal": lambda: bombed("403 Forbidden"),
    "gzip-of-a-redirect": lambda: bombed("302 Found", Location="/elsewhere"),
    "empty-gzips": lambda: chain([HEAD + b"Content-Encoding: gzip\r\n\r\n"], repeat(gzip.compress(b"") * 10_000)),
    "body-without-end": lambda: chain([HEAD + b"\r\n"], repeat(bytes(MIB))),
    "refusal-without-end": lambda: chain([b"HTTP/1.1 500 Oh No\r\n\r\n"], repeat(bytes(MIB))),
    "headers-without-end": lambda: chain([HEAD], repeat(b"X-Header: %s\r\n" % (b"x" * 60_000))),
    "interim-answers-without-end": lambda: repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "giant-chunk": lambda: chain([CHUNKED + b"FFFFFFFFFFFFFFFFFFFF\r\n"], repeat(bytes(MIB))),
    "negative-chunk": lambda: chain([CHUNKED + b"-1\r\n"], repeat(bytes(MIB))),
    "chunk-size-without-end": lambda: chain([CHUNKED], repeat(b"1" * MIB)),
    "trailer-without-end": lambda: chain([CHUNKED + b"0\r\n"], repeat(b"X: y\r\n" * 10_000)),
    "tiny-values": lambda: [response(b"[" + b'{"":0},' * 999_999 + b"[" * 32 + b" " * 20 * MIB)],
}
MEASURED = """
import sys
from pathlib import Path
from client import api_to
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError

def most_so_far():  # what `resource` counts began in the process that started this one
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


api = api_to(sys.argv[1], max_retries=0)
api.get_user()
before = most_so_far()
try:
    api.list_projects()
except PlatformError as error:
    print(most_so_far() - before, error)
"""


def pages(item: bytes, items: int) -> Iterator[bytes]:
    """Compressed pages of a list that does not end, each of new items."""
    for page in itertools.count():
        numbers = range(1_000_000_000 - page * items, 1_000_000_000 - (page + 1) * items, -1)
        listed = b",".join(b'{"id":%d,"createdAt":%d,%s}' % (number, number, item) for number in numbers)
        document = b'{"pagination":{"next":%d},"projects":[%s]}' % (numbers[-1], listed)
        yield response(gzip.compress(document, 1), Content_Encoding="gzip")


LARGE_LISTS = {
    "long-texts": (b'"name":"%s"' % (b"x" * 300_000), 100),
    "wide-texts": (rb'"name":"\ud83d\ude00%s"' % (b"x" * 300_000), 100),
    "tiny-values": (b'"a":[%s]' % b",".join([b"{}"] * 9_000), 100),
}


@pytest.mark.parametrize("kind", sampled(HOSTILE, 3))
def test_no_answer_takes_more_memory_than_a_few_times_what_is_allowed(kind):
    mebibytes, message = measured(flood(HOSTILE[kind]()))
    assert message.startswith("GET /projects failed: ")
    assert mebibytes < (400 if kind == "tiny-values" else 130)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", LARGE_LISTS)
def test_no_list_takes_more_memory_than_is_allowed_for_all_its_pages(kind):
    answers = pages(*LARGE_LISTS[kind])
    mebibytes, message = measured(lambda _asked: next(answers))
    assert "takes more than 512 MiB" in message
    assert mebibytes < 900


def measured(sending: Reply) -> tuple[float, str]:
    """The memory (MiB) that a list takes, and how it fails; in a process of its own.

    The system's count of memory misses nothing, whoever took it.
    """
    with scripted(response(b'{"id": "usr_1"}'), sending) as server:
        command = [sys.executable, "-c", MEASURED, server.base_url]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    kibibytes, message = done.stdout.split(maxsplit=1)
    return int(kibibytes) / 1024, message
