# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of files, as tests write them."""

from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Each text under its path in the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def write(folder: Path, **files: str) -> Path:
    """``a__b`` is the file ``a/b.yml``."""
    paths = {name.replace("__", "/"): content for name, content in files.items()}
    return write_files(
        folder,
        {path if Path(path).suffix else f"{path}.yml": content for path, content in paths.items()},
    )
