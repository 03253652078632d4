# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the time that the emulator itself takes, without a network.

Usage: python tools/measure.py [number of stored projects]
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

from starlette.types import Message

from hosting_platform_emulator.application import Application
from hosting_platform_emulator.control.access import Access
from hosting_platform_emulator.control.emulator import Emulator
from hosting_platform_emulator.serving.wire import CONNECTION
from hosting_platform_emulator.state.store import Store
from hosting_platform_emulator.state.switches import Switches

TOKEN = "token-for-measuring-0123456789"
PATHS = ("/projects/project-77", "/user", "/projects?limit=100", "/aliases?limit=100")


class _NoConnection:
    number = 0
    is_fresh = False


def own_times(projects: int, repetitions: int = 200) -> dict[str, float]:
    """Milliseconds of processor time per request inside the application; of several batches the best."""
    emulator = Emulator(Store(":memory:"), Switches(), "owner@example.com", TOKEN)
    emulator.seed(seed_of(projects))
    application = Application(emulator, Access("127.0.0.1"))
    return {path: min(_batch(application, path, repetitions) for _ in range(5)) for path in PATHS}


def reset_time(projects: int) -> float:
    """Milliseconds of processor time that forgetting so many projects takes; of several times the best."""
    emulator = Emulator(Store(":memory:"), Switches(), "owner@example.com", TOKEN)

    def reset() -> float:
        emulator.seed(seed_of(projects))
        before = time.process_time()
        emulator.reset({})
        return (time.process_time() - before) * 1000

    return min(reset() for _ in range(10))


def seed_of(projects: int) -> dict[str, Any]:
    return {"projects": [{"name": f"project-{number}"} for number in range(projects)]}


def _batch(application: Application, path: str, repetitions: int) -> float:
    async def requests() -> float:
        before = time.process_time()
        for _ in range(repetitions):
            await application(_scope(path), _receive, _send)
        return (time.process_time() - before) / repetitions * 1000

    return asyncio.run(requests())


def _scope(path: str) -> dict[str, Any]:
    raw, _, query = path.encode().partition(b"?")
    headers = [(b"authorization", f"Bearer {TOKEN}".encode())]
    return {
        "type": "http",
        "method": "GET",
        "path": raw.decode(),
        "raw_path": raw,
        "query_string": query,
        "headers": headers,
        CONNECTION: _NoConnection(),
    }


async def _receive() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _send(message: Message) -> None:
    assert message.get("status", 200) == 200, message


def main() -> None:
    projects = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{'reset, of as many projects':32} {reset_time(projects):9.3f} ms")
    for path, milliseconds in own_times(projects).items():
        print(f"{'GET ' + path:32} {milliseconds:9.3f} ms")


if __name__ == "__main__":
    main()
