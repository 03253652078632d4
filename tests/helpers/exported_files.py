# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An export of a small platform as files, and how the text of such a file begins."""

import hashlib
from pathlib import Path
from typing import Any

from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_files import (
    ExportFiles,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_texts import (
    FIRST_LINE,
    schema_address,
)

PLATFORM: dict[str, Any] = {
    "teams": [{"slug": "acme"}, {"slug": "projects"}],
    "projects": [{"name": "web", "team": "acme"}, {"name": "mine", "own_scope": True}],
    "aliases": [{"alias": "www.example.com", "project": "web", "team": "acme"}],
}


def export(
    folder: Path, blueprint: Any = None, layout: str = "kinds", beside: str = ""
) -> ExportFiles:
    beside_it = [Path(beside)] if beside else []
    return ExportFiles(PLATFORM if blueprint is None else blueprint, layout, str(folder), beside_it)


def written(folder: Path, *arguments: Any, **more: Any) -> dict[str, str]:
    export(folder, *arguments, **more).write()
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.yml")
    }


def exported(kind: str, body: str) -> str:
    """The text of an export's file."""
    checksum = hashlib.sha256(body.encode()).hexdigest()[:16]
    schema = f"# yaml-language-server: $schema={schema_address(kind)}"
    return f"{FIRST_LINE} Checksum: {checksum}\n{schema}\n---\n{body}"
