# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a role passes to a controller with set_stats, also after a failure.

Core shows all of a result that has failed, and the steps of a plan may be thousands. So the result
names a file, in the folder that Ansible makes for one run and removes at its end.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets

from ansible import constants

from ...module_utils._run.invocation import Result
from ..files._atomic_files import write_atomically


def save_stats(result: Result, *, is_check: bool, has_plan: bool) -> str:
    """The path of a file with the counts, and in check mode the steps that the next node of a
    workflow may take: none where something failed or was refused. A plan that only drift fails
    stands.
    """
    stats = {"converge_summary": result["summary"]} if "summary" in result else {}
    if is_check:
        stats["converge_approved"] = result.get("steps", []) if has_plan else []
    path = os.path.join(constants.DEFAULT_LOCAL_TMP, secrets.token_hex(16))
    # Whoever misses the file is told by its path. What was done is worth more than a failure here.
    with contextlib.suppress(OSError):
        write_atomically(path, json.dumps(stats))
    return path
