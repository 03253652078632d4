# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The attributes of the modules: what a user can rely on in check mode, in diff mode, and when a
task is repeated.
"""


class ModuleDocFragment:
    """Extended by modules as C(hosting.platform.attributes), after those of its parts that take
    precedence.
    """

    DOCUMENTATION = r"""
options: {}
attributes:
  check_mode:
    description: Can run in check mode and predict the changes without writing anything.
    support: full
    details: Each task is predicted by itself. What an earlier task of the play would rename or
      delete is still there.
  diff_mode:
    description: Returns details on what has changed, or would change in check mode, when in diff
      mode.
    support: full
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run
      changes nothing.
    support: full
  action_group:
    description: Use C(group/hosting.platform.all) in C(module_defaults) to set options for all
      modules at once.
    support: full
    membership:
      - hosting.platform.all
"""

    READS = r"""
options: {}
attributes:
  check_mode:
    details: The module only reads.
  diff_mode:
    support: N/A
    details: The module only reads.
  idempotent:
    details: The module only reads.
"""

    TEAM_GROUP = r"""
options: {}
attributes:
  action_group:
    description:
      - Use C(group/hosting.platform.all) in C(module_defaults) to set options for all modules at
        once, C(group/hosting.platform.team_scoped) for those that work on behalf of a team.
    membership:
      - hosting.platform.all
      - hosting.platform.team_scoped
"""
