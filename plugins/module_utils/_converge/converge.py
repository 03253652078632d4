# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One way through a blueprint: read, match, prune, go along, order, guard, apply, report."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from .._errors import PlatformError
from .._model.fields import Values
from .._model.platform import Platform
from .blueprint.entries import Entry, read_entries
from .blueprint.options import Options
from .change import UNAVAILABLE, Changes, Refusal
from .passes.along import go_along
from .passes.apply import apply, with_latest_references
from .passes.guard import guard
from .passes.identify import identify
from .passes.match import match
from .passes.order import order
from .passes.prune import prune
from .passes.read import Lists, read, read_user
from .passes.report import report, warnings_of
from .passes.select import select


def converge(platform: Platform, given: Mapping[str, Any], check_mode: bool) -> Values:
    """The work of the module ``blueprint``, and its result.

    Raises BlueprintError if it cannot be planned and Refused if a guard forbids it, both before the first write;
    EntriesFailed after the last.
    """
    options = Options(given)
    entries = read_entries(given["blueprint"], options.entry_defaults, options.ignore)
    platform = platform.for_one_task(given["workers"])
    changes, lists = plan(entries, platform, options)  # 1 to 6
    user = read_user(changes, platform)
    changes = identify(changes, lists, options, user)  # 7 the ids by which steps are approved
    refusals = guard(changes, lists, options)  # 8 what may not be done
    platform.warnings += warnings_of(changes, lists, options)
    planned = report(changes, lists, options, refusals)
    if refusals:
        raise Refused(refusals, planned)
    if check_mode:
        doubts = (doubt for change in changes if change.is_pending for doubt in change.kind.doubts)
        platform.warnings += dict.fromkeys(doubts)
    if check_mode or not planned["steps"]:
        return planned
    if platform.planned is not None:
        platform.planned(planned)
    quiet = dataclasses.replace(platform, warnings=[])
    changes = apply(changes, lists, options, lambda: plan(entries, quiet, options))  # 9
    changes = identify(with_latest_references(changes), lists, options, user)
    result = report(changes, lists, options)  # 10
    if platform.planned is None and result["results"] != planned["results"]:
        result["planned"] = planned["results"]  # nobody was shown the plan
    if any(change.error for change in changes):
        raise EntriesFailed(changes, result)
    return result


def plan(entries: Sequence[Entry], platform: Platform, options: Options) -> tuple[Changes, Lists]:
    lists = read(entries, platform, options)  # 1 the lists of the scopes
    changes, lists = match(entries, lists)  # 2 entries to objects: what is to be done
    changes = select(changes, lists, options)  # 3 what is not to be done now
    changes = prune(changes, lists, options)  # 4 what nobody declares
    changes = go_along(changes, lists)  # 5 what the service deletes unrequested
    return order(changes), lists  # 6 what comes first


class EntriesFailed(PlatformError):
    """Some entries failed, and the others were carried out; ``failure`` is the first one's."""

    def __init__(self, changes: Changes, result: Values) -> None:
        errors = {change: change.error for change in changes if change.error}
        lines = (f"{change.label}: {error}" for change, error in errors.items())
        steps = sum(change.id is not None for change in changes)
        untried = sum(change.reason == UNAVAILABLE for change in changes)
        is_down = f"The service is down, so {untried:,} steps were not tried. Run the same command again later."
        head = [is_down] * bool(untried) + [f"{len(errors)} of {steps} steps failed:"]
        super().__init__(*head, *lines, result=result)
        self._first = next(iter(errors.values()))

    @property
    def failure(self) -> dict[str, Any]:
        return self._first.failure


class Refused(PlatformError):
    """Guards forbid the plan; nothing was written. ``result`` shows the plan, and what refused it."""

    def __init__(self, refusals: Sequence[Refusal], planned: Values) -> None:
        super().__init__(*(f"{refusal.guard}: {refusal.message}" for refusal in refusals), result=planned)
