#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: login_verification
short_description: Get the access token of a confirmed login
version_added: 1.0.0
description:
  - Waits until the user has clicked the link in the confirmation message, and returns the access
    token.
  - The API's specification does not show the response before the click. Until O(wait_timeout) has
    passed, any response with a status from 400 to 499 means "not confirmed yet".
  - The result holds a secret. Set C(no_log=true) on the task, so that Ansible does not show it.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
attributes:
  check_mode:
    details: No request is sent, and the results are V(null).
  diff_mode:
    support: none
    details: There is nothing to compare.
  idempotent:
    support: none
    details: Every run is a new login.
options:
  access_token:
    description:
      - A bearer token, for a service that requires one even for a login. Do not write it literally
        into a playbook.
      - If not set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN) is used.
      - The file that the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN_PATH) names need not
        exist yet.
  email:
    description: The email address of the user, as in the request.
    type: str
    required: true
  verification_token:
    description: The RV(hosting.platform.login_request#module:verification_token) of the login
      request.
    type: str
    required: true
  wait:
    description: Whether to wait for the click. With V(false), the task fails at once if the login
      is not confirmed yet.
    type: bool
    default: true
  wait_timeout:
    description: The number of seconds to wait for the click. At most 86400.
    type: float
    default: 300.0
  wait_interval:
    description: The number of seconds between two requests. Above 0 and at most 86400.
    type: float
    default: 2.0
seealso:
  - module: hosting.platform.login_request
"""

EXAMPLES = r"""
- name: Request a login
  hosting.platform.login_request:
    email: ada@example.com
    token_name: nightly job
  register: login
  no_log: true

- name: Wait until the user has clicked the link
  hosting.platform.login_verification:
    email: ada@example.com
    verification_token: "{{ login.verification_token }}"
    wait_timeout: 600
  register: verified
  no_log: true

- name: Use the token
  hosting.platform.user_info:
    access_token: "{{ verified.access_token }}"
"""

RETURN = r"""
access_token:
  description: The bearer token. It is a secret. V(null) in check mode.
  returned: success
  type: str
  sample: tok_603deb1015ca71be2b73aef0857d7781
email:
  description: The email address of the user.
  returned: success
  type: str
  sample: ada@example.com
team_id:
  description: The identifier of the user's team.
  returned: success
  type: str
  sample: team_3
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /auth/verify
    method: GET
    path: /auth/verify
    status: 400
    code: 400
    message: 'Invalid value: token'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.user import verify_login
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.platform_module import action_module

OPTIONS = {
    "email": {"type": "str", "required": True},
    "verification_token": {"type": "str", "required": True, "no_log": True},
    "wait": {"type": "bool", "default": True},
    "wait_timeout": {"type": "float", "default": 300.0},
    "wait_interval": {"type": "float", "default": 2.0},
}
MODULE = action_module(
    verify_login, ArgumentSpec(OPTIONS), token_required=False, unmasked_key="access_token"
)
main = MODULE.run

if __name__ == "__main__":
    main()
