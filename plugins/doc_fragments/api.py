# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that modules and plugins share: how to reach the service, and for which team."""

from __future__ import annotations


class ModuleDocFragment:
    """Extended as C(hosting.platform.api); by modules also as C(.team) and C(.page), by plugins as C(.env)."""

    DOCUMENTATION = r"""
options:
  base_url:
    description:
      - The address of the service, such as V(https://api.example.com). A path in it is kept.
      - It must have a scheme, and no user info, query or fragment. Plain V(http://) to another machine draws a warning.
      - If not set, the environment variable E(HOSTING_PLATFORM_BASE_URL) is used.
    type: str
    required: true
  access_token:
    description:
      - The bearer token that every request carries. No result, message, diff or log of the collection shows it.
      - It may hold printable ASCII characters only, and no spaces.
      - Do not write it literally into a playbook or a command, which ansible-core itself quotes when a task fails. Take
        it from a vaulted variable or from the environment.
      - If not set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN) is used. Set it outside of the playbook,
        as a controller's credential does, since ansible-core itself can show a task's C(environment) with C(-vvv).
    type: str
    required: true
  timeout:
    description:
      - How many seconds to wait for a connection, and for each part of an answer.
      - If not set, the environment variable E(HOSTING_PLATFORM_TIMEOUT) is used.
    type: float
    default: 30.0
  max_retries:
    description:
      - How often a request is sent again after throttling, a failure of the server or a lost connection.
      - What creates something is sent again only when it was certainly not processed; otherwise the
        service is first asked whether it is there.
      - If not set, the environment variable E(HOSTING_PLATFORM_MAX_RETRIES) is used.
    type: int
    default: 5
  max_retry_delay:
    description:
      - The longest single wait before a retry, in seconds.
      - A server that asks for a longer one (with the header C(Retry-After)) is a failure at once.
      - If not set, the environment variable E(HOSTING_PLATFORM_MAX_RETRY_DELAY) is used.
    type: float
    default: 30.0
  validate_certs:
    description:
      - Whether to verify the server's TLS certificate.
      - If not set, the environment variable E(HOSTING_PLATFORM_VALIDATE_CERTS) is used.
    type: bool
    default: true
  ca_path:
    description:
      - A file with the certificates of the authorities to trust, instead of those that the system trusts.
      - If not set, the environment variable E(HOSTING_PLATFORM_CA_PATH) is used.
    type: path
  client_cert:
    description:
      - A file with the client's certificate, for mutual TLS. It may hold the key as well.
      - If not set, the environment variable E(HOSTING_PLATFORM_CLIENT_CERT) is used.
    type: path
  client_key:
    description:
      - A file with the key of O(client_cert).
      - If not set, the environment variable E(HOSTING_PLATFORM_CLIENT_KEY) is used.
    type: path
requirements:
  - Python 3.9 or newer
  - requests
notes:
  - Environment variables are read where the module runs, for an inventory on the controller; an empty one counts as
    not set.
  - Proxy variables such as E(HTTPS_PROXY) are honoured, a C(.netrc) file is not. Redirects are not followed.
seealso:
  - name: Errors
    description: >-
      A failed task returns RV(ignore:msg) with what to do, and RV(ignore:failure) with C(operation), C(method),
      C(path), C(status), C(code) and C(message), for conditions in playbooks.
    link: https://github.com/hosting-platform/hosting.platform#errors
"""

    # Modules know nothing of C(env); for plugins it adds to the options above.
    ENV = r"""
options:
  base_url:
    env:
      - name: HOSTING_PLATFORM_BASE_URL
  access_token:
    env:
      - name: HOSTING_PLATFORM_ACCESS_TOKEN
  timeout:
    env:
      - name: HOSTING_PLATFORM_TIMEOUT
  max_retries:
    env:
      - name: HOSTING_PLATFORM_MAX_RETRIES
  max_retry_delay:
    env:
      - name: HOSTING_PLATFORM_MAX_RETRY_DELAY
  validate_certs:
    env:
      - name: HOSTING_PLATFORM_VALIDATE_CERTS
  ca_path:
    env:
      - name: HOSTING_PLATFORM_CA_PATH
  client_cert:
    env:
      - name: HOSTING_PLATFORM_CLIENT_CERT
  client_key:
    env:
      - name: HOSTING_PLATFORM_CLIENT_KEY
"""

    TEAM = r"""
options:
  team:
    description:
      - The id or the slug of the team on whose behalf to work.
      - Without it, an object counts only if the list of the token's user shows exactly one match.
      - If not set, the environment variable E(HOSTING_PLATFORM_TEAM) is used.
    type: str
"""

    PAGE = r"""
options:
  since:
    description: Only those created after this time, a timestamp in milliseconds.
    type: int
  until:
    description: Only those created before this time, a timestamp in milliseconds.
    type: int
  limit:
    description: The most to return in all. Without it, all are returned, however many pages that takes.
    type: int
"""
