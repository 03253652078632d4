# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converging a blueprint, as a list of numbered passes: read, match, select, prune, cascade, order, identify, guard,
apply, report.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._errors import PlatformError
from .._model.fields import Values
from .._model.platform import Platform
from .._text import join_some
from .blueprint.entries import Entry
from .blueprint.options import BlueprintOptions
from .blueprint.reading import Blueprint, read_blueprint
from .change import UNAVAILABLE, Changes, Refusal
from .passes.apply import apply, with_latest_references
from .passes.cascade import add_cascades
from .passes.guard import check_guards
from .passes.match import match
from .passes.order import add_dependencies
from .passes.prune import add_prunes
from .passes.read import Snapshot, read_snapshot, read_user_id
from .passes.result import build_result, plan_warnings
from .passes.select import select
from .passes.step_ids import assign_step_ids


class BlueprintTask(NamedTuple):
    """What a task of the module ``blueprint`` says."""

    options: BlueprintOptions
    blueprint: Blueprint


def read_task(given: Mapping[str, Any]) -> BlueprintTask:
    """The options of the module, judged. Raises InvalidOption, and BlueprintError; sends no request."""
    options = BlueprintOptions(given)
    return BlueprintTask(options, read_blueprint(given["blueprint"], options.entry_defaults, options.ignore))


def converge_blueprint(platform: Platform, task: BlueprintTask, check_mode: bool) -> Values:
    """The work of the module ``blueprint``, and its result.

    Raises BlueprintError or Refused before the first write, EntriesFailed at the end if a step failed.
    """
    options, entries = task.options, task.blueprint.entries
    platform = platform.with_task_cache(options.workers)
    changes, snapshot = make_plan(entries, platform, options)  # 1 to 6
    user = read_user_id(changes, platform)
    changes = assign_step_ids(changes, snapshot, options, user)  # 7 the ids by which steps are approved
    refusals = check_guards(changes, snapshot, options)  # 8 guards
    platform.warnings += plan_warnings(changes, snapshot, options)
    plan_result = build_result(changes, snapshot, options, refusals)
    if refusals:
        raise Refused(refusals, plan_result)
    if check_mode:
        caveats = (caveat for change in changes if change.is_pending for caveat in change.kind.check_mode_caveats)
        platform.warnings += dict.fromkeys(caveats)
    if check_mode or not plan_result["steps"]:
        return plan_result
    if platform.on_plan is not None:
        platform.on_plan(plan_result)
    quiet = dataclasses.replace(platform, warnings=[])
    changes = apply(changes, snapshot, options, lambda: make_plan(entries, quiet, options))  # 9
    changes = assign_step_ids(with_latest_references(changes), snapshot, options, user)
    result = build_result(changes, snapshot, options)  # 10
    if platform.on_plan is None and result["results"] != plan_result["results"]:
        result["planned"] = plan_result["results"]  # nobody was shown the plan
    if any(change.apply_error for change in changes):
        raise EntriesFailed(changes, result)
    return result


def make_plan(entries: Sequence[Entry], platform: Platform, options: BlueprintOptions) -> tuple[Changes, Snapshot]:
    """Passes 1 to 6: the changes with their dependencies, and the lists that planning has read. Sends no write."""
    snapshot = read_snapshot(entries, platform, options)  # 1 the lists of the scopes
    changes, snapshot = match(entries, snapshot)  # 2 entries to objects: what is to be done
    changes = select(changes, snapshot, options)  # 3 skips
    changes = add_prunes(changes, snapshot, options)  # 4 what is not declared
    changes = add_cascades(changes, snapshot)  # 5 what the service deletes unrequested
    return add_dependencies(changes), snapshot  # 6 what comes first


class EntriesFailed(PlatformError):
    """Some entries failed, and the others were applied; ``failure`` is the first one's."""

    def __init__(self, changes: Changes, result: Values) -> None:
        errors = {change: change.apply_error for change in changes if change.apply_error}
        labels: dict[str, list[str]] = {}
        for change, error in errors.items():
            labels.setdefault(str(error), []).append(change.label)
        lines = (f"{join_some(names)}: {message}" for message, names in labels.items())
        steps = sum(change.step_id is not None for change in changes)
        untried = sum(change.skip_reason == UNAVAILABLE for change in changes)
        head = [f"{len(errors)} of {steps} steps failed:"]
        if untried:
            why = f"The service is unavailable, so {untried:,} steps were not tried."
            head.insert(0, f"{why} Run the same command again later.")
        super().__init__(*head, *lines, result=result)
        self._first = next(iter(errors.values()))

    @property
    def failure(self) -> dict[str, Any]:
        return self._first.failure


class Refused(PlatformError):
    """Guards refuse the plan; nothing was written. ``result`` shows the plan, and what refused it."""

    def __init__(self, refusals: Sequence[Refusal], plan_result: Values) -> None:
        super().__init__(*(f"{refusal.guard}: {refusal.message}" for refusal in refusals), result=plan_result)
