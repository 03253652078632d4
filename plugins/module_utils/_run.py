# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place that knows AnsibleModule: parameters in, ``exit_json`` or ``fail_json`` out."""

from __future__ import annotations

import typing as t

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from ansible_collections.hosting.platform.plugins.module_utils._api import Api
from ansible_collections.hosting.platform.plugins.module_utils._connection import Connection, connection_options
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._http import REQUESTS_IMPORT_ERROR, Http
from ansible_collections.hosting.platform.plugins.module_utils._resources._base import Resource, converge
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import Platform

Options = dict[str, t.Any]
Result = dict[str, t.Any]


def run_resource(resource: type[Resource]) -> None:
    """A module that makes one object as it is wanted."""

    def work(platform: Platform, module: AnsibleModule) -> Result:
        return converge(resource(platform, module.params), module.check_mode)

    run(work, resource.argument_spec, **resource.rules)


def run_info(key: str, read: t.Callable[[Platform, Options], t.Any], options: Options, **rules: t.Any) -> None:
    """A module that only reads, and returns what it found under ``key``."""
    run(lambda platform, module: {"changed": False, key: read(platform, module.params)}, options, **rules)


def run_action(
    act: t.Callable[[Platform, Options, bool], Result], options: Options, token_required: bool = True
) -> None:
    """A module that does one thing: ``act`` gets the options and whether this is check mode."""
    run(lambda platform, module: act(platform, module.params, module.check_mode), options, token_required)


def run(
    work: t.Callable[[Platform, AnsibleModule], Result], options: Options, token_required: bool = True, **rules: t.Any
) -> None:
    """Runs a module: ``work`` gets the platform and returns the result.

    ``options`` is the argument specification beside the connection's, ``rules`` what AnsibleModule takes for the
    relations among them (``required_one_of`` and the like).
    """
    module = AnsibleModule({**connection_options(token_required), **options}, supports_check_mode=True, **rules)
    if REQUESTS_IMPORT_ERROR is not None:
        module.fail_json(msg=missing_required_lib("requests"), failure=PlatformError("").failure)
    try:
        connection = Connection.from_options(module.params)
        for warning in connection.warnings:
            module.warn(warning)
        platform = Platform(Api(Http(connection)))
        result = work(platform, module)
    except PlatformError as error:
        module.fail_json(msg=str(error), failure=error.failure, **error.result)
    for warning in platform.warnings:
        module.warn(warning)
    module.exit_json(**result)
