# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A collection's artifact whose bytes depend only on its content and one timestamp."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

MANIFEST, FILES = "MANIFEST.json", "FILES.json"


def repack(artifact: Path, time: int) -> None:
    """Rewrite the artifact: ansible-galaxy adds files in directory order, with the current time."""
    with tarfile.open(artifact) as archive:
        members = {member.name: member for member in archive}
        files = {name: archive.extractfile(member) for name, member in members.items() if member.isreg()}
        contents = {name: file.read() for name, file in files.items() if file}
    listed, stated = json.loads(contents[FILES]), json.loads(contents[MANIFEST])
    listed["files"].sort(key=lambda file: file["name"])
    contents[FILES] = _json(listed)
    stated["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(contents[FILES]).hexdigest()
    contents[MANIFEST] = _json(stated)
    with (
        artifact.open("wb") as packed,
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=time) as unpacked,
        tarfile.open(fileobj=unpacked, mode="w") as archive,
    ):
        for name in (MANIFEST, FILES, *sorted(members.keys() - {MANIFEST, FILES})):
            member, content = members[name], contents.get(name, b"")
            member.mtime, member.size, member.pax_headers = time, len(content), {}
            archive.addfile(member, io.BytesIO(content))


def _json(document: object) -> bytes:
    return json.dumps(document, indent=1).encode()
