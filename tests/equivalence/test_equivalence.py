# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Both ways give the same results, variables, display and requests; each scenario takes the way it
should.
"""

import json
import re

import pytest
from interpreters import chosen_core
from scenarios import HERE

from playbooks import TABLES

# Verbose runs say which way was taken; the display of the others is equal.
VARIANTS = {"sample": ["verbose"], "plays": ["plain"], "real": ["plain", "verbose"]}
VARIANTS["probe"] = ["plain", "check and diff", "verbose"]
if chosen_core() >= "2.19":
    VARIANTS["probe"].append("tracebacks")
CASES = []
for table, variants in VARIANTS.items():
    CASES += [(table, options) for options in variants]
PLAYED_BY_MAKE_TEST = [("sample", "verbose"), ("plays", "plain")]
SHOWN = ("plain", "check and diff")
# What differs between the ways, as docs/open_points.md lists it.
KEY_OF_CORE = "ansible_parsed"  # 2.22 registers this mark of its own on a module's result
NO_TRACEBACK = [
    "str",
    "(traceback unavailable)",
]  # 2.19 and 2.20 have it on a module's failure earlier
WORDS_OF_CORE = re.compile(r"(Task failed: )?(Module|Action) failed: ")
POLLS = re.compile(
    r"^ASYNC POLL .*\n", re.MULTILINE
)  # one each second, while the job of both ways runs
NAMES_FILES = ("exception", "failed_when_suppressed_exception", "warnings", "deprecations")


def text(value, aside=()):
    """JSON as a text, to be compared as data; without what is new in every run."""
    names = (*aside, KEY_OF_CORE)

    def compared(pairs):
        return {
            key: item
            for key, item in pairs
            if key.split(":")[-1] not in names and item != NO_TRACEBACK
        }

    data = json.loads(json.dumps(value), object_pairs_hook=compared)
    return WORDS_OF_CORE.sub("", json.dumps(data, indent=1, sort_keys=True))


def case(table, options, *more, name=""):
    marks = () if (table, options) in PLAYED_BY_MAKE_TEST else pytest.mark.thorough
    return pytest.param(
        table, options, *more, id="-".join(filter(None, [table, options, name])), marks=marks
    )


def scenarios(cases):
    for table, options in cases:
        for number, scenario in enumerate(TABLES[table]):
            yield case(table, options, number, scenario, name=scenario.name)


@pytest.mark.parametrize(("table", "options", "number", "scenario"), list(scenarios(CASES)))
def test_results_are_equal(stage, table, options, number, scenario):
    here, module = stage.play(table, options)
    aside = (*scenario.aside, *(NAMES_FILES if options == "tracebacks" else ()))
    assert module.events_of(scenario.name), "the scenario was not played"
    assert text(here.events_of(scenario.name), aside) == text(
        module.events_of(scenario.name), aside
    )
    if f"r{number}" in module.registered:
        assert text(here.registered[f"r{number}"], aside) == text(
            module.registered[f"r{number}"], aside
        )


@pytest.mark.parametrize(
    ("table", "options", "_number", "scenario"),
    list(scenarios(played for played in CASES if played[1] == "verbose")),
)
def test_way(stage, table, options, _number, scenario):
    here, module = stage.play(table, options)
    ways = here.ways(scenario.name)
    if scenario.way in (HERE, "none"):
        expected = {scenario.way}
        if (
            scenario.name == "loop, one fails"
        ):  # its crash comes before a request, and is told by a process of its own
            expected.add("in a process of its own (RuntimeError before the first request)")
        assert ways == expected
    else:
        assert any(scenario.way in way for way in ways), ways
    assert all(HERE not in way for way in module.ways(scenario.name))


@pytest.mark.parametrize(
    ("table", "options"), [case(*played) for played in CASES if played[1] in SHOWN]
)
def test_display_is_equal(stage, table, options):
    told_otherwise = {
        scenario.name for scenario in TABLES[table] if {"msg", "timedout"} & {*scenario.aside}
    }

    def lines(played):
        texts = [text for task, text in played.displayed() if task not in told_otherwise]
        found = POLLS.sub("", WORDS_OF_CORE.sub("", "".join(texts))).splitlines()
        return sorted(found) if table == "plays" else found  # hosts come in any order

    here, module = map(lines, stage.play(table, options))
    assert here == module


def test_plays_are_equal(stage):
    here, module = stage.play("plays", "plain")

    def in_order(played):  # hosts come in any order
        return text(sorted(played.events, key=lambda event: (event["task"], event["host"])))

    tasks = {event["task"] for event in module.events}
    assert tasks > {"handle", "rescues", "says", "fatal for all"}
    assert "never reached" not in tasks
    assert in_order(here) == in_order(module)


def test_a_crash_after_a_request_is_told_without_secrets(stage):
    here, _module = stage.play("sample", "verbose")
    (crash,) = [
        event
        for event in here.events_of("crash after a request")
        if event["event"] == "runner_on_failed"
    ]
    told = json.dumps(crash)
    assert "crashed after sending a request, so it was not run again: RuntimeError" in told
    assert "tokentokentoken" not in told


@pytest.mark.parametrize(("table", "options"), [case(*played) for played in CASES])
def test_requests_are_equal(stage, table, options):
    """Nothing is sent twice, nor by the module that crashed after its request."""
    here, module = stage.play(table, options)
    assert here.requests == module.requests
    if table in ("probe", "sample"):
        assert here.requests["/created"] == 1
