# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one place that knows AnsibleModule: parameters in, ``exit_json`` or ``fail_json`` out."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from . import _worker
from ._client.api import Api
from ._client.connection import Connection, connection_options
from ._client.errors import PlatformError
from ._client.http import MISSING_LIBRARY, Http, how_to_install
from ._client.wire import CA_BUNDLES
from ._controller import VARIABLE as CONTROLLER_VARIABLE
from ._controller import Controller
from ._reserved import without_reserved_keys
from ._resources.kind import Kind
from ._resources.listing import LOOP_SECONDS, Lists
from ._resources.options import ArgumentSpec, check_types, settle_scope, without_empty_team
from ._resources.platform import Missing, Platform
from ._resources.resource import converge
from ._secrets import masked
from ._text import printable

# What else says how a request travels, beside the connection options.
PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
TLS_VARIABLES = (*CA_BUNDLES, "SSL_CERT_FILE", "SSL_CERT_DIR")
ROUTE_VARIABLES = (*PROXY_VARIABLES, *map(str.upper, PROXY_VARIABLES), *TLS_VARIABLES)

Options = dict[str, Any]
Result = dict[str, Any]


class _Module(AnsibleModule):
    """Masks the secrets that it was given in all that it returns.

    ansible-core 2.22 no longer does so: it masks what it shows, but not what it registers, caches or writes into the
    file of an async job.

    ``given``: the arguments as they were given; none where a coming core no longer loads them in this way.
    ``secrets``: those that are no options, such as the content of a file.
    """

    def __init__(self, *args: Any, hands_out: str = "", **kwargs: Any) -> None:
        self._hands_out = hands_out
        self.given: Options = {}
        self.secrets: list[str | None] = []
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]

    def _load_params(self, *args: Any, **kwargs: Any) -> None:
        super()._load_params(*args, **kwargs)  # type: ignore[no-untyped-call]
        self.params = without_empty_team(self.params, self.argument_spec)
        self.given = dict(self.params)  # AnsibleModule goes on to change them

    def exit_json(self, **result: Any) -> NoReturn:
        super().exit_json(**self._without_secrets(without_reserved_keys(result)))

    def fail_json(self, msg: str, **result: Any) -> NoReturn:
        super().fail_json(**self._without_secrets({"msg": str(msg), **without_reserved_keys(result)}))

    def masked(self, value: Any) -> Any:
        """The value without the secrets that are options, and ``secrets``."""
        options = [self.params.get(name) for name, spec in self.argument_spec.items() if spec.get("no_log")]
        return masked(value, [*options, *self.secrets])

    def _without_secrets(self, result: Result) -> Result:
        if self._hands_out in result:
            # A service may hand out the token that it was called with. Until 2.21 core would mask it.
            self.no_log_values.clear()
        without = {key: item if key == self._hands_out else self.masked(item) for key, item in result.items()}
        self.params = self.masked(self.params)  # what `invocation` shows
        return without


def run_resource(kind: type[Kind]) -> None:
    """Run a module that makes one object as it is wanted."""

    def work(platform: Platform, module: AnsibleModule) -> Result:
        return converge(kind, platform, module.params, module.check_mode)

    run(work, kind.argument_spec, serves_loops=True)


def run_info(key: str, read: Callable[[Platform, Options], Any], specification: ArgumentSpec) -> None:
    """A module that only reads, and returns what it found under ``key``."""
    run(lambda platform, module: {"changed": False, key: read(platform, module.params)}, specification)


def run_action(act: Callable[[Platform, Options, bool], Result], specification: ArgumentSpec, **details: Any) -> None:
    """A module that does one thing: ``act`` gets the options and whether this is check mode."""
    run(lambda platform, module: act(platform, module.params, module.check_mode), specification, **details)


def run(
    work: Callable[[Platform, AnsibleModule], Result],
    specification: ArgumentSpec,
    token_required: bool = True,
    serves_loops: bool = False,
    hands_out: str = "",
) -> None:
    """Runs a module: ``work`` gets the platform and returns the result.

    ``specification`` is what it takes beside the connection. ``serves_loops``: lists that were read for one item of a
    loop may serve the next. ``hands_out``: the key of the result that is a secret, because it was asked for.
    """
    options = {**connection_options(), **specification.options}
    module = _Module(options, hands_out=hands_out, supports_check_mode=True, **specification.rules)
    if MISSING_LIBRARY:
        missing = f"{missing_required_lib(MISSING_LIBRARY)}. {how_to_install(MISSING_LIBRARY)}"
        module.fail_json(msg=missing, failure=PlatformError("").failure)
    warnings: list[str] = []
    failed = None
    try:
        check_types(module.given, options)
        settle_scope(module.params, module.given)
        connection = Connection.from_options(module.params, token_required, module.given)
        module.secrets.append(connection.access_token)
        warnings += connection.warnings
        platform = _platform(connection, serves_loops)
        platform.warnings = warnings
        result = work(platform, module)
    except PlatformError as error:
        failed = error
        if module.check_mode and isinstance(error, Missing):
            error.explain("Check mode cannot see what earlier tasks would create.")
    for warning in warnings:
        module.warn(printable(module.masked(warning)))
    # Not while the exception is handled: AnsibleModule would add its traceback.
    if failed is not None:
        module.fail_json(msg=str(failed), failure=failed.failure, **failed.result)
    module.exit_json(**result)


class _Left(NamedTuple):
    """The part of a run that the next one goes on with."""

    api: Api
    lists: Lists

    def close(self) -> None:
        self.api.http.close()


def _platform(connection: Connection, serves_loops: bool) -> Platform:
    """The service; where the process lives on, the next item of a loop goes on with this one's session and lists."""
    if not _worker.run.item:
        _worker.run.controller = Controller.told(os.environ.get(CONTROLLER_VARIABLE))
        return Platform(_api(connection))
    files = (connection.ca_path, connection.client_cert, connection.client_key)
    changed_at = tuple(os.stat(file).st_mtime_ns for file in files if file)
    key = (os.getpid(), connection, changed_at, tuple(os.environ.get(name) for name in ROUTE_VARIABLES))
    kept = _worker.kept.latest(key, lambda: _Left(_api(connection), Lists(LOOP_SECONDS)))
    kept.api.http.begin_run()
    if _worker.run.attempt > 1:
        kept.lists.forget()
    return Platform(kept.api, kept.lists if serves_loops else None, _worker.run.say)


def _api(connection: Connection) -> Api:
    return Api(Http(connection, say=_say, note_request=_note_request))


# Sessions outlive a run, so these ask anew which one is the present.


def _say(line: str) -> None:
    if _worker.run.say:
        _worker.run.say(line)


def _note_request() -> None:
    controller = _worker.run.controller
    if controller and controller.has_ended():
        raise PlatformError("The process that controls this run has ended, so nothing more is sent.")
    _worker.run.request_left = True
