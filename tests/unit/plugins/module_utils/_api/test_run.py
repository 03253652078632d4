# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker whose parent has ended writes nothing more."""

from __future__ import annotations

import os

import pytest
from client import api_to, make_project

from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError

WRITES = {
    "create": make_project,
    "change": lambda api: api.update_project("web", {}),
    "delete": lambda api: api.delete_project("web"),
    "join": lambda api: api.join_team("acme", {"inviteCode": "code-0123456789"}),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_nothing_is_written_once_the_parent_has_ended(emulator, write):
    api = api_to(emulator.base_url)
    api.http.begin_run(Run(parent=os.getppid() + 1))
    api.get_user()
    with pytest.raises(PlatformError, match="has ended, so nothing more is written"):
        write(api)
    assert emulator.operations == ["GET /user"]


@pytest.mark.parametrize("parent", [None, os.getppid()])
def test_a_parent_that_lives_or_that_is_not_watched_stops_nothing(emulator, parent):
    api = api_to(emulator.base_url)
    api.http.begin_run(Run(parent=parent))
    assert make_project(api)["name"] == "web"
