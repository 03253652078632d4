# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools find Pythons that work, and a collection tree that does not contain itself."""

from __future__ import annotations

import os

import interpreters
import pytest
from environments import CACHE, COLLECTION, collection_tree


@pytest.fixture
def shims(tmp_path, monkeypatch):
    """A version manager's commands: they lie first on PATH, and run nothing."""
    for version in interpreters.DEVELOPMENT_PYTHONS:
        shim = tmp_path / f"python{version}"
        shim.write_text("#!/bin/sh\nexit 127\n")
        shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    interpreters.interpreters.cache_clear()
    yield tmp_path
    interpreters.interpreters.cache_clear()


def test_a_shim_that_does_not_run_is_no_python(shims):
    found = interpreters.interpreters()
    assert found
    assert [python for python in found.values() if python.parent == shims] == []


def test_what_no_python_runs_fails_and_says_which_would_do(monkeypatch):
    monkeypatch.setitem(interpreters.CORES, "1.0", ("1.5", "1.6"))
    with pytest.raises(interpreters.NoPython, match=r"ansible-core 1\.0 one of Python 1\.5, 1\.6 is needed"):
        interpreters.python_for("1.0")


def test_nothing_in_the_collection_tree_contains_the_tree():
    links = list((collection_tree() / COLLECTION).iterdir())
    assert links
    assert [link for link in links if CACHE.is_relative_to(link.resolve())] == []
