# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The least that a module can do: what the bench compares real ones with."""

from __future__ import annotations

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = """
module: empty
short_description: Does nothing
description: [For the bench only.]
options:
  name:
    description: Nothing is done with it.
    type: str
"""


def main() -> None:
    AnsibleModule({"name": {"type": "str"}}).exit_json(changed=False)


if __name__ == "__main__":
    main()
