# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the memory that an emulator takes after so many requests.

Usage: python tools/memory.py [number of requests, rising ...]
"""

from __future__ import annotations

import itertools
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

TOKEN = "token-for-measuring-0123456789"
_PADDING = "x" * 2000


def memory_after(counts: list[int], *options: str) -> Iterator[tuple[int, float]]:
    """MiB of memory that one emulator takes after each number of requests."""
    command = [sys.executable, "-m", "hosting_platform_emulator", "--port", "0", "--owner-token", TOKEN, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield from _measured(process.pid, process.stdout.readline().split()[-1], counts)
        finally:
            process.terminate()


def _measured(process: int, base_url: str, counts: list[int]) -> Iterator[tuple[int, float]]:
    address = urlsplit(base_url)
    requests = itertools.cycle(_REQUESTS)
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    done = 0
    for count in counts:
        with closing(HTTPConnection(str(address.hostname), address.port or 80, timeout=60)) as connection:
            for method, path, document in itertools.islice(requests, count - done):
                body = None if document is None else json.dumps(document)
                connection.request(method, path, body, headers)
                connection.getresponse().read()
        done = count
        yield count, _resident(process)


_REQUESTS: list[tuple[str, str, object]] = [
    ("POST", "/projects", {"name": "web", "buildCommand": _PADDING}),
    ("GET", "/projects/web", None),
    ("GET", "/projects?limit=100", None),
    ("PATCH", "/projects/web", {"framework": "vite"}),
    ("PATCH", "/projects/web", {"framework": [[[]]] * 200}),
    ("POST", "/web/alias", {"alias": "www.example.com"}),
    ("GET", "/projects/none", None),
    ("GET", f"/projects?surprise={_PADDING}", None),
    ("POST", "/auth/signin", {"email": "dev@example.com", "tokenName": "laptop"}),
    ("DELETE", "/projects/web", None),
    ("GET", "/_emulator/faults", None),
]
"""Requests that are sent over and over: every project that is created is deleted."""


def _resident(process: int) -> float:
    _size, resident_pages, *_ = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    return int(resident_pages) * resource.getpagesize() / 1024**2


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:]] or [10_000, 100_000]
    for count, mebibytes in memory_after(counts):
        print(f"after {count:9,} requests {mebibytes:7.1f} MiB", flush=True)


if __name__ == "__main__":
    main()
