# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ..module_utils._converge.change import NOT_INVITED
from ..plugin_utils._in_process import InProcessAction, show
from ..plugin_utils._vaulted import result_without_vaulted, vaulted_texts


class ActionModule(InProcessAction):
    """Runs the module of the same name, and keeps vaulted values of the blueprint out of its result.

    It says how many invitations are not sent, as a module in a process of its own could only warn.
    """

    _blueprint_option = "blueprint"

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        texts = vaulted_texts(self._task.args.get(self._blueprint_option))
        result = super().run(tmp, task_vars)
        left = sum(entry["reason"] == NOT_INVITED for entry in result.get("results", []))
        if left:
            count = "1 invitation is" if left == 1 else f"{left} invitations are"
            show(f"blueprint: {count} not sent, because invite is not set.")
        return result_without_vaulted(result, texts)
