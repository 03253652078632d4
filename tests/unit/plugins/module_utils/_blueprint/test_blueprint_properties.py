# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every blueprint and every state: check mode tells the run, an export changes nothing, a killed run
can be repeated."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import BUILD, START, comparable, converge, converge_or_fail, export
from hypothesis import given
from hypothesis import strategies as st

from examples import examples

ODD_NAMES = ["web", "a b", "a/b", "100%", "{{ 7 * 6 }}", "12345", "true", "näme", ".", "..", "quo\"te's"]
TEAMS = ["acme", "ab", "{{ x }}"]
FIELDS = ["framework", "build_command", "output_directory"]
fields = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(["", "astro", "no", "1.10", "{{ lookup('x') }}"]))
states = st.sampled_from(["present", "present", "present", "absent"])


@st.composite
def blueprints(draw: Any) -> dict[str, Any]:
    teams = draw(st.lists(st.sampled_from(TEAMS), unique=True))
    homes = st.sampled_from([*teams, ""])
    names = st.sampled_from(ODD_NAMES)
    project = st.builds(lambda name, team, state, values: {**values, "name": name, "team": team, "state": state},
                        names, homes, states, fields)  # fmt: skip
    projects = draw(st.lists(project, max_size=8, unique_by=lambda entry: (entry["name"], entry["team"])))
    wanted = [entry for entry in projects if entry["state"] == "present" and entry["name"] not in (".", "..")]
    aliases = []
    for number, entry in enumerate(draw(st.lists(st.sampled_from(wanted), max_size=4)) if wanted else []):
        home = TEAMS.index(entry["team"]) if entry["team"] else "own"
        alias = f"a{number}.{home}.example.com"
        aliases.append({"alias": alias, "project": entry["name"], "team": entry["team"]})
    return {"teams": [{"slug": slug, "name": draw(st.sampled_from(["", "Acme"]))} for slug in teams],
            "projects": projects, "aliases": aliases}  # fmt: skip




@examples(25)
@given(
    before=blueprints(), after=blueprints(), prune=st.booleans(), unset=st.sampled_from(["empty", "null", "missing"])
)
def test_check_mode_tells_the_run_and_a_second_run_changes_nothing(running, before, after, prune, unset):
    running.reset()
    running.switch(unset_fields=unset)
    converge(running.base_url, before)
    options: dict[str, Any] = {"prune": ["projects", "aliases"] if prune else []}
    running.forget_requests()
    check = converge_or_fail(running.base_url, after, True, **options)
    assert running.writes == []
    run = converge_or_fail(running.base_url, after, **options)
    assert check.get("results") == run.get("results")
    if "msg" not in run:
        assert converge(running.base_url, after, **options)["changed"] is False


@examples(25)
@given(before=blueprints(), unset=st.sampled_from(["empty", "null", "missing"]), span=st.booleans())
def test_an_export_changes_nothing_and_rebuilds_everything(running, before, unset, span):
    running.reset()
    running.switch(unset_fields=unset, lists_span_teams=span)
    converge(running.base_url, before)
    state = comparable(running.state())
    exported = export(running.base_url)
    again = converge(running.base_url, exported, prune=[] if span else ["projects", "aliases", "domains"])
    assert again["changed"] is False
    running.reset()
    converge(running.base_url, {kind: entries for kind, entries in exported.items() if kind != "domains"})
    assert comparable(running.state()) == state


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_that_died_at_any_request_is_completed_by_the_next(running, when):
    running.reset()
    running.seed(**START)
    converge(running.base_url, BUILD, workers=1)
    wanted, requests = comparable(running.state()), len(running.requests())
    assert requests > 10
    for index in range(requests):
        running.reset()
        running.seed(**START)
        running.fail("*", "reset", when=when, skip=index, count=10_000)
        assert "msg" in converge_or_fail(running.base_url, BUILD, workers=1, max_retries=0)
        running.recover()
        converge(running.base_url, BUILD)
        assert comparable(running.state()) == wanted
