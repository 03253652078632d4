# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every platform, blueprint and selection: a part is a part of the whole plan, or it is refused."""

from __future__ import annotations

import fnmatch
from typing import Any

from blueprints import converge_or_result
from hypothesis import event, given
from hypothesis import strategies as st
from platforms import LABELS, NAMES, RENAMED_TEAM, TEAMS, platforms_with_blueprints
from sampling import examples

KINDS = ["teams", "team_members", "projects", "aliases", "domains"]
patterns = st.sampled_from(
    [*NAMES[:2], *TEAMS, RENAMED_TEAM, "*e*", "w*", *(f"{label}.*" for label in LABELS), "W*", "WWW.*.COM."]
)
kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True)
teams = st.sampled_from([*TEAMS, RENAMED_TEAM, ""])
selectors = st.one_of(
    patterns,
    st.fixed_dictionaries({"team": teams}, optional={"kind": kinds, "name": patterns}),
    st.fixed_dictionaries({"kind": kinds}, optional={"name": patterns}),
    st.fixed_dictionaries(
        {"source": st.sampled_from(["even.yml", "o*.yml", "e*"])}, optional={"kind": kinds, "team": teams}
    ),
)


def is_selected(entry: dict[str, Any], selector: Any) -> bool:
    """Return whether a selector matches a result, told from outside: an entry's, or that of a pruned object."""
    if isinstance(selector, str):
        selector = {"name": selector}
    team = entry["name"] if entry["kind"] == "teams" else entry["team"]
    name, pattern = entry["name"], selector.get("name", "*")
    if entry["kind"] in ("aliases", "domains"):
        name, pattern = (text.lower().rstrip(".") for text in (name, pattern))
    return (
        entry["kind"] in selector.get("kind", KINDS)
        and fnmatch.fnmatchcase(team, selector.get("team", "*"))
        and fnmatch.fnmatchcase(name, pattern)
        and fnmatch.fnmatchcase((entry["source"] or "").split(":")[0], selector.get("source", "*"))
    )


def change(entry: dict[str, Any]) -> tuple[Any, ...]:
    return (*(entry[key] for key in ("kind", "name", "team", "action")), str(entry["diff"]))


def changes(result: dict[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(change(entry) for entry in result["results"] if entry["action"] not in ("none", "skip"))


@examples(60)
@given(case=platforms_with_blueprints(), only=st.lists(selectors, max_size=3), invite=st.booleans())
def test_selected_plan_is_a_subset_of_the_whole_plan(in_process, case, only, invite):
    platform, blueprint, options = case
    for entries in blueprint.values():
        for number, entry in enumerate(entries):
            entry["source"] = f"{'odd' if number % 2 else 'even'}.yml:{number}"
    in_process.reset()
    in_process.seed(**platform)
    before, start = in_process.state(), in_process.snapshot()
    whole = converge_or_result(in_process.base_url, blueprint, True, invite=invite, **options)
    check = converge_or_result(in_process.base_url, blueprint, True, only=only, invite=invite, **options)
    assert in_process.writes == []
    in_process.restore(start)
    run = converge_or_result(in_process.base_url, blueprint, only=only, invite=invite, **options)
    if "msg" in check:
        event("the part is refused")
        assert run["msg"] == check["msg"]
        assert in_process.writes == []
        return
    assert changes(run) == changes(check)
    if "results" not in whole:
        event("the whole cannot be planned")
    else:
        event("the part is done" if changes(run) else "nothing to do")
        selected = [entry for entry in whole["results"] if any(is_selected(entry, selector) for selector in only)]
        assert changes(run) == changes({"results": selected})
    slugs = {team["id"]: team["slug"] for team in before["teams"]}
    if all(isinstance(selector, dict) and "team" in selector for selector in only):
        asked = {slugs.get(request["query"].get("teamId", "")) for request in in_process.requests()} - {None}
        renamed = {TEAMS[0]} if RENAMED_TEAM in str(blueprint["teams"]) else set()
        assert asked <= {selector["team"] for selector in only} | renamed
