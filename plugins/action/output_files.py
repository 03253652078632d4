# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

# The roles make their files with these. Strategies import an action plugin before they fork, so that all workers share
# what it imports; otherwise each of them would import the filters again for its own task.
from ansible_collections.hosting.platform.plugins.filter import (  # noqa: F401
    blueprint_failure,
    blueprint_files,
    blueprint_line,
    blueprint_markdown,
    blueprint_plan,
    blueprint_report,
    blueprint_steps,
    blueprint_used,
    visible,
)
from ansible_collections.hosting.platform.plugins.plugin_utils._in_process import InProcessAction


class ActionModule(InProcessAction):
    """Runs the module of the same name."""
