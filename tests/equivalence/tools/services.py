# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The services of the plays: a service that only counts for the probe, the emulator for the real
modules.
"""

import collections
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from emulated import running_emulator
from real_modules import SEED
from stub_server import ReceivedRequest, StubResponse, json_response, stub_server

Requests = dict[str, int]


@dataclass
class Service:
    """``counted`` says which requests came, and how often: those that must be the same on both
    ways.
    """

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


@contextmanager
def emulated() -> Iterator[Service]:
    """Only writes are counted: in the worker, lists that were read for one item serve the next."""
    with running_emulator() as emulator:
        emulator.seed(**SEED)
        emulator.forget_requests()

        def writes() -> Requests:
            return collections.Counter(write.split()[0] for write in emulator.writes)

        yield Service(emulator.base_url, emulator.token, writes)
