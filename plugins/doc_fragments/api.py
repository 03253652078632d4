# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that modules and plugins share: the connection, the team, and the part of a list."""

from __future__ import annotations

from ..module_utils._api.connection import OPTIONS


class ModuleDocFragment:
    """Extended as C(hosting.platform.api).

    Modules extend C(.team) and C(.page), too, and plugins C(.env).
    """

    DOCUMENTATION = r"""
options:
  base_url:
    description:
      - The address of the service, such as V(https://api.example.com). A path in it is kept.
      - If not set, the environment variable E(HOSTING_PLATFORM_BASE_URL) is used.
      - An empty value is refused.
    type: str
    required: true
  access_token:
    description:
      - The bearer token. Exactly one of O(access_token) and O(access_token_path) is required. Never
        write it literally into a playbook or command.
      - If neither is set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN) is used.
      - An empty value is refused.
    type: str
  access_token_path:
    description:
      - The file that holds the bearer token and nothing else. It is read each time that the module
        runs.
      - If neither is set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN_PATH) is used.
      - An empty value is refused.
    type: path
  timeout:
    description:
      - Seconds without data, while connecting or reading, after which a request fails.
      - If not set, the environment variable E(HOSTING_PLATFORM_TIMEOUT) is used.
    type: float
    default: 30.0
  max_retries:
    description:
      - How many times a request is sent again after throttling, a server error or a lost
        connection.
      - If not set, the environment variable E(HOSTING_PLATFORM_MAX_RETRIES) is used.
    type: int
    default: 5
  max_retry_delay:
    description:
      - The longest wait before a retry, in seconds. If the service asks for more, the task fails at
        once.
      - If not set, the environment variable E(HOSTING_PLATFORM_MAX_RETRY_DELAY) is used.
    type: float
    default: 300.0
  validate_certs:
    description:
      - Whether to verify the server's TLS certificate.
      - If not set, the environment variable E(HOSTING_PLATFORM_VALIDATE_CERTS) is used.
    type: bool
    default: true
  ca_path:
    description:
      - The file with the CA certificates to trust, in PEM format. By default, those that the Python
        library C(requests) trusts.
      - If not set, the environment variable E(HOSTING_PLATFORM_CA_PATH) is used.
    type: path
  request_log:
    description:
      - The file to which a line in JSON is appended for each request.
      - If not set, the environment variable E(HOSTING_PLATFORM_REQUEST_LOG) is used.
    type: path
  client_cert:
    description:
      - The file with the client certificate for mutual TLS, in PEM format. It may hold the key as
        well.
      - If not set, the environment variable E(HOSTING_PLATFORM_CLIENT_CERT) is used.
    type: path
  client_key:
    description:
      - The file with the key of O(client_cert), in PEM format and not encrypted.
      - If not set, the environment variable E(HOSTING_PLATFORM_CLIENT_KEY) is used.
    type: path
requirements:
  - Python 3.9 or newer
  - requests 2.25 or newer
  - urllib3 1.26.5 or newer, which comes with requests
notes:
  - Environment variables and files of the connection are read where the module runs, which with
    C(become) or on another host is not the environment of your shell. An empty variable counts as
    not set. Paths are whole paths, or begin with C(~) or a variable of the environment.
seealso:
  - name: The connection
    description: The options of the connection, one by one, with tokens, certificates and proxies.
    link: >-
      https://github.com/hosting-platform/hosting.platform/blob/main/docs/docsite/rst/guide_security.rst
  - name: Errors
    description: >-
      A failed task returns RV(ignore:msg), which says what to do, and RV(ignore:failure) with
      C(operation), C(method), C(path), C(status), C(code) and C(message), for use in conditions.
    link: >-
      https://github.com/hosting-platform/hosting.platform/blob/main/docs/docsite/rst/guide_troubleshooting.rst
"""

    # Modules know nothing of C(env); for plugins it adds to the options above.
    # The type keeps the sanity test yamllint from expecting a literal.
    ENV: str = "options:\n" + "".join(
        f"  {option}:\n    env:\n      - name: HOSTING_PLATFORM_{option.upper()}\n"
        for option in OPTIONS
    )

    TEAM = r"""
options:
  team:
    description:
      - The id or the slug of the team on whose behalf the request is made.
      - Without a team, the scope is the own scope of the token's user. It is what the list without
        a team shows, and what belongs to none of the user's teams. A new object is created there,
        with a warning.
      - If all that this list shows under the wanted name belongs to a team, the task fails before
        it creates anything. With C(state=absent), it changes nothing, and warns.
      - If the service puts what is created without a team into one of the user's teams, the task
        fails, and names the team to set.
      - If the team does not exist, the task fails. In check mode, a team that does not exist, or
        whose id is empty, is taken for one that an earlier task makes, with a warning. An object
        that is to be absent in such a team counts as absent, with a warning.
        M(hosting.platform.blueprint) fails in all of these cases.
      - If not set, the environment variable E(HOSTING_PLATFORM_TEAM) is used.
      - An empty value is refused, as a template may have come out empty. Beside
        O(own_scope=true), it counts as not set.
    type: str
  own_scope:
    description:
      - Whether to work without a team, even if the environment variable E(HOSTING_PLATFORM_TEAM) is
        set. A new object is then created in the own scope of the token's user without a warning.
      - It cannot be V(true) if O(team) is set.
    type: bool
    default: false
"""

    PAGE = r"""
options:
  since:
    description:
      - Return only objects that were created after this time, a timestamp in milliseconds. One in
        seconds draws a warning.
    type: int
  until:
    description:
      - Return only objects that were created before this time, a timestamp in milliseconds. One in
        seconds draws a warning.
    type: int
  limit:
    description:
      - The maximum number of objects to return in all. By default, all are returned, however many
        pages that takes.
    type: int
"""
