# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that try to be executed or to mislead, and a canary that shows if one was executed."""

import itertools
import random
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

# COMMAND creates a file; CALL is an expression that runs it.
TEXTS = (
    "{{ CALL }}",
    "{% if CALL %}x{% endif %}",
    "{# x #}{{ CALL }}",
    "{{ '{{ CALL }}' }}",
    "#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ CALL ]]",
    "#jinja2: block_start_string:'<%', block_end_string:'%>'\n<% if CALL %><% endif %>",
    "#jinja2:line_statement_prefix:'%%'\n%% if CALL\nx\n%% endif",
    "#jinja2:variable_start_string:5\nx",
    "CALL == CALL",
    "[CALL]",
    "{'x': CALL}",
    "x' ~ CALL ~ 'x",
    "x' %}{{ CALL }}{% if 'x",
    "!unsafe x\n- !!python/object/apply:os.system ['COMMAND']",
    '"\n- name: "{{ CALL }}',
    "x # y\n  z: {{ CALL }}",
    "$(COMMAND)`COMMAND`;COMMAND;|COMMAND",
    "'\nCOMMAND\n'",
    "-oProxyCommand=COMMAND",
    "--ssh-common-args=-oProxyCommand=COMMAND",
    "root@localhost",
    "127.1",
    "x,all",
    "../../etc/passwd",
    "@playbook.yml",
    "ssh://-oProxyCommand=COMMAND/",
    '{"__ansible_unsafe": "{{ CALL }}"}',
    '{"__ansible_vault": "x"}',
    '{"__ansible_type": "_AnsibleTaggedStr", "tags": [{"__ansible_type": "TrustedAsTemplate"}],'
    ' "value": "{{ CALL }}"}',
    "$ANSIBLE_VAULT;1.1;AES256\n6162",
    "__omit_place_holder__x",
    *(
        "*x",
        "&x y",
        "<<",
        "---\n[]",
        "...",
        "%YAML 9.9",
        "? x",
        "yes",
        "0x1f",
        "1:30",
        "2024-13-45",
        "~",
        ".inf",
        " ",
    ),
    "<script>fetch('COMMAND')</script>",
    "![x](javascript:x) | @all `x` <!-- ",
    "\x1b]52;c;COMMAND\x07",
    "\x1b[2K\x1b[1A\rall is well\b\b\b",
    "\x9b2J",
    "\u202edetpecca\u2066",
    "x\x85y\u2028z\ufeff\x7f\u3164\U000e0041\u200b",
    "%(x)s %s {0} {x}",
    "\u00fcml\u00e4ut \u6771\u4eac \U0001f680",
    "x" * 600,
)
JOINTS = (
    "",
    " ",
    "\n",
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#jinja2:",
    "'",
    '"',
    "\\",
    "\\n",
    ": ",
    "- ",
    "\x1b",
    "\u202e",
)
# The texts of a project.
COMMANDS = ("buildCommand", "devCommand", "installCommand", "commandForIgnoringBuildStep")
FIELDS = ("alias", "framework", "outputDirectory", *COMMANDS)
# They evaluate all that is known of a host.
HOST_TASKS: list[dict[str, Any]] = [
    {
        "ansible.builtin.set_fact": {
            "kept": "{{ hostvars[inventory_hostname] }}",
            "host": "{{ inventory_hostname }}",
        }
    },
    {
        "ansible.builtin.debug": {
            "msg": "{{ [kept, host, hosting_name, each, composed, group_names, groups.keys()] }}"
        }
    },
]


class Canary:
    """``texts`` is an endless supply of hostile texts; ``canary_files`` are those that ran."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._random = random.Random(seed)  # noqa: S311 (it has to be repeatable)
        self._sent: list[str] = []
        self.texts = self._texts()
        self._names = self._texts()

    @property
    def canary_files(self) -> list[str]:
        return [self._sent[int(file.name)] for file in self.folder.glob("[0-9]*")]

    def _texts(self) -> Iterator[str]:
        """Every text once, then parts of two texts with a risky separator."""
        for text in itertools.chain(TEXTS, iter(self._joined, None)):
            number = len(self._sent)
            # In the folder, which is at home: the name of a host holds no slash and no space.
            command = f"cd;touch${{IFS}}{number}"
            self._sent.append(
                text.replace("CALL", "lookup('pipe','COMMAND')").replace("COMMAND", command)
            )
            yield self._sent[-1]

    def _joined(self) -> str:
        one, other = self._random.choices(TEXTS, k=2)
        return one + self._random.choice(JOINTS) + other[self._random.randrange(2) :]

    def name(self, longest: int = 100) -> str:
        """The next text of at most this length that is not only white space."""
        return next(text for text in self._names if len(text) <= longest and text.strip())

    def value(self, depth: int = 3) -> Any:
        """Any JSON value, with hostile text in keys, too."""
        kind = self._random.randrange(8 if depth else 4)
        if kind < 4:
            return (
                self._random.choice([next(self.texts), 7, 1e300, None])
                if kind == 3
                else next(self.texts)
            )
        if kind < 6:
            return [self.value(depth - 1) for _number in range(self._random.randrange(4))]
        trusted = {"__ansible_type": "TrustedAsTemplate"}
        return self._random.choice(
            [
                {next(self.texts): self.value(depth - 1), "plain": next(self.texts)},
                {"__ansible_unsafe": next(self.texts)},
                {"__ansible_vault": next(self.texts)},
                {
                    "__ansible_type": "_AnsibleTaggedStr",
                    "tags": [trusted],
                    "value": next(self.texts),
                },
            ]
        )


@contextmanager
def canary(seed: int = 0) -> Iterator[Canary]:
    """A canary whose folder is the home of all that is started meanwhile."""
    folder = Path(tempfile.mkdtemp())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        yield Canary(folder, seed)
    shutil.rmtree(folder)


def active_characters(text: str) -> set[str]:
    """The characters that control a terminal or change the text direction, line breaks aside."""
    bidirectional = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return {
        character
        for character in set(text) - {"\n"}
        if unicodedata.category(character) in ("Cc", "Zl", "Zp")
        or unicodedata.bidirectional(character) in bidirectional
    }
