# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole blueprint: read, plan, guard, carry out, report."""

from __future__ import annotations

import typing as t

from .._client.errors import InvalidOption, PlatformError
from .._resources._listing import WHOLE_TASK, Lists
from .._resources._platform import Platform
from ._entries import read_entries
from ._execution import carry_out
from ._planning import Plan, wait_for_moves
from ._pruning import PruneOptions, add_pruning
from ._work import diff_of, summary_of


class EntriesFailed(PlatformError):
    """Some entries failed, and the others were carried out; ``failure`` is the first one's."""

    def __init__(self, failed: t.Sequence[dict[str, t.Any]], total: int) -> None:
        super().__init__(
            f"{len(failed)} of {total} entries failed:",
            *(f"{entry['kind']} {entry['name']}: {entry['msg']}" for entry in failed),
        )
        self._failure = failed[0]["failure"]

    @property
    def failure(self) -> dict[str, t.Any]:
        return t.cast("dict[str, t.Any]", self._failure)


def converge_blueprint(platform: Platform, options: t.Mapping[str, t.Any], check_mode: bool) -> dict[str, t.Any]:
    """What the module ``blueprint`` does, and what it returns.

    Raises BlueprintError and PruneRefused before the first write, EntriesFailed after the last.
    """
    if options["workers"] < 1:
        raise InvalidOption("workers", "must be 1 or more.")
    if not 0 <= options["prune_limit"] <= 100:
        raise InvalidOption("prune_limit", "must be a percentage from 0 to 100.")
    http = platform.api.http
    requests_before = http.requests_sent
    platform.lists = Lists(WHOLE_TASK)
    team = options["team"] or None
    entries = read_entries(platform, options["blueprint"], team)
    plan = Plan(platform, entries, team)
    add_pruning(plan, PruneOptions(options["prune"], options["prune_limit"], options["protect"]))
    wait_for_moves(plan.work)
    if check_mode:
        for work in plan.work:
            work.foresee()
            if work.is_pending:
                platform.warnings += [doubt for doubt in work.resource.doubts if doubt not in platform.warnings]
    else:
        carry_out(plan.work, options["workers"], platform.say)
    results = [work.report() for work in plan.work]
    diff = diff_of(results)
    outcome = {
        "changed": bool(diff),
        "base_url": platform.api.base_url,
        "results": results,
        "summary": summary_of(results, http.requests_sent - requests_before),
        "diff": diff,
    }
    failed = [result for result in results if result.get("failed")]
    if failed:
        error = EntriesFailed(failed, len(results))
        error.result = outcome
        raise error
    return outcome
