# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that the filters of a blueprint's outcome share."""

from __future__ import annotations


class ModuleDocFragment:
    """Extended by filters as C(hosting.platform.outcome)."""

    DOCUMENTATION = r"""
options:
  _input:
    description: The registered result.
    type: dict
    required: true
  check_mode:
    description: Whether the task ran in check mode.
    type: bool
    default: false
  option_prefix:
    description:
      - What precedes the names of the module's options in messages, because readers set them under other names. The
        role P(hosting.platform.converge#role) passes V(converge_).
    type: str
    default: ""
"""
