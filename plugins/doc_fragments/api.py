# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that modules and plugins share: the connection, the team, and the part of a list."""

from __future__ import annotations

from ..module_utils._api.connection import OPTIONS


class ModuleDocFragment:
    """Extended as C(hosting.platform.api); by modules also as C(.team) and C(.page), by plugins as C(.env)."""

    DOCUMENTATION = r"""
options:
  base_url:
    description:
      - The base address of the service, such as V(https://api.example.com). A path in it is kept.
      - It must have a scheme, and must not have user info, a query or a fragment. Plain V(http://) to another machine
        causes a warning, because the token travels unencrypted.
      - If not set, the environment variable E(HOSTING_PLATFORM_BASE_URL) is used.
    type: str
    required: true
  access_token:
    description:
      - The bearer token that is sent with every request. The collection never shows it in a result, message, diff or
        log.
      - It may contain only printable ASCII characters, and no spaces.
      - Exactly one of O(access_token) and O(access_token_path) is required. Either of them overrides both environment
        variables. Without them, the task fails if both variables are set.
      - Do not write it literally into a playbook or a command, because ansible-core quotes these when a task fails.
        Take it from a vaulted variable or from the environment, or use O(access_token_path).
      - If not set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN) is used. Set the variable outside of the
        playbook, as a controller's credential does, because ansible-core can show the C(environment) of a task with
        C(-vvv).
    type: str
  access_token_path:
    description:
      - The path of a file that holds the bearer token and nothing else. White space around the token is ignored.
      - The file is read where the module runs, each time that it runs. So a token that is replaced between two tasks is
        used at once.
      - A file that other users can read causes a warning.
      - If not set, the environment variable E(HOSTING_PLATFORM_ACCESS_TOKEN_PATH) is used.
    type: path
  timeout:
    description:
      - The number of seconds without data, when connecting or reading, after which a request fails. The whole body of
        a response may take ten times that long.
      - Above 0 and at most 86400.
      - If not set, the environment variable E(HOSTING_PLATFORM_TIMEOUT) is used.
    type: float
    default: 30.0
  max_retries:
    description:
      - How many times a request is sent again. Throttling, server errors and lost connections count together. At most
        1000.
      - After a server error (500, 502, 503, 504), an unreadable response, or a connection that failed, was lost or
        timed out, the waits grow quickly. The default of 5 takes about 8 seconds in all.
      - After throttling (429, or 503 with the header C(Retry-After)), each wait is as long as the service asks for. If
        it does not say, the waits are about 15 and 30 seconds, then a minute each. The default of 5 takes three to four
        minutes in all. All requests of the task wait together, and then continue. Once a request has used up
        its retries, the other requests of the task are not retried until one succeeds.
      - A request that creates an object is sent again only if it was certainly not processed. Otherwise the service is
        first asked whether the object exists.
      - If not set, the environment variable E(HOSTING_PLATFORM_MAX_RETRIES) is used.
    type: int
    default: 5
  max_retry_delay:
    description:
      - The longest single wait before a retry, in seconds. At most 86400.
      - If the service asks for a longer wait (with the header C(Retry-After)), the task fails at once and says so.
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
      - The path of a file with the CA certificates to trust. By default, those that the Python library C(requests)
        trusts.
      - If not set, the environment variable E(HOSTING_PLATFORM_CA_PATH) is used.
    type: path
  request_log:
    description:
      - The path of a file to which a line in JSON is appended for each request, with C(time), C(operation), C(path),
        C(status), C(attempt), C(waited), C(seconds) and C(error). It contains no query, header, body or token.
      - The file is created if it does not exist, and only its owner can read it. A symbolic link is refused. If it
        cannot be written, the task fails before the first request.
      - It is written where the module runs. Several tasks, hosts and runs can write to the same file at the same time.
      - If not set, the environment variable E(HOSTING_PLATFORM_REQUEST_LOG) is used.
    type: path
  client_cert:
    description:
      - The path of a file with the client certificate for mutual TLS. The file may contain the key as well.
      - If not set, the environment variable E(HOSTING_PLATFORM_CLIENT_CERT) is used.
    type: path
  client_key:
    description:
      - The path of a file with the private key of O(client_cert).
      - If not set, the environment variable E(HOSTING_PLATFORM_CLIENT_KEY) is used.
    type: path
requirements:
  - Python 3.9 or newer
  - requests 2.25 or newer
  - urllib3 1.26.5 or newer, which comes with requests
notes:
  - Environment variables are read where the module runs. An inventory plugin runs on the control node. An empty
    variable counts as not set.
  - The paths of the token, certificates, keys and the request log are whole paths, or begin with C(~) or a variable of
    the environment. Relative paths are refused.
  - Proxy variables such as E(HTTPS_PROXY) are used. A C(.netrc) file is ignored. Redirects are not followed.
seealso:
  - name: Errors
    description: >-
      A failed task returns RV(ignore:msg), which says what to do, and RV(ignore:failure) with C(operation), C(method),
      C(path), C(status), C(code) and C(message), for use in conditions.
    link: https://github.com/hosting-platform/hosting.platform/blob/main/docs/docsite/rst/guide_troubleshooting.rst
"""

    # Modules know nothing of C(env); for plugins it adds to the options above.
    # The type keeps the sanity test yamllint from expecting a literal.
    ENV: str = "options:\n" + "".join(
        f"  {option}:\n    env:\n      - name: HOSTING_PLATFORM_{option.upper()}\n" for option in OPTIONS
    )

    TEAM = r"""
options:
  team:
    description:
      - The id or the slug of the team on whose behalf the request is made.
      - Without a team, the scope is the own scope of the token's user, which is the list that the service returns
        without a team. A new object is created there, with a warning.
      - If that list shows objects of several teams, objects of a team can only be read. To change or delete one, set
        this option to its team.
      - If the team does not exist, the task fails. In check mode, a team that does not exist is taken for one that an
        earlier task makes, with a warning. An object that is to be absent in such a team counts as absent, with a
        warning. M(hosting.platform.blueprint) fails in all of these cases.
      - If not set, the environment variable E(HOSTING_PLATFORM_TEAM) is used. An empty text counts as not set.
    type: str
  own_scope:
    description:
      - Whether to work without a team, even if the environment variable E(HOSTING_PLATFORM_TEAM) is set. A new object
        is then created in the own scope of the token's user without a warning.
      - It cannot be V(true) if O(team) is set.
    type: bool
    default: false
"""

    PAGE = r"""
options:
  since:
    description: Return only objects that were created after this time, a timestamp in milliseconds.
    type: int
  until:
    description: Return only objects that were created before this time, a timestamp in milliseconds.
    type: int
  limit:
    description:
      - The maximum number of objects to return in all. By default, all are returned, however many pages that takes.
    type: int
"""
