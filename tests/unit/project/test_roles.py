# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a role may do so that it can be included anywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from environments import ROOT

ROLES = sorted((ROOT / "roles").iterdir())


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_a_role_may_be_included_in_a_loop(role: Path) -> None:
    """The loop that includes it has a variable, most often item: the role neither loops over it nor reads it."""
    texts = [
        file.read_text(encoding="utf-8")
        for folder in ("tasks", "vars", "defaults")
        for file in (role / folder).iterdir()
    ]
    assert len(texts) >= 3
    assert [text for text in texts if re.search(r"\b(item|loop_var)\b|^\s*(loop|with_\w+):", text, re.MULTILINE)] == []
