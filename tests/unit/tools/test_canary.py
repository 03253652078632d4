# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults with a coming ansible-core are reported, and fail nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import canary
import check
from commands import run_pytest
from environments import ROOT


def played(tmp_path, test):
    file = tmp_path / "test_it.py"
    file.write_text(f"def test_it():\n    {test}\n")
    return canary.outcome(lambda: run_pytest(Path(sys.executable), [str(file), "-p", "no:cacheprovider"], os.environ))


def test_what_fails_is_told(tmp_path):
    assert played(tmp_path, "assert 0").startswith("FAILED: pytest  1 failed")


def test_what_passes_is_told(tmp_path):
    assert played(tmp_path, "assert 1").startswith("passed  1 passed")


def test_no_check_waits_for_it():
    assert "canary" not in check.SECTIONS


def test_every_section_has_its_tests():
    files = [argument for arguments in canary.TESTS.values() for argument in arguments if argument.startswith("tests/")]
    assert files
    assert [file for file in files if not (ROOT / file).exists()] == []
