# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Galaxy server with one collection: ansible-galaxy verifies signatures only of collections from a server."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripted import Answer, Asked, answer_json, scripted


@contextmanager
def galaxy_server(artifact: Path) -> Iterator[str]:
    """The address of a server that offers the artifact, NAMESPACE-NAME-VERSION.tar.gz, reading it on each request."""
    namespace, name, version = artifact.name.removesuffix(".tar.gz").split("-")
    collection = f"/v3/collections/{namespace}/{name}/"

    def answer(asked: Asked) -> Answer:
        path = asked.target.partition("?")[0]
        if path == "/download":
            return Answer(body=artifact.read_bytes())
        found = documents().get(path)
        return answer_json({}, 404) if found is None else answer_json(found)

    def documents() -> dict[str, Any]:
        href = f"{collection}versions/{version}/"
        newest = {"version": version, "href": href}
        details = {
            **newest,
            "namespace": {"name": namespace},
            "collection": {"name": name},
            "download_url": f"{server.base_url}/download",
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

    with scripted(answer) as server:
        yield server.base_url
