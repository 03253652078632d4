# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that work on the platform: they take the connection options, and are given a client of the service."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from .._api.connection import Connection, connection_options
from .._api.http import Http
from .._api.masking import masked
from .._api.operations import Api
from .._api.run import Run, remembered
from .._errors import ApiError, Outcome, PlatformError
from .._model.kind import Wanted
from .._model.kinds.team import scope_of
from .._model.listing import LOOP_SECONDS, ListCache
from .._model.options import ArgumentSpec, settle_scope
from .._model.platform import Missing, Platform
from .._model.resource import Resource, no_team_given
from .._model.step import Done
from .._text import printable
from .module import Invocation, Module, Options, Result

# The environment variables that also determine the route of a request.
PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
TLS_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
ROUTE_VARIABLES = (*PROXY_VARIABLES, *map(str.upper, PROXY_VARIABLES), *TLS_VARIABLES)

Act = Callable[[Platform, Options, bool], Result]


def resource_module(kind: type[Resource]) -> Module:
    """A module that brings one object into the wanted state."""
    return action_module(functools.partial(converge, kind), kind.argument_spec, serves_loops=True)


def converge(kind: type[Resource], platform: Platform, options: Options, check_mode: bool) -> Result:
    """The work of a resource module, and its result.

    A failure based on a list cached for an earlier item of the loop is retried once without it: someone else may have
    created or deleted something since. Not so if a part was done before the failure, which then has a ``result``.
    """
    wanted = kind.check(options)
    lists = platform.lists
    while True:
        is_first = lists.is_empty
        try:
            return _converge(kind, platform, wanted, check_mode)
        except PlatformError as error:
            is_unclear = isinstance(error, ApiError) and (error.outcome is not Outcome.REFUSED or error.status == 401)
            may_retry = not (is_first or is_unclear or error.result) and kind.is_listed
            lists.forget()  # for the next item, too: they lack what was written, or may have been
            if not may_retry:
                raise


def _converge(kind: type[Resource], platform: Platform, wanted: Wanted, check_mode: bool) -> Result:
    bound = kind(wanted, platform, scope_of(platform, wanted.options))
    step = bound.plan()
    if bound.is_unscoped_creation(step):
        platform.warnings.append(no_team_given([f"{kind.singular} {wanted.name}"]))
    if check_mode:
        done = Done(step, step.expected, changed=step.is_change)
        platform.warnings += bound.doubts
    else:
        done = bound.apply(step)
    name = step.expected.get(kind.name_field) or wanted.name or wanted.id or ""
    header = printable(kind.label(name, bound.scope.slug))
    diff = {"before_header": header, "after_header": header, **done.step.diff}
    return {"changed": done.changed, kind.singular: done.item, "diff": diff, **bound.remarks(done.step)}


def info_module(key: str, read: Callable[[Platform, Options], Any], specification: ArgumentSpec) -> Module:
    """A module that only reads, and returns what it found under ``key``."""

    def act(platform: Platform, options: Options, _check_mode: bool) -> Result:
        return {"changed": False, key: read(platform, options)}

    return action_module(act, specification)


def action_module(
    act: Act,
    specification: ArgumentSpec,
    *,
    token_required: bool = True,
    serves_loops: bool = False,
    hands_out: str = "",
) -> Module:
    """A module that does one thing: ``act`` gets the options and whether this is check mode.

    ``specification`` lists its options besides those of the connection. ``serves_loops``: lists read for one item of a
    loop may be reused for the next. ``hands_out``: the key of a secret that the module returns on purpose.
    """
    specification = ArgumentSpec(connection_options()) | specification

    def work(invocation: Invocation) -> Result:
        settle_scope(invocation.params, invocation.given)
        connection = Connection.from_options(invocation.params, token_required, invocation.given)
        invocation.secrets.append(connection.access_token)
        invocation.warnings += connection.warnings
        platform = _platform(connection, serves_loops, invocation)
        try:
            return act(platform, invocation.params, invocation.check_mode)
        except Missing as error:
            if invocation.check_mode:
                error.explain("Check mode cannot see what earlier tasks would create.")
            raise

    return Module(specification, work, hands_out)


def _platform(connection: Connection, serves_loops: bool, invocation: Invocation) -> Platform:
    """The service; if the process outlives the run, the next item of a loop reuses this one's session and lists."""
    route = tuple(os.environ.get(name) for name in ROUTE_VARIABLES)
    api, lists = remembered(_service_of, connection, route, os.getpid())
    api.http.begin_run(invocation.run)
    if invocation.run.is_retried:
        lists.forget()
    planned, secrets = invocation.run.planned, invocation.secrets
    return Platform(
        api,
        lists if serves_loops else ListCache(),
        invocation.run.say,
        invocation.warnings,
        planned=None if planned is None else lambda plan: planned(masked(plan, secrets)),
    )


def _service_of(connection: Connection, *_depends_on: object) -> tuple[Api, ListCache]:
    return Api(Http(connection, Run())), ListCache(LOOP_SECONDS)
