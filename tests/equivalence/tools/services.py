# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The services of the plays: a service that only counts for the probe, the emulator for the real modules."""

from __future__ import annotations

import collections
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from emulated import running_emulator
from real_modules import SEED

Requests = dict[str, int]


@dataclass
class Service:
    """``counted`` says which requests came, and how often: those that must be the same on both ways."""

    base_url: str
    token: str
    counted: Callable[[], Requests]


@contextmanager
def counting() -> Iterator[Service]:
    counts: collections.Counter[str] = collections.Counter()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            counts[self.path] += 1
            projects = [{"name": "x", "id": "prj_1"}]
            body = json.dumps({"projects": projects, "count": counts[self.path]}).encode()
            self.send_response(404 if self.path == "/missing" else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            """Nothing to be told."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Service(f"http://127.0.0.1:{server.server_port}", "tokentokentoken", lambda: dict(counts))
        finally:
            server.shutdown()


@contextmanager
def emulated() -> Iterator[Service]:
    """Only writes are counted: in the worker, lists that were read for one item serve the next."""
    with running_emulator() as emulator:
        emulator.seed(**SEED)
        emulator.forget_requests()

        def writes() -> Requests:
            return dict(collections.Counter(write.split()[0] for write in emulator.writes))

        yield Service(emulator.base_url, emulator.token, writes)
