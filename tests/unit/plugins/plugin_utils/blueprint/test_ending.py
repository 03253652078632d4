# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a run ends that came to no result of its own."""

from typing import Any

import pytest

from ansible_collections.hosting.platform.plugins.plugin_utils.blueprint._approval import Approval
from ansible_collections.hosting.platform.plugins.plugin_utils.blueprint._blueprint_run import (
    BlueprintRun,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.blueprint._ending import add_words
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._result_view import (
    EMPTY_PLAN,
)


@pytest.mark.parametrize(
    ("is_begun", "more", "outcome"),
    [
        (True, {}, "Failed: what was changed is unknown."),
        (False, {}, "Failed: nothing was changed."),
        (False, {"module_stderr": "Killed"}, "Failed: what was changed is unknown."),
    ],
)
def test_a_crash_behind_the_plan_leaves_open_what_was_changed(
    is_begun: bool, more: dict[str, Any], outcome: str
) -> None:
    options = {"plan": "", "confirm": False, "fail_on_drift": False, "fail_on_undeclared": False}
    run = BlueprintRun(
        {},
        "",
        warnings=[],
        host="",
        is_check=False,
        is_shown=True,
        options=options,
        approval=Approval(None),
        outputs={},
        base_url="",
        plan=dict(EMPTY_PLAN),
        is_begun=is_begun,
    )
    result = {"failed": True, "msg": "crashed", **more}
    add_words(result, run)
    assert result["outcome"] == outcome
