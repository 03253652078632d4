# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools find Pythons that work, and a collection tree that does not contain itself."""

from __future__ import annotations

import interpreters
import pytest
from environments import CACHE, COLLECTION, chosen_ansible_environment, collection_tree


def test_what_no_python_runs_fails_and_says_which_would_do(monkeypatch):
    monkeypatch.setitem(interpreters.CORES, "1.0", ("1.5", "1.6"))
    with pytest.raises(interpreters.NoPython, match=r"ansible-core 1\.0 needs one of Python 1\.5, 1\.6"):
        interpreters.preferred_python("1.0")


def test_who_installs_an_ansible_core_that_is_not_there_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("ANSIBLE_BIN", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="make integration installs it"):
        chosen_ansible_environment()


def test_nothing_in_the_collection_tree_contains_the_tree():
    links = list((collection_tree() / COLLECTION).iterdir())
    assert links
    assert [link for link in links if CACHE.is_relative_to(link.resolve())] == []
