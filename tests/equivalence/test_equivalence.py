# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Both ways give the same results, variables, display and requests; each scenario takes the way it should."""

from __future__ import annotations

import json
import os

import pytest
from far_host import IS_REAL
from interpreters import chosen_core
from real_modules import REAL_SCENARIOS
from scenarios import HERE, SCENARIOS

pytestmark = pytest.mark.xdist_group(__name__)

# What make test plays, and what make matrix. Verbose runs say which way was taken; the display of others is equal.
PLAYED = {"probe": ["verbose"], "real": ["plain"]}
if os.environ.get("EQUIVALENCE") == "full":
    PLAYED = {"probe": ["plain", "check and diff", "verbose"], "real": ["plain", "verbose"]}
    if chosen_core() >= "2.19":
        PLAYED["probe"].append("tracebacks")
CASES = [(table, options) for table, variants in PLAYED.items() for options in variants]
TABLES = {"probe": SCENARIOS, "real": REAL_SCENARIOS}
PLAYS = [
    "free strategy",
    "pinned strategy",
    "serial",
    "throttled",
    "notifies",
    "handle",
    "fails in a block",
    "rescues",
    "says",
    "implicit localhost",
    "fatal for all",
    "never reached",
]
# A traceback that the user asked for names the files of the way that was taken.
NAMES_FILES = ("exception", "failed_when_suppressed_exception", "warnings", "deprecations")


def text(value, aside=()):
    """JSON as a text, keys in their order; without what is new in every run."""
    return json.dumps(_without(value, aside), indent=1, ensure_ascii=True)


def _without(value, aside):
    if isinstance(value, dict):
        return {
            key: _without(item, aside)
            for key, item in value.items()
            if key.removeprefix("str:").split(":")[-1] not in aside
        }
    if isinstance(value, list):
        return [_without(item, aside) for item in value]
    return value


def scenarios(cases):
    return [
        pytest.param(table, options, number, scenario, id=f"{table}-{options}-{scenario.name}")
        for table, options in cases
        for number, scenario in enumerate(TABLES[table])
    ]


@pytest.mark.parametrize(("table", "options", "number", "scenario"), scenarios(CASES))
def test_results_are_equal(stage, table, options, number, scenario):
    here, module = stage.play(table, options)
    aside = (*scenario.aside, *(NAMES_FILES if options == "tracebacks" else ()))
    assert module.of(scenario.name), "the scenario was not played"
    assert text(here.of(scenario.name), aside) == text(module.of(scenario.name), aside)
    if f"r{number}" in module.registered:
        assert text(here.registered[f"r{number}"], aside) == text(module.registered[f"r{number}"], aside)


@pytest.mark.parametrize(
    ("table", "options", "_number", "scenario"), scenarios(case for case in CASES if case[1] == "verbose")
)
def test_way(stage, table, options, _number, scenario):
    here, module = stage.play(table, options)
    ways = here.ways(scenario.name)
    if scenario.way in (HERE, "none"):
        expected = {scenario.way}
        if scenario.name == "loop, one fails":  # its crash comes before a request, and is told by a process of its own
            expected.add("in a process of its own (RuntimeError before the first request)")
        assert ways == expected
    else:
        assert any(scenario.way in way for way in ways), ways
    assert all(HERE not in way for way in module.ways(scenario.name))


@pytest.mark.parametrize(
    ("table", "options"), [("plays", "plain"), *(case for case in CASES if case[1] in ("plain", "check and diff"))]
)
def test_display_is_equal(stage, table, options):
    here, module = stage.play(table, options)
    if table == "plays":  # hosts come in any order
        assert sorted(here.output.splitlines()) == sorted(module.output.splitlines())
    else:
        assert here.output.splitlines() == module.output.splitlines()


@pytest.mark.parametrize("task", PLAYS)
def test_plays_are_equal(stage, task):
    here, module = stage.play("plays", "plain")

    def by_host(played):
        return text(sorted(played.of(task), key=lambda event: event["host"]))

    assert bool(module.of(task)) == (task != "never reached")
    assert by_host(here) == by_host(module)


def test_the_remote_host_is_reached_by_ssh():
    if not IS_REAL:
        pytest.skip("no sshd that would start: delegation to a remote host is played with a stand-in for ssh")


@pytest.mark.parametrize(("table", "options"), CASES)
def test_requests_are_equal(stage, table, options):
    """Nothing is sent twice, nor by the module that crashed after its request."""
    here, module = stage.play(table, options)
    assert here.requests == module.requests
    if table == "probe":
        assert here.requests["/created"] == 1
