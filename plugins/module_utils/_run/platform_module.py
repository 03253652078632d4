# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that work on the platform: they take the connection options, and are given a client of
the service.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

from .._api.connection import Connection, connection_options
from .._api.http import HttpClient
from .._api.operations import Api
from .._api.run import Run, process_cache
from .._errors import ApiError, MissingOption, PlatformError
from .._model.kind import Desired
from .._model.kinds.scopes import scope_of_resource
from .._model.listing import LOOP_SECONDS, ListCache
from .._model.options import (
    MADE_BY_TASKS,
    ArgumentSpec,
    apply_own_scope,
    empty_options,
)
from .._model.platform import Platform
from .._model.resource import Resource
from .._model.step import Step, plan_creation, plan_nothing
from .._text import escape_line
from .invocation import Invocation, ModuleArgs, Result
from .module import Module

Act = Callable[[Platform, Any, bool], Result]
ReadOptions = Callable[[ModuleArgs], Any]


def resource_module(kind: type[Resource]) -> Module:
    """A module that brings one object into the desired state."""
    act = functools.partial(converge_resource, kind)
    return action_module(act, kind.argument_spec, shares_lists=True, assumes_missing=True)


def converge_resource(
    kind: type[Resource], platform: Platform, options: ModuleArgs, check_mode: bool
) -> Result:
    """The work of a resource module, and its result.

    A failure based on a list cached for an earlier item of the loop is retried once without it:
    someone else may have created or deleted something since. Not so if a part was done before the
    failure, which then has a ``result``.
    """
    desired = kind.check(options)
    lists = platform.lists
    while True:
        is_first = lists.is_empty
        try:
            return _converge(kind, platform, desired, check_mode)
        except PlatformError as error:
            is_unclear = isinstance(error, ApiError) and not error.is_refusal
            may_retry = not (is_first or is_unclear or error.result) and kind.is_listed
            # For the next item, too: the lists lack what was written, or may have been.
            lists.invalidate()
            if not may_retry:
                raise


def _converge(
    kind: type[Resource], platform: Platform, desired: Desired, check_mode: bool
) -> Result:
    """Plan one object's step, and apply it unless in check mode. Returns the module's result."""
    # An earlier task may make the team of what is missing, but not what nothing creates.
    may_assume = check_mode and kind.is_creatable(desired)
    platform = dataclasses.replace(platform, assumes_missing=may_assume)
    resource = kind(desired, platform, scope_of_resource(kind, desired, platform))
    step = _plan_unknown(kind, desired) or resource.plan()
    extra: Result = {f"removed_{plural}": [] for plural in kind.also_changes}
    if step.is_deletion:
        # They know all kinds, and few tasks delete.
        from .._model.kinds.cascades import cascade_warnings, removed_names, with_cascade

        step = with_cascade(step, resource)
        platform.warnings += cascade_warnings(step, kind) if check_mode else []
    if resource.is_unscoped_creation(step):
        from .._model.own_scope import own_scope_warning  # few tasks create there

        platform.warnings.append(own_scope_warning([f"{kind.singular} {desired.name}"]))
    if check_mode:
        platform.warnings += resource.check_mode_caveats
    applied = step if check_mode else resource.apply(step)
    name = step.expected.get(kind.name_field) or desired.name or desired.id or ""
    header = escape_line(kind.label(name, resource.scope.slug))
    diff = {"before_header": header, "after_header": header, **applied.diff}
    if applied.is_deletion:
        extra = removed_names(applied.cascade)
    if kind.lists_not_compared:
        extra["not_compared"] = kind.not_compared(desired, applied)
    return {"changed": applied.is_change, kind.singular: applied.expected, "diff": diff, **extra}


def _plan_unknown(kind: type[Resource], desired: Desired) -> Step | None:
    """In check mode, the step for an object that only an earlier task will make, or what it is in:
    nothing of it can be deleted, and nothing of one that has but an ID changes. None for any other.
    """
    empty = [option for option in MADE_BY_TASKS if desired.options.get(option) == ""]
    if empty and desired.is_absent:
        return plan_nothing(None)
    if "id" in empty and desired.name is None:
        return plan_nothing(plan_creation(kind.fields, desired.values, {}).expected)
    return None


def info_module(
    key: str, read: Callable[[Platform, Any], Any], options: ArgumentSpec, **details: Any
) -> Module:
    """A module that only reads, and returns what it found under ``key``. ``details``: see
    `action_module`.
    """

    def act(platform: Platform, given: Any, check_mode: bool) -> Result:
        platform = dataclasses.replace(platform, assumes_missing=check_mode, shows_teams=True)
        return {"changed": False, key: read(platform, given)}

    return action_module(act, options, assumes_missing=True, **details)


def action_module(
    act: Act,
    options: ArgumentSpec,
    *,
    read_options: ReadOptions = dict,
    token_required: bool = True,
    shares_lists: bool = False,
    **details: Any,
) -> Module:
    """A module that does one thing: ``act`` gets its options and whether this is check mode.

    ``options`` are those besides the connection's. ``read_options`` makes of them what ``act``
    gets, and raises PlatformError for what is wrong with them. ``shares_lists``: lists read for one
    item of a loop may be reused for the next. ``details``: see `Module`.
    """
    specification = options._replace(options={**connection_options(), **options.options})

    def work(invocation: Invocation) -> Result:
        apply_own_scope(invocation.params, invocation.given)
        try:
            connection = Connection.from_options(
                invocation.params, token_required=token_required, given=invocation.given
            )
        except PlatformError:
            read_options(invocation.params)  # what is wrong with them is said first
            raise
        _check_team_is_not_dropped(invocation)
        invocation.secrets.append(connection.access_token)
        invocation.warnings += [*connection.warnings, *_unknown_warnings(invocation.given, options)]
        given = read_options(invocation.params)
        platform = _platform(connection, shares_lists, invocation)
        return act(platform, given, invocation.check_mode)

    return Module(specification, work, **details)


def _unknown_warnings(given: ModuleArgs, options: ArgumentSpec) -> Iterator[str]:
    """Warnings about options that stand for what an earlier task makes."""
    for option in empty_options(given, options.options):
        name = "slug" if option == "team" or "slug" in options.options else "name"
        yield (
            f"{option} is empty, as the id of what an earlier task makes is in check mode."
            f" Refer to it by its {name}."
        )


def _check_team_is_not_dropped(invocation: Invocation) -> None:
    """Raises MissingOption where the team that Ansible's environment sets has not reached this
    process: the task would work in the own scope, and could delete what has the same name there.
    """
    if "team" in invocation.dropped:
        raise MissingOption(
            "team",
            "is not set. Without it, the task would work in your own scope. If you mean that, set"
            " own_scope to true.",
        )


def _platform(connection: Connection, shares_lists: bool, invocation: Invocation) -> Platform:
    """The service; if the process outlives the run, the next item of a loop reuses this one's
    session and lists.
    """
    # It also says the proxy and the certificates of requests.
    environment = frozenset(os.environ.items())
    api, lists = process_cache(_connect, connection, environment, os.getpid())
    api.client.begin_run(invocation.run)
    if invocation.run.is_retried:
        lists.invalidate()
    lists = lists if shares_lists else ListCache()
    on_plan = invocation.show_plan if invocation.on_plan else None
    return Platform(api, lists, invocation.warnings, on_plan=on_plan)


def _connect(connection: Connection, *_depends_on: object) -> tuple[Api, ListCache]:
    return Api(HttpClient(connection, Run())), ListCache(LOOP_SECONDS)
