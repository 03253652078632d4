# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The code blocks of the documentation, parsed and played."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import yaml
from ansible.parsing.yaml.loader import AnsibleLoader
from environments import ROOT
from player import Player

GUIDES = {
    path.stem.removeprefix("guide_"): path
    for path in sorted((ROOT / "docs/docsite/rst").glob("guide_*.rst"))
}
EXAMPLE_URL = "https://api.example.com"
READMES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "roles").glob("*/README.md")),
]
IN_REST = re.compile(
    r"^\.\. code-block:: (?P<language>\w+)\n\n(?P<text>(?:  .*\n|\n)+)", re.MULTILINE
)
IN_MARKDOWN = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
# The keywords that a task, a block or a play may have besides its module or its roles.
KEYWORDS = re.compile(
    r"name|hosts|gather_facts|connection|vars|module_defaults|environment|serial|strategy|tags|"
    r"ignore_errors|check_mode|diff|register|no_log|loop|loop_control|when|until|retries|delay|"
    r"changed_when|failed_when|delegate_to|run_once|async|poll"
)


class Block(NamedTuple):
    """``text`` may begin with a comment that names the file whose content it is."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        name = re.match(r"# (\S+\.\w+)\n", self.text)
        return name[1] if name else None

    @property
    def document(self) -> Any:
        loader: Any = AnsibleLoader  # a safe loader that supports !unsafe and !vault
        return yaml.load(self.text, loader)  # noqa: S506

    @property
    def is_playbook(self) -> bool:
        if self.language != "yaml" or not isinstance(self.document, list):
            return False
        return all(
            "hosts" in item or "ansible.builtin.import_playbook" in item for item in self.document
        )


def blocks(page: Path, *languages: str) -> Iterator[Block]:
    pattern = IN_REST if page.suffix == ".rst" else IN_MARKDOWN
    for found in pattern.finditer(page.read_text(encoding="utf-8")):
        if not languages or found["language"] in languages:
            yield Block(found["language"], dedent(found["text"]).strip() + "\n")


def is_printed(block: Block) -> bool:
    """True if a page shows the lines of a plan or an outcome."""
    return block.language == "text" and bool(re.match(r"Plan for|[+~-] \w|Done: ", block.text))


def missing_lines(block: Block, output: str, base_url: str) -> list[str]:
    """The lines of a block that a command did not print, in this order. ``base_url`` is where pages
    write ``https://api.example.com``.
    """
    printed = (line.strip().replace(base_url, EXAMPLE_URL) for line in output.splitlines())
    return [
        line for line in block.text.splitlines() if line.strip() not in printed
    ]  # each search goes on where the last ended


def expected_output(player: Player, line: str) -> str:
    """All that a command prints. One that is followed by ``||`` must fail."""
    command, alternative, _fallback = line.partition(" || ")
    program, *arguments = shlex.split(command)
    done = player.execute([player.bin / program, *arguments], {}, merged=True)
    assert bool(done.returncode) == bool(alternative), f"{line}\n{done.stdout}"
    return done.stdout


def commands(block: Block) -> list[str]:
    """Those of Ansible. The test has an installation, an address and a token of its own."""
    lines = block.text.splitlines() if block.language == "shell" else []
    return [line for line in lines if re.match("ansible(?!-galaxy)", line)]


def play_page(
    player: Player, page: Path, between: Callable[[str, str], None] = lambda *_run: None
) -> list[str]:
    """Write the files of a page and run its commands, one after the other. What it shows was
    printed before.
    """
    printed: list[str] = []
    for block in blocks(page):
        if block.file:
            write_file(player.folder, block)
        for line in commands(block):
            printed.append(expected_output(player, line))
            between(line, printed[-1])
        if is_printed(block):
            assert missing_lines(block, "\n".join(printed[-2:]), player.emulator.base_url) == [], (
                printed[-2:]
            )
    return printed


def write_file(folder: Path, block: Block) -> None:
    path = folder / str(block.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


def is_changed(output: str) -> bool:
    return bool(re.search(r"changed=[1-9]|\| CHANGED", output))


def actions(items: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The modules and roles of plays and tasks, with their options, at any depth of blocks."""
    for item in items:
        for key, value in item.items():
            if key in ("tasks", "pre_tasks", "post_tasks", "handlers", "block", "rescue", "always"):
                yield from actions(value)
            elif key == "roles":
                yield from ((role.pop("role"), role) for role in map(dict, value))
            elif not KEYWORDS.fullmatch(key):
                yield key, value
