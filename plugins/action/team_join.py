# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from ..plugin_utils.tasks._in_process import InProcessAction


class ActionModule(InProcessAction):
    """Runs the module of the same name."""


main = ActionModule.main
