# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing one object into the wanted state: the work of the modules of resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._common.errors import ApiError, Outcome, PlatformError
from .._resources.kind import Kind, Wanted
from .._resources.plan import Done
from .._resources.platform import Platform
from .._resources.resource import Resource, no_team_given
from .team import scope_of


def converge(kind: type[Kind], platform: Platform, options: Mapping[str, Any], check_mode: bool) -> dict[str, Any]:
    """The work of a resource module, and its result.

    A failure based on a list cached for an earlier item of the loop is retried once without it: someone else may have
    created or deleted something since. Not so if a part was done before the failure, which then has a ``result``.
    """
    wanted = kind.check(options)
    lists = platform.lists
    lists.begin_item()
    try:
        return _converge(kind, platform, wanted, check_mode)
    except PlatformError as error:
        is_unclear = isinstance(error, ApiError) and (error.outcome is not Outcome.REFUSED or error.status == 401)
        if is_unclear or error.result or not issubclass(kind, Resource) or not lists.has_served:
            raise
    lists.forget()
    return _converge(kind, platform, wanted, check_mode)


def _converge(kind: type[Kind], platform: Platform, wanted: Wanted, check_mode: bool) -> dict[str, Any]:
    bound = kind(wanted, platform, scope_of(platform, wanted.options))
    step = bound.plan()
    if bound.is_unscoped_creation(step):
        platform.warnings.append(no_team_given([f"{kind.singular} {wanted.name}"]))
    if check_mode:
        done = Done(step, step.expected, changed=step.is_change)
        platform.warnings += bound.doubts
    else:
        done = bound.apply(step)
    diff = {"before": done.step.before, "after": done.step.after}
    return {"changed": done.changed, kind.singular: done.item, "diff": diff, **bound.remarks(done.step)}
