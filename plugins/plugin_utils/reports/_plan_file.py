# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan file: a result of the module ``blueprint`` for programs, and the steps that a later run
may take.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...module_utils._converge.result import ACTIONS

PlanDocument = Mapping[str, Any]

FORMAT = 1
COUNTS = {**dict.fromkeys(ACTIONS, 0), "along": 0, "failed": 0, "undeclared": 0, "requests": None}
NOT_ENDED = (
    "The run that writes this file has not ended. If it was interrupted, run it again: it does"
    " what is left."
)
# What the file holds where a result says nothing.
EMPTY_PLAN: PlanDocument = {
    "format": FORMAT,
    "base_url": None,
    "check": False,
    "changed": False,
    "failed": False,
    "refused": False,
    "refusals": [],
    "msg": None,
    "outcome": None,
    "summary": COUNTS,
    "guards": None,
    "plan_warnings": [],
    "results": [],
    "undeclared": [],
    "steps": [],
}
UNFINISHED: PlanDocument = {"failed": True, "msg": NOT_ENDED, "outcome": NOT_ENDED}


def plan_file(result: PlanDocument, *, is_check: bool) -> str:
    """The text of the file. A result without a plan approves nothing."""
    known = {key: result[key] for key in EMPTY_PLAN if result.get(key)}
    summary = {**COUNTS, **result.get("summary", {})}
    return plan_json({**EMPTY_PLAN, **known, "check": is_check, "summary": summary})


def plan_json(plan: PlanDocument) -> str:
    """A plan as the text of its file."""
    return json.dumps(plan, indent=2, default=str) + "\n"
