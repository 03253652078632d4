#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: login_request
short_description: Request a login by email
version_added: 1.0.0
description:
  - Has the service send a confirmation message to an email address. The user clicks the link in it, and
    M(hosting.platform.login_verification) then gets the access token.
  - A request whose answer was lost is not sent again.
  - The result holds a secret. Set C(no_log=true) on the task.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
  - hosting.platform.attributes.group
attributes:
  check_mode:
    support: full
    details: Nothing is sent, and the results are V(null).
  diff_mode:
    support: none
    details: There is nothing to compare.
  idempotent:
    support: none
    details: Every run is a new login.
options:
  access_token:
    description:
      - A bearer token, for a service that wants one even for a login. Do not write it literally.
      - If not set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN) is used.
    required: false
  email:
    description: The email address of the user.
    type: str
    required: true
  token_name:
    description: A name for the token, by which the user recognizes it later.
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

- name: Show the code that the message shows too
  ansible.builtin.debug:
    msg: "Click the link in the message with the code {{ login.security_code }}."
"""

RETURN = r"""
verification_token:
  description: The token for M(hosting.platform.login_verification). A secret; V(null) in check mode.
  returned: success
  type: str
  sample: vrf_2b7e151628aed2a6abf7158809cf4f3c
security_code:
  description: What the message shows too, so that the user knows which request it belongs to. No secret.
  returned: success
  type: str
  sample: Calm Otter
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: POST /auth/signin
    method: POST
    path: /auth/signin
    status: 400
    code: 400
    message: 'Invalid value: email'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources.login import request_login
from ansible_collections.hosting.platform.plugins.module_utils._run import run_action


def main() -> None:
    options = {
        "email": {"type": "str", "required": True},
        "token_name": {"type": "str", "required": True, "no_log": False},
    }
    run_action(request_login, options, token_required=False)


if __name__ == "__main__":
    main()
