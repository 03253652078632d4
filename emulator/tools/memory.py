# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the memory that an emulator takes after so many requests.

Usage: python tools/memory.py [number of requests, rising ...]
"""

from __future__ import annotations

import itertools
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
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
    requests = (_bytes(*request) for request in itertools.cycle(_REQUESTS))
    done = 0
    for count in counts:
        connection = socket.create_connection((str(address.hostname), address.port or 80), timeout=60)
        with connection, connection.makefile("rb") as answers:
            for request in itertools.islice(requests, count - done):
                connection.sendall(request)
                _read_answer(answers)
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


def _bytes(method: str, path: str, document: object) -> bytes:
    body = b"" if document is None else json.dumps(document).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def _read_answer(answers: Any) -> None:
    length = 0
    while (line := answers.readline()) not in (b"\r\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    answers.read(length)


def _resident(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    assert found
    return int(found[1]) / 1024


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:]] or [10_000, 100_000]
    for count, mebibytes in memory_after(counts):
        print(f"after {count:9,} requests {mebibytes:7.1f} MiB", flush=True)


if __name__ == "__main__":
    main()
