# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The provenance of a release: an in-toto statement with SLSA's predicate, which tells how it was built and of what."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REPOSITORY = "https://github.com/hosting-platform/hosting.platform"
# The tools that affect the bytes of the files.
TOOLS = ("ansible-core", "cyclonedx-bom", "pip", "setuptools")


def write(folder: Path, commit: str, checksums: Mapping[str, str]) -> None:
    """Write the statement. It contains no time, so that it is reproducible."""
    versions = {name: importlib.metadata.version(name) for name in TOOLS}
    versions |= {"python": platform.python_version(), "zlib": zlib.ZLIB_RUNTIME_VERSION}
    text = json.dumps(statement(commit, checksums, versions), indent=2)
    (folder / "provenance.intoto.json").write_text(f"{text}\n")


def statement(commit: str, checksums: Mapping[str, str], versions: Mapping[str, str]) -> dict[str, Any]:
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in checksums.items()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{REPOSITORY}/blob/main/CONTRIBUTING.md#make-a-release",
                "externalParameters": {"target": "artifacts", "repository": REPOSITORY},
                "resolvedDependencies": [{"uri": f"git+{REPOSITORY}", "digest": {"gitCommit": commit}}],
            },
            "runDetails": {"builder": {"id": f"{REPOSITORY}/blob/main/Makefile", "version": versions}},
        },
    }
