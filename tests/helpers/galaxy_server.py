# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Galaxy server with one collection: ansible-galaxy verifies signatures only of collections from a server."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@contextmanager
def galaxy_server(artifact: Path) -> Iterator[str]:
    """The address of a server that offers the artifact, NAMESPACE-NAME-VERSION.tar.gz, reading it on each request."""
    namespace, name, version = artifact.name.removesuffix(".tar.gz").split("-")
    collection = f"/v3/collections/{namespace}/{name}/"

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/download":
                self._answer(200, artifact.read_bytes())
            elif path in documents():
                self._answer(200, json.dumps(documents()[path]).encode())
            else:
                self._answer(404, b"{}")

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Log nothing."""

    def documents() -> dict[str, Any]:
        href = f"{collection}versions/{version}/"
        newest = {"version": version, "href": href}
        details = {
            **newest,
            "namespace": {"name": namespace},
            "collection": {"name": name},
            "download_url": f"{address}/download",
            "artifact": {"sha256": hashlib.sha256(artifact.read_bytes()).hexdigest()},
            "metadata": {"dependencies": {}},
            "signatures": [],
        }
        return {
            "/": {"available_versions": {"v3": "v3/"}},
            collection: {"namespace": namespace, "name": name, "highest_version": newest},
            f"{collection}versions/": {"meta": {"count": 1}, "links": {"next": None}, "data": [newest]},
            href: details,
        }

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield address
        finally:
            server.shutdown()
