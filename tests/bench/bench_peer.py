# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The additions of BENCH_PEER=1: a peer's module, and a substitute for its two requests for an unchanged object."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PEER = "hetzner.hcloud.ssh_key"


class PeerService:
    """Answers any request for a key by its name; the latencies mean what the emulator's switches of these names do."""

    def __init__(self, port: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}"
        self.latency_ms = self.connect_latency_ms = 0


def key_named(name: str) -> dict[str, object]:
    created = "2026-01-01T00:00:00+00:00"
    return {"id": 1, "name": name, "fingerprint": "", "public_key": "", "labels": {}, "created": created}


@contextmanager
def running_peer_service() -> Iterator[PeerService]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        is_fresh = True

        def do_GET(self) -> None:
            delay = service.latency_ms + (service.connect_latency_ms if self.is_fresh else 0)
            self.is_fresh = False
            time.sleep(delay / 1000)
            (name,) = parse_qs(urlsplit(self.path).query)["name"]
            body = json.dumps({"ssh_keys": [key_named(name)]}).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            self.wfile.write(head.encode() + body)

        def log_message(self, *_details: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as listener:
        service = PeerService(listener.server_address[1])
        thread = threading.Thread(target=listener.serve_forever, daemon=True)
        thread.start()
        try:
            yield service
        finally:
            listener.shutdown()
            thread.join()
