# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on editors: what it says of check-jsonschema is played."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

from environments import ROOT, development_environment
from guides import GUIDES

PAGE = GUIDES["editor"].read_text(encoding="utf-8")
(COMMAND,) = re.findall(r"^  (check-jsonschema .*)$", PAGE, re.MULTILINE)
WRONG = "- name: shop\n  framwork: nextjs\n- name: 1.10\n"
TAGGED = "- name: shop\n  build_command: !unsafe '{{ command }}'\n"


def checked(folder: Path, content: str) -> subprocess.CompletedProcess[str]:
    """The command of the page, for one file."""
    (folder / "blueprint/projects").mkdir(parents=True, exist_ok=True)
    (folder / "blueprint/projects/shop.yml").write_text(content, encoding="utf-8")
    (folder / "projects.schema.json").write_bytes((ROOT / "docs/schemas/projects.schema.json").read_bytes())
    command = shlex.split(COMMAND.replace("*.yml", "shop.yml"))
    tool = development_environment() / command[0]
    return subprocess.run([tool, *command[1:]], cwd=folder, check=False, text=True, capture_output=True)


def test_what_the_page_shows_is_said_of_a_wrong_file(tmp_path: Path) -> None:
    done = checked(tmp_path, WRONG)
    assert done.returncode == 1
    said = [line.strip() for line in done.stdout.splitlines() if "::$" in line]
    shown = re.findall(r"^  (blueprint/projects/shop\.yml::.*)$", PAGE, re.MULTILINE)
    assert said == shown
    assert len(shown) == 2


def test_tags_of_ansible_are_not_read(tmp_path: Path) -> None:
    tagged = checked(tmp_path, TAGGED)
    assert tagged.returncode == 1
    assert "!unsafe" in tagged.stdout
