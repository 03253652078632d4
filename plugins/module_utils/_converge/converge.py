# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converging a blueprint, as a list of numbered passes: resolve teams, read, find elsewhere, match,
select, prune, cascade, order, identify, guard, apply, report. This file alone knows all of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._errors import InvalidOption, PlatformError
from .._model.fields import Values
from .._model.platform import Platform
from .._text import escape_line, join_some
from .blueprint.entries import BlueprintError
from .blueprint.options import ENTRY_DEFAULTS, BlueprintOptions
from .blueprint.reading import Blueprint, read_blueprint
from .passes.apply import Application, with_latest_references
from .passes.cascade import add_cascades
from .passes.find_elsewhere import find_elsewhere
from .passes.guard import check_guards
from .passes.match import match
from .passes.order import add_dependencies
from .passes.prune import add_prunes
from .passes.read import read_snapshot, read_user_id
from .passes.resolve_teams import resolve_teams
from .passes.result import REPORT, build_result, plan_warnings
from .passes.select import select
from .passes.step_ids import (
    assign_step_ids,
    platform_address,
    skip_unapproved_invitations,
)
from .plan.change import UNAVAILABLE, Changes, Refusal
from .plan.plan import Plan


class BlueprintTask(NamedTuple):
    """What a task of the module ``blueprint`` says."""

    options: BlueprintOptions
    blueprint: Blueprint


def read_task(given: Mapping[str, Any]) -> BlueprintTask:
    """The options of the module, judged. Raises PlatformError with all problems of options and
    entries; sends no request.
    """
    entry_defaults = {option: given[option] for option in ENTRY_DEFAULTS}
    try:
        options = BlueprintOptions(given)
    except PlatformError as invalid:
        problems = [invalid]
        try:
            read_blueprint(given["blueprint"], entry_defaults)
        except BlueprintError as error:
            problems.append(error)
        raise PlatformError(*problems) from None
    blueprint = read_blueprint(given["blueprint"], entry_defaults, options.ignore)
    return BlueprintTask(options, blueprint)


def converge_blueprint(platform: Platform, task: BlueprintTask, check_mode: bool) -> Values:
    """The work of the module ``blueprint``, and its result.

    Raises BlueprintError or Refused before the first write, EntriesFailed at the end if a step
    failed.
    """
    options = task.options
    blueprint = task.blueprint
    _check_approved_platform(options.approved_platform, platform.api.base_url)
    platform = platform.with_task_cache(options.workers)
    plan = make_plan(blueprint, platform, options)  # 1 to 8
    user = read_user_id(plan.changes, platform)
    plan = _identify(plan, user)  # 9 the ids by which steps are approved
    refusals = check_guards(plan)  # 10 guards
    platform.warnings += plan_warnings(plan)
    planned = build_result(plan, refusals)
    if refusals:
        raise Refused(refusals, planned)
    if check_mode:
        platform.warnings += _caveats(plan.changes)
    if check_mode or not planned["steps"]:
        return planned
    if platform.on_plan is not None:
        platform.on_plan(planned)
    quiet = dataclasses.replace(platform, warnings=[])
    planning_warnings = len(platform.warnings)
    application = Application(plan, platform, lambda: make_plan(blueprint, quiet, options))
    changes = with_latest_references(application.apply())  # 11 the writes
    plan = _identify(plan._replace(changes=changes), user)
    result = build_result(plan)  # 12
    if platform.on_plan is None:
        late = [escape_line(str(warning)) for warning in platform.warnings[planning_warnings:]]
        result[REPORT] |= {"planned": planned["results"], "late_warnings": late}
    if any(change.apply_error for change in changes):
        raise EntriesFailed(changes, result, is_token_rejected=application.is_token_rejected)
    return result


def _check_approved_platform(approved: str, base_url: str) -> None:
    """Raises InvalidOption for a plan of another platform."""
    if approved and platform_address(approved) != platform_address(base_url):
        raise InvalidOption(
            "approved",
            f"the plan is for {approved}, but this run is for {base_url}. Plan this platform.",
        )


def make_plan(blueprint: Blueprint, platform: Platform, options: BlueprintOptions) -> Plan:
    """Passes 1 to 8: the changes with their dependencies, and what planning has read. Sends no
    write.
    """
    teams = resolve_teams(blueprint, platform, options)  # 1 what the names of teams mean
    snapshot = read_snapshot(blueprint, teams, platform, options)  # 2 the lists
    snapshot = find_elsewhere(snapshot)  # 3 aliases that other scopes have
    changes = match(blueprint.entries, snapshot)  # 4 entries to objects: what is to be done
    changes = select(changes, snapshot, options)  # 5 skips
    changes = add_prunes(changes, snapshot, options)  # 6 what is not declared
    changes = add_cascades(changes, snapshot)  # 7 what the service deletes unrequested
    changes = add_dependencies(changes, snapshot)  # 8 what comes first
    return Plan(changes, snapshot, options)


def _identify(plan: Plan, user: str) -> Plan:
    changes = assign_step_ids(plan.changes, plan.snapshot.platform.api.base_url, user, plan.options)
    return plan._replace(changes=skip_unapproved_invitations(changes, plan.options))


def _caveats(changes: Changes) -> list[str]:
    """What check mode cannot know of the pending changes."""
    caveats: dict[str, None] = {}
    for change in changes:
        if change.is_pending:
            caveats |= dict.fromkeys(change.kind.check_mode_caveats)
    return list(caveats)


class EntriesFailed(PlatformError):
    """Some entries failed, and the others were applied; ``failure`` is that of the first call that
    failed.
    """

    def __init__(self, changes: Changes, result: Values, *, is_token_rejected: bool) -> None:
        errors = {change: change.apply_error for change in changes if change.apply_error}
        labels: dict[str, list[str]] = {}
        for change, error in errors.items():
            labels.setdefault(str(error), []).append(change.label)
        steps = sum(change.step_id is not None for change in changes)
        untried = sum(change.skip_reason == UNAVAILABLE for change in changes)
        lines = [f"{len(errors)} of {steps} steps failed:"]
        if untried:
            lines.insert(0, _describe_end(untried, is_token_rejected=is_token_rejected))
        lines += [f"{join_some(names)}: {message}" for message, names in labels.items()]
        super().__init__(*lines, result=result)
        self._errors = errors.values()

    @property
    def failure(self) -> dict[str, Any] | None:
        return next((error.failure for error in self._errors if error.failure), None)


def _describe_end(untried: int, *, is_token_rejected: bool) -> str:
    """Why a run ended before all steps were tried."""
    if is_token_rejected:
        return (
            f"The service no longer accepts the token, so {untried:,} steps were not tried."
            " Run the same command again with a valid token."
        )
    return (
        f"The service is unavailable, so {untried:,} steps were not tried. Run the same command"
        " again later."
    )


class Refused(PlatformError):
    """Guards refuse the plan; nothing was written. ``result`` shows the plan, and what
    refused it.
    """

    def __init__(self, refusals: Sequence[Refusal], planned: Values) -> None:
        super().__init__(*(refusal.problem for refusal in refusals), result=planned)
