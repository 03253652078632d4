#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: user_info
short_description: Get information about the token's user
version_added: 1.0.0
description:
  - Returns the user that the access token belongs to. Use the module to check the address and the
    token.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes.reads
  - hosting.platform.attributes
"""

EXAMPLES = r"""
- name: Get the token's user
  hosting.platform.user_info:
    base_url: https://api.example.com
  register: me

- name: Show the user's name
  ansible.builtin.debug:
    msg: "{{ me.user.name }}"
"""

RETURN = r"""
user:
  description:
    - The user, with every field of the API under its name in snake_case. Fields that the API's
      specification does not list are kept.
  returned: success
  type: dict
  contains:
    id:
      description: The identifier of the user.
      type: str
      sample: user_12
    username:
      description: The user name.
      type: str
      sample: ada
    name:
      description: The full name of the user.
      type: str
      sample: Ada Lovelace
    email:
      description: The email address of the user.
      type: str
      sample: ada@example.com
    created_at:
      description: When the user was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the user was last updated, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /user
    method: GET
    path: /user
    status: 401
    code: null
    message: null
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.user import read_user
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.platform_module import info_module

MODULE = info_module("user", read_user, ArgumentSpec({}))
main = MODULE.run

if __name__ == "__main__":
    main()
