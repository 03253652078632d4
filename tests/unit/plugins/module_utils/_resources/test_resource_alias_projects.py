# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An alias is assigned to its project's name: not where that may mean another project."""

from __future__ import annotations

import pytest
from client import run

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._kinds.alias import Alias


@pytest.mark.parametrize("by", ["name", "id_or_name"])
def test_an_alias_is_not_assigned_to_a_name_that_may_mean_another_project(emulator, by):
    emulator.switch(alias_project_by=by)
    names = [{"name": "web", "id": "prj_web"}, {"name": "prj_web", "id": "prj_twin"}]
    emulator.seed(teams=[{"slug": "acme"}], projects=[{**project, "team": "acme"} for project in names])
    with pytest.raises(PlatformError, match="the name prj_web, which is that of prj_twin and also the id of prj_web"):
        run(Alias, emulator.base_url, alias="www.example.com", project="prj_twin", team="acme")
    assert emulator.writes == []
    run(Alias, emulator.base_url, alias="www.example.com", project="web", team="acme")


@pytest.mark.parametrize("check_mode", [True, False])
def test_an_alias_is_not_assigned_to_a_name_that_two_projects_bear(emulator, check_mode):
    emulator.switch(duplicate_names="allowed")
    emulator.seed(projects=[{"name": "web", "id": "prj_1"}, {"name": "web", "id": "prj_2"}])
    with pytest.raises(PlatformError, match="also the name of prj_2"):
        run(Alias, emulator.base_url, check_mode, alias="www.example.com", project="prj_1")
    assert emulator.writes == []
