# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools find Pythons that work, and a collection tree that does not contain itself."""

import interpreters
import pytest
from environments import CACHE, COLLECTION, chosen_ansible_environment, collection_tree


def test_core_without_a_python_names_the_required_versions(monkeypatch):
    monkeypatch.setitem(interpreters.CORES, "1.0", ("1.5", "1.6"))
    with pytest.raises(
        interpreters.NoPython, match=r"ansible-core 1\.0 needs one of Python 1\.5, 1\.6"
    ):
        interpreters.preferred_python("1.0")


def test_missing_ansible_core_names_the_installing_command(tmp_path, monkeypatch):
    monkeypatch.setenv("ANSIBLE_BIN", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="make integration installs it"):
        chosen_ansible_environment()


def test_collection_tree_does_not_contain_itself():
    links = list((collection_tree() / COLLECTION).iterdir())
    assert links
    assert [link for link in links if CACHE.is_relative_to(link.resolve())] == []
