# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A really running emulator, and clients that speak HTTP to it."""

import json
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import IO, Any, TypeVar

import httpx
import pytest

from hosting_platform_emulator import HostingPlatform
from hosting_platform_emulator.state.switch import Value
from hosting_platform_emulator.state.switches import SWITCHES

OWNER_TOKEN = "token-of-the-owner-0123456789"
OWNER_EMAIL = "owner@example.com"
DEV_TOKEN = "token-of-the-developer-0123456789"
DEV_EMAIL = "dev@example.com"

NEW_YEAR = 1_767_225_600_000
"""The beginning of 2026, in milliseconds."""

JSON = {"Content-Type": "application/json"}
LONE_SURROGATE = {"\ud800": "\ud800"}

Item = TypeVar("Item")
Document = Any
"""Parsed JSON, which tests look into."""

_NO_TRUST = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Made once: reading the machine's certificates for every client takes longer than most tests."""

COVERED: set[str] = set()
"""The switches under whose values some test runs."""


def under(name: str, *others: Value) -> pytest.MarkDecorator:
    """Run a test under each value of a switch, or under its default and others; `switched` is the
    value.
    """
    COVERED.add(name)
    switch = SWITCHES[name]
    values = switch.values or (switch.default, *others)
    assert len(values) > 1
    return pytest.mark.parametrize(
        "switched",
        [pytest.param((name, value), id=f"{name}={value}") for value in values],
        indirect=True,
    )


def pairs(table: Mapping[str, Iterable[Item]]) -> list[tuple[str, Item]]:
    """Each key of a table with each of its values, for a test of each."""
    found: list[tuple[str, Item]] = []
    for key, values in table.items():
        found += [(key, value) for value in values]
    return found


class Api(httpx.Client):
    """The API as one caller, with the control API beside it."""

    def __init__(self, base_url: str, token: str | None = OWNER_TOKEN, **options: Any) -> None:
        self.address = base_url
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.control = HostingPlatform(base_url, OWNER_TOKEN)
        super().__init__(
            **{
                "base_url": base_url,
                "headers": headers,
                "timeout": 60,
                "verify": _NO_TRUST,
                **options,
            }
        )

    def as_user(self, token: str | None) -> "Api":
        return Api(self.address, token)

    def ask(self, operation: str, **options: Any) -> httpx.Response:
        """Send the request of an operation such as `GET /projects/{idOrName}`, in which the values
        are their names.
        """
        method, _, path = operation.partition(" ")
        return self.request(method, path.replace("{", "").replace("}", ""), **options)

    def new_project(self, name: str = "web", **fields: Any) -> Document:
        return _ok(self.post("/projects", json={"name": name, **fields}))

    def new_team(self, slug: str = "acme", **fields: Any) -> Document:
        return _ok(self.post("/teams", json={"slug": slug, **fields}))

    def names(self, path: str, **query: Any) -> list[str]:
        """The names, slugs or aliases that a list shows, in its order."""
        return [
            item.get("slug") or item.get("name") or item["alias"]
            for item in self.page(path, **query)[0]
        ]

    def page(self, path: str, **query: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        document = _ok(self.get(path, params=query))
        pagination = document.pop("pagination")
        (items,) = document.values()
        return items, pagination


def _ok(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def assert_refused(answer: httpx.Response, status: int, field: str) -> None:
    """The documented error body, naming the offending field."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    document = answer.json()
    assert set(document) == {"code", "message"}
    assert document["code"] == status
    assert field in document["message"]


def assert_forbidden(answer: httpx.Response) -> None:
    """403 with text only."""
    assert answer.status_code == 403, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text


Refused = tuple[str, str, list[Document]]
"""A request, a part of the message, and the documents with which it is refused."""


def each_refused(table: Iterable[Refused]) -> list[tuple[str, str, Document]]:
    """Each request with each of its documents, for a test of each."""
    found: list[tuple[str, str, Document]] = []
    for operation, part, documents in table:
        found += [(operation, part, document) for document in documents]
    return found


def assert_refused_without_effect(api: Api, operation: str, document: Document, part: str) -> None:
    before = api.control.snapshot()
    content = None if document is None else json.dumps(document)
    assert_refused(api.ask(operation, content=content, headers=JSON), 400, part)
    assert api.control.snapshot() == before


BARE_COMMAND = [sys.executable, "-m", "hosting_platform_emulator", "--port", "0"]


def command(*arguments: str) -> list[str]:
    return [*BARE_COMMAND, "--owner-token", OWNER_TOKEN, *arguments]


def running(*arguments: str, stderr: IO[str] | None = None) -> AbstractContextManager[str]:
    """An emulator for the length of a block; the value is its base URL."""
    return started(command(*arguments), stderr)


@contextmanager
def started(
    line: list[str], stderr: IO[str] | None = None, end: signal.Signals = signal.SIGTERM
) -> Iterator[str]:
    """An emulator that this command line starts, and this signal ends."""
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("listening on "), said
            yield said.split()[-1]
        except BaseException:
            process.kill()
            raise
        process.send_signal(end)
        assert process.wait(timeout=8) == (-end if end == signal.SIGKILL else 0)
