# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make pins writes what the pipelines install, and touches nothing else of them."""

import re
import textwrap
from pathlib import Path

import pytest
from pins import INSTALLED, PIPELINES, with_blocks

PIN = re.compile(r"^(\S+)==(\S+)(.*?)((?: \\\n +--hash=sha256:\w+)+)$", re.MULTILINE)


@pytest.mark.parametrize("pipeline", PIPELINES, ids=lambda pipeline: pipeline.name)
def test_the_same_pins_change_nothing(pipeline: Path) -> None:
    text = pipeline.read_text(encoding="utf-8")
    installed: list[list[str]] = []
    checksums: dict[str, set[str]] = {}
    for found in INSTALLED.finditer(text):
        pins = PIN.findall(textwrap.dedent(found[0]))
        for name, _version, _marker, hashes in pins:
            checksums[name.strip()] = set(re.findall(r"sha256:(\w+)", hashes))
        installed.append([f"{name}=={version}{marker}" for name, version, marker, _hashes in pins])
    assert [len(pins) > 8 for pins in installed] == [True, True]
    assert with_blocks(text, installed, checksums) == text
    changed = with_blocks(text, [["ansible-core==9"], ["check-jsonschema==9"]], checksums)
    assert INSTALLED.sub("", changed) == INSTALLED.sub("", text)
    assert "    ansible-core==9 \\\n" in changed
