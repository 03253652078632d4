# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A collection's artifact whose bytes depend only on its content and one timestamp."""

from __future__ import annotations

import copy
import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

MANIFEST, FILES = "MANIFEST.json", "FILES.json"


def repack(artifact: Path, time: int) -> None:
    """Rewrite the artifact: ansible-galaxy adds files in directory order, with the current time."""
    members, contents = _read(artifact)
    contents[FILES] = _in_order(contents[FILES])
    contents[MANIFEST] = _naming(contents[MANIFEST], contents[FILES])
    names = [MANIFEST, FILES, *sorted(members.keys() - {MANIFEST, FILES})]
    with (
        artifact.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=time) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name in names:
            member = copy.copy(members[name])
            member.mtime = time
            member.size = len(contents[name])
            member.pax_headers = {}
            archive.addfile(member, io.BytesIO(contents[name]))


def _read(artifact: Path) -> tuple[dict[str, tarfile.TarInfo], dict[str, bytes]]:
    with tarfile.open(artifact) as archive:
        members = {member.name: member for member in archive}
        files = {name: archive.extractfile(member) for name, member in members.items() if member.isreg()}
        return members, {name: file.read() if (file := files.get(name)) else b"" for name in members}


def _in_order(content: bytes) -> bytes:
    listed = json.loads(content)
    listed["files"].sort(key=lambda file: file["name"])
    return _json(listed)


def _naming(manifest: bytes, files: bytes) -> bytes:
    """The manifest with the checksum of the list of files."""
    stated = json.loads(manifest)
    stated["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(files).hexdigest()
    return _json(stated)


def _json(document: object) -> bytes:
    return json.dumps(document, indent=1).encode()
