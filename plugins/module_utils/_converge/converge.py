# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converging a blueprint, as a list of calls: find teams, read lists, find elsewhere, match,
select, find undeclared, prune, cascade, order, identify, guard, apply, report. This file alone
knows all of them.
"""

from __future__ import annotations

import dataclasses

from .._errors import InvalidOption, PlatformError
from .._model.fields import Values
from .._model.options import Options
from .._model.platform import Platform
from .._text import escape_line
from .apply import Application
from .blueprint.options import ENTRY_DEFAULTS, BlueprintOptions
from .blueprint.reading import Blueprint, read_blueprint
from .guards.table import check_guards
from .guards.unmatched import find_unmatched_selections
from .items.plan import Plan
from .plan.cascade import add_cascades
from .plan.find_elsewhere import find_elsewhere
from .plan.find_matches import find_matches
from .plan.find_teams import find_teams
from .plan.match import match
from .plan.order import add_order
from .plan.prune import find_undeclared, prune
from .plan.read_lists import read_lists
from .plan.select import select
from .plan_warnings import plan_warnings
from .result import REPORT, build_result
from .step_ids import identify, platform_address, read_user_id

# What a task of the module ``blueprint`` says.
BlueprintTask = tuple[BlueprintOptions, Blueprint]


def read_task(given: Options) -> BlueprintTask:
    """The options of the module, judged. Raises PlatformError with all problems of options and
    entries; sends no request.
    """
    entry_defaults = {option: given[option] for option in ENTRY_DEFAULTS}
    problems: list[PlatformError] = []
    try:
        options = BlueprintOptions(given)
    except PlatformError as wrong_options:
        problems.append(wrong_options)
    ignore = () if problems else options.ignore
    try:
        blueprint = read_blueprint(given["blueprint"], entry_defaults, ignore)
    except PlatformError as wrong_entries:
        problems.append(wrong_entries)
    if problems:
        raise PlatformError(*problems)
    return options, blueprint


def converge_blueprint(platform: Platform, task: BlueprintTask, check_mode: bool) -> Values:
    """The work of the module ``blueprint``, and its result.

    Raises PlatformError: before the first write if the plan cannot be made, or is refused, and then
    its result shows the plan; at the end if a step failed.
    """
    options, blueprint = task
    _check_approved_platform(options.approved_platform, platform.api.base_url)
    is_approved = options.approved is not None
    platform = platform.with_task_cache(workers=options.workers, is_approved_plan=is_approved)
    plan = make_plan(blueprint, platform, options)
    user = read_user_id(plan)
    identify(plan, user)
    refusals = check_guards(plan)
    platform.warnings += plan_warnings(plan)
    planned = build_result(plan, refusals)
    if refusals:
        raise PlatformError(*(refusal.problem for refusal in refusals), result=planned)
    if check_mode:
        for kind in dict.fromkeys(item.kind for item in plan.items if item.is_pending):
            platform.warnings += kind.check_mode_caveats
    if check_mode or not planned["steps"]:
        return planned
    if platform.on_plan is not None:
        platform.on_plan(planned)
    quiet = dataclasses.replace(platform, warnings=[])
    planning_warnings = len(platform.warnings)
    application = Application(plan, lambda: make_plan(blueprint, quiet, options))
    application.apply()
    if any(item.error for item in plan.items):
        add_cascades(plan)  # what was to go with a step that failed went with another one
    identify(plan, user)
    result = build_result(plan)
    late = [escape_line(warning) for warning in platform.warnings[planning_warnings:]]
    result[REPORT] |= {"planned": planned["results"], "late_warnings": late}
    if result["summary"]["failed"]:
        raise application.failure(result)
    return result


def _check_approved_platform(approved: str, base_url: str) -> None:
    """Raises InvalidOption for a plan of another platform."""
    if approved and platform_address(approved) != platform_address(base_url):
        raise InvalidOption(
            "approved",
            f"the plan is for {approved}, but this run is for {base_url}. Plan this platform.",
        )


def make_plan(blueprint: Blueprint, platform: Platform, options: BlueprintOptions) -> Plan:
    """An item for each entry, and for each object to prune, with all that follows from what the
    service shows. Sends no write.

    Raises ApiError for what cannot be read, PlatformError with all that is wrong with entries.
    """
    plan = Plan(blueprint, platform, options)
    find_teams(plan)
    read_lists(plan)
    find_elsewhere(plan)
    match(plan)
    find_matches(plan)
    select(plan, find_unmatched_selections(plan, may_be_pruned=False))
    find_undeclared(plan)
    prune(plan)
    add_order(plan, add_cascades(plan))
    return plan
