# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: probe
short_description: What a test wants a module to do
description:
  - For tests only.
options: {}
"""

from ansible_collections.hosting.platform.plugins.module_utils._probe import MODULE

main = MODULE.run

if __name__ == "__main__":
    main()
