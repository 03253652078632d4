# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from .blueprint import ActionModule as BlueprintAction


class ActionModule(BlueprintAction):
    """Runs the module of the same name, and keeps vaulted values of ``undeclared_in`` out of its result."""

    _blueprint_option = "undeclared_in"
