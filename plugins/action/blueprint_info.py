# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ..plugin_utils._in_process import InProcessAction
from ..plugin_utils._vaulted import vaulted_texts, without_vaulted


class ActionModule(InProcessAction):
    """Runs the module of the same name, and keeps vaulted values of ``undeclared_in`` out of its result."""

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        texts = vaulted_texts(self._task.args.get("undeclared_in"))
        result = super().run(tmp, task_vars)
        # The export is the service's own text, which may equal a vaulted value.
        exported = {key: result[key] for key in ("blueprint",) if key in result}
        return {**without_vaulted(result, texts), **exported}
