# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of the inventory plugin, and the output of ansible-inventory for them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import yaml
from player import Player

PLUGIN = "hosting.platform.projects"


class Inventory:
    """``listed`` returns the inventory of a source."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def source(self, name: str = "demo", /, **options: Any) -> Path:
        path = self.player.folder / f"{name}.hosting_platform.yml"
        path.write_text(yaml.safe_dump({"plugin": PLUGIN, **options}, sort_keys=False))
        return path

    def run(
        self, *arguments: str | Path, **environment: str | None
    ) -> subprocess.CompletedProcess[str]:
        return self.player.execute([self.player.bin / "ansible-inventory", *arguments], environment)

    def listed(
        self, source: Path, *arguments: str | Path, **environment: str | None
    ) -> dict[str, Any]:
        document: dict[str, Any]
        document, warnings = self.listed_and_warned(source, *arguments, **environment)
        assert not warnings
        return document

    def listed_and_warned(
        self, source: Path, *arguments: str | Path, **environment: str | None
    ) -> tuple[Any, str]:
        """The parsed list, and stderr without white space, which depends on the terminal."""
        done = self.run("-i", source, "--list", *arguments, **environment)
        return parsed(done.stdout), squeezed(done.stderr)


def parsed(listed: str) -> dict[str, Any]:
    """The list, without the marks of untrusted text."""
    document: dict[str, Any] = json.loads(
        listed, object_hook=lambda found: found.get("__ansible_unsafe", found)
    )
    return document


def squeezed(text: str) -> str:
    """The text without white space, as core wraps messages, even at hyphens."""
    return "".join(text.split())


def script_of(listed: str, path: Path) -> str:
    """An inventory that prints what was listed before, as a controller has it."""
    data = path.with_suffix(".json")
    data.write_text(listed)
    path.write_text(f"#!/bin/sh\ncat {data}\n")
    path.chmod(0o755)
    return str(path)
