# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from typing import Any

from ..module_utils._errors import PlatformError
from ..plugin_utils._blueprint_run import BlueprintRun
from ..plugin_utils._in_process import InProcessAction


class ActionModule(InProcessAction):
    """Reads the blueprint's files, runs the module of the same name, shows its plan, and writes the outputs."""

    _run: BlueprintRun | None = None
