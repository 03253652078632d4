# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service of the plays, which counts its requests."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stub_server import ReceivedRequest, StubResponse, json_response, stub_server

Requests = dict[str, int]


@dataclass
class Service:
    """``counted`` says which requests came, and how often: those that must be the same on both ways."""

    base_url: str
    token: str
    counted: Callable[[], Requests]


@contextmanager
def counting() -> Iterator[Service]:
    def counts() -> Requests:
        return collections.Counter(request.target for request in server.requests)

    def reply(request: ReceivedRequest) -> StubResponse:
        document = {"projects": [{"name": "x", "id": "prj_1"}], "count": counts()[request.target]}
        return json_response(document, 404 if request.target == "/missing" else 200)

    with stub_server(reply) as server:
        yield Service(server.base_url, "tokentokentoken", counts)
