# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the filters of a result are given by mistake."""

from __future__ import annotations

import re
from functools import partial

import pytest
from ansible.errors import AnsibleFilterError
from outcomes import RESULTS, outcome

from ansible_collections.hosting.platform.plugins.filter.blueprint_failure import blueprint_failure
from ansible_collections.hosting.platform.plugins.filter.blueprint_line import blueprint_line
from ansible_collections.hosting.platform.plugins.filter.blueprint_markdown import blueprint_markdown
from ansible_collections.hosting.platform.plugins.filter.blueprint_plan import blueprint_plan
from ansible_collections.hosting.platform.plugins.filter.blueprint_report import blueprint_report
from ansible_collections.hosting.platform.plugins.filter.blueprint_used import blueprint_used


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{}", ", and is text."),
        ([outcome(RESULTS)], ", and is a list."),
        (5, ", and is a number."),
        ({"changed": False, "skipped": True}, ", and the task was skipped, has not finished, or is another one."),
        ({"changed": False, "results": "text"}, ", and is that of another module."),
        ({"changed": False, "results": ["text"]}, ", and is that of another module."),
        ({"failed": True, "msg": "no", "results": [outcome(RESULTS)]}, ". That of a loop contains one such result"),
    ],
)
@pytest.mark.parametrize(
    "told",
    [
        blueprint_failure,
        blueprint_line,
        blueprint_markdown,
        blueprint_plan,
        blueprint_report,
        partial(blueprint_used, "{}"),
    ],
)
def test_what_is_no_result_of_one_task_is_refused_in_yaml_terms(told, wrong, said):
    beginning = "The input must be the registered result of one task with hosting.platform.blueprint"
    with pytest.raises(AnsibleFilterError, match=re.escape(beginning + said)):
        told(wrong)
