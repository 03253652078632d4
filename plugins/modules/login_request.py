#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: login_request
short_description: Request a login by email
version_added: 1.0.0
description:
  - Requests a login. The service sends a confirmation message to the email address. After the user
    has clicked the link in the message, M(hosting.platform.login_verification) gets the access
    token.
  - A request whose response was lost is not sent again, so that the user does not get two messages.
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
    description: The email address of the user.
    type: str
    required: true
  token_name:
    description: A name by which the user can recognize the token later.
    type: str
    required: true
seealso:
  - module: hosting.platform.login_verification
"""

EXAMPLES = r"""
- name: Request a login
  hosting.platform.login_request:
    email: ada@example.com
    token_name: nightly job
  register: login
  no_log: true

- name: Show the security code
  ansible.builtin.debug:
    msg: "Click the link in the message with the code {{ login.security_code }}."
"""

RETURN = r"""
verification_token:
  description: The token for M(hosting.platform.login_verification). It is a secret. V(null) in
    check mode.
  returned: success
  type: str
  sample: vrf_2b7e151628aed2a6abf7158809cf4f3c
security_code:
  description:
    - A code that the confirmation message shows as well, by which the user can tell that the
      message belongs to this request. It is not a secret. V(null) in check mode.
  returned: success
  type: str
  sample: Calm Otter
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: POST /auth/signin
    method: POST
    path: /auth/signin
    status: 400
    code: 400
    message: 'Invalid value: email'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.user import request_login
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.platform_module import action_module

OPTIONS = {
    "email": {"type": "str", "required": True},
    "token_name": {"type": "str", "required": True, "no_log": False},
}
MODULE = action_module(
    request_login, ArgumentSpec(OPTIONS), token_required=False, unmasked_key="verification_token"
)
main = MODULE.run

if __name__ == "__main__":
    main()
