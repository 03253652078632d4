# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import importlib

from ..plugin_utils._in_process import InProcessAction

# The roles make their files with these. Strategies import an action plugin before they fork, so that all workers share
# what it imports; otherwise each of them would import the filters again for its own task.
for name in ("failure", "files", "line", "markdown", "plan", "report", "steps", "used"):
    importlib.import_module(f"ansible_collections.hosting.platform.plugins.filter.blueprint_{name}")


class ActionModule(InProcessAction):
    """Runs the module of the same name."""
