# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan file: a result of the module ``blueprint`` for programs, and the steps that a later run
may take.
"""

from __future__ import annotations

import json

from ...module_utils._run.invocation import Result
from ._quoting import Row
from ._result_view import COUNTS, EMPTY_PLAN, ResultView

NOT_ENDED = (
    "The run that writes this file has not ended. If it was interrupted, run it again: it does"
    " what is left."
)
UNFINISHED: Result = {"failed": True, "msg": NOT_ENDED, "outcome": NOT_ENDED}


def plan_file(view: ResultView) -> str:
    """The text of the file. A result without a plan approves nothing."""
    known = {key: view.result[key] for key in EMPTY_PLAN if view.result[key]}
    summary = {**COUNTS, **view.result["summary"]}
    return plan_json({**EMPTY_PLAN, **known, "check": view.is_check, "summary": summary})


def plan_json(plan: Row) -> str:
    """A plan as the text of its file."""
    return json.dumps(plan, indent=2, default=str) + "\n"
