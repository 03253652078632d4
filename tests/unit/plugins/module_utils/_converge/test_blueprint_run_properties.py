# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every platform and blueprint: runs that die are completed, exports are whole."""

import json
import re
from itertools import chain
from typing import Any

import pytest
from blueprints import (
    BEFORE_EVERY_CHANGE,
    EVERY_CHANGE,
    actions,
    converge,
    converge_or_result,
    export,
)
from hypothesis import given
from in_process import InProcess
from platforms import platforms, presentations
from sampling import examples, sampled

CHOSEN_BY_THE_SERVICE = ("createdAt", "updatedAt", "number", "inviteCode", "domain")


def lasting(state: dict[str, Any], start: dict[str, Any]) -> Any:
    """All that is stored: what was there by its id, what is new by its name."""
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    old = {item["id"] for item in chain.from_iterable(start.values())}
    names = {project["id"]: project["name"] for project in state["projects"]}

    def comparable(item: dict[str, Any]) -> str:
        known = {
            key: value or None for key, value in item.items() if key not in CHOSEN_BY_THE_SERVICE
        }
        known["id"] = item["id"] if item["id"] in old else "new"
        known["teamId"] = slugs.get(item.get("teamId", ""))
        known["projectId"] = names.get(item.get("projectId", ""))
        text = json.dumps(known, sort_keys=True)
        return re.sub(r'"[^"]*\.hosting\.example"', "generated", text)

    return {
        kind: sorted(map(comparable, state[kind]))
        for kind in ("teams", "projects", "aliases", "domains")
    }


# The requests of a run are spread over so many places: each is tried, if there are no more.
PLACES = 64
OPTIONS: dict[str, Any] = {"prune": ["projects", "aliases"], "prune_limit": 100, "workers": 2}


def make_every_change(in_process: InProcess) -> int:
    """The number of requests of an approved run; on a busy machine, a list may be read again."""
    approved = converge(in_process.base_url, EVERY_CHANGE, True, **OPTIONS)["steps"]
    in_process.forget_requests()
    converge(in_process.base_url, EVERY_CHANGE, **OPTIONS, approved=approved)
    return len(in_process.requests())


def test_a_run_that_makes_every_change_has_a_place_for_each_request(in_process):
    in_process.reset()
    in_process.seed(**BEFORE_EVERY_CHANGE)
    assert 40 < make_every_change(in_process) <= PLACES


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("place", sampled(range(PLACES), 5))
def test_run_that_makes_every_change_is_completed_wherever_it_dies(in_process, place, when):
    """It dies before a request is processed or after; the service gets none of the following
    requests any more.
    """
    in_process.reset()
    in_process.seed(**BEFORE_EVERY_CHANGE)
    state = in_process.state()
    start = in_process.snapshot()
    options = {**OPTIONS, "approved": None}
    options["approved"] = converge(in_process.base_url, EVERY_CHANGE, True, **OPTIONS)["steps"]
    # A run may need one request less than another: whether a list is looked at again takes time.
    index = (make_every_change(in_process) - 1) * place // PLACES
    completed = lasting(in_process.state(), state)

    in_process.restore(start)
    in_process.plan_fault("*", "reset", when=when, skip=index, count=10_000)
    assert "msg" in converge_or_result(in_process.base_url, EVERY_CHANGE, **options, max_retries=0)
    in_process.recover()
    result = converge_or_result(in_process.base_url, EVERY_CHANGE, **options)
    if result["refused"]:
        # A new team counts by its ID once it exists: what is planned in it needs a new plan.
        assert {refusal["guard"] for refusal in result["refusals"]} == {"approved"}
        assert len(in_process.state()["teams"]) > len(state["teams"])
        check = converge(in_process.base_url, EVERY_CHANGE, True, **{**options, "approved": None})
        converge(in_process.base_url, EVERY_CHANGE, **{**options, "approved": check["steps"]})
    assert lasting(in_process.state(), state) == completed
    again = converge(in_process.base_url, EVERY_CHANGE, **{**options, "approved": []})
    assert (again["changed"], again["steps"]) == (False, [])


@examples(40)
@given(platform=platforms(), shown=presentations)
def test_export_converges_unchanged_and_rebuilds_the_platform(in_process, platform, shown):
    in_process.reset()
    in_process.seed(**platform)
    in_process.switch(**shown)
    state = in_process.state()
    exported = export(in_process.base_url)
    in_process.forget_requests()
    result = converge(in_process.base_url, exported, unlisted_fields="clear", approved=[])
    assert actions(result) == []
    assert (result["changed"], result["steps"], result["undeclared"]) == (False, [], [])
    assert in_process.writes == []
    in_process.reset()
    converge(
        in_process.base_url,
        {kind: entries for kind, entries in exported.items() if kind != "domains"},
    )
    rebuilt = lasting(in_process.state(), {})
    assert {**rebuilt, "domains": None} == {**lasting(state, {}), "domains": None}


@examples(30)
@given(shown=presentations)
def test_no_switches_together_change_an_id(in_process, shown):
    in_process.reset()
    in_process.seed(**BEFORE_EVERY_CHANGE)
    plain = converge(in_process.base_url, EVERY_CHANGE, check_mode=True)["steps"]
    in_process.switch(**shown)
    assert converge(in_process.base_url, EVERY_CHANGE, check_mode=True)["steps"] == plain
