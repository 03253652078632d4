# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A property of every play and every blueprint, judged by what the service holds: nothing is
deleted that does not bear the name by which it was deleted. Lists are late, and somebody else
renames, moves and deletes between the requests.
"""

from random import Random
from typing import Any

from blueprints import converge_or_result
from client import SharedClock, converge_on, make_platform
from hypothesis import event, given, settings
from hypothesis import strategies as st
from platforms import SCOPES, TEAMS, scope_options
from sampling import examples
from scoped_cases import HOSTS, NAMES, ScopedCase
from third_parties import InterferingRecorder, addressed_objects, late_switches
from write_effects import NAME_FIELDS

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS

MODULES = {kind.singular: kind for kind in KINDS.values()}
ABSENT = {"state": "absent"}


def prepare(emulator: Any, case: ScopedCase) -> SharedClock:
    emulator.reset()
    emulator.seed(**case.platform)
    emulator.switch(**{**case.switches, **late_switches(case.random)})
    return SharedClock(emulator, now=None)


def draw_task(random: Random, case: ScopedCase) -> tuple[str, dict[str, Any]]:
    """A task of a play; most delete something, by whatever names it."""
    there = random.choice(case.platform["projects"])
    place = random.choice(
        [(there.get("team", ""), there["name"]), (random.choice(SCOPES), random.choice(NAMES))]
    )
    scope = scope_options(place[0])
    name = place[1]
    host = random.choice(HOSTS)
    is_on = {"project": name} if random.random() < 0.5 else {}
    tasks: list[tuple[str, dict[str, Any]]] = [
        *[("project", {**scope, "name": name, **ABSENT})] * 4,
        ("alias", {**scope, "alias": host, **is_on, **ABSENT}),
        ("alias", {**scope, "alias": host, **is_on, **ABSENT}),
        ("team", {"slug": random.choice(TEAMS), **ABSENT}),
        ("domain", {**scope, "name": random.choice(["x.com", "y.com"]), **ABSENT}),
        ("project", {**scope, "name": name, "framework": "hugo"}),
        ("project", {**scope, "name": "new", "previously": [name]}),
        ("alias", {**scope, "alias": host, "project": name}),
        ("team", {"slug": "new", "previously": [random.choice(TEAMS)]}),
    ]
    return random.choice(tasks)


# The same cases each time: a rare one must not stop a change that has nothing to do with it.
# Somebody else draws in the threads of a run, where Hypothesis cannot end a case that is too long.
@settings(examples(300), derandomize=True, database=None)
@given(random=st.randoms(use_true_random=True))
def test_a_play_deletes_only_what_bears_the_name(in_process, random):
    case = ScopedCase(random)
    clock = prepare(in_process, case)
    loop = make_platform(in_process.base_url, clock)
    slugs: dict[str, set[str]] = {}
    for _number in range(random.randint(2, 6)):
        module, options = draw_task(random, case)
        is_item = random.random() < 0.5
        platform = loop if is_item else make_platform(in_process.base_url, clock)
        with InterferingRecorder(in_process, random, slugs) as record:
            try:
                result = converge_on(platform, MODULES[module], **options)
                outcome = "changed" if result["changed"] else "unchanged"
            except PlatformError as error:
                outcome = "another by now" if "Nothing was deleted" in str(error) else "failed"
        if options.get("state") != "absent":
            assert not any(write.method == "DELETE" for write in record.writes)
            continue
        event(f"{module}: {outcome}")
        deletions = [write for write in record.writes if write.method == "DELETE"]
        for write in deletions:
            for kind, key in addressed_objects(write):
                bears_the_name(record, write, kind, key, MODULES[module], options)
        is_gone = any(list(addressed_objects(write)) for write in deletions)
        assert not is_gone or outcome in ("changed", "failed"), "a deletion is not told"


def bears_the_name(
    record: Any, write: Any, kind: str, key: str, wanted: Any, options: dict[str, Any]
) -> None:
    item = write.before.objects[kind][key]
    assert kind == wanted.plural
    name = wanted.normalize(item[NAME_FIELDS[kind]])
    assert name == wanted.normalize(options[wanted.name_field]), f"{name} is gone"
    if "team" in options:
        team = write.before.team_of(kind, item)
        assert options["team"] in {team, *record.slugs.get(team, ())}, f"{name} is of {team!r}"


@settings(examples(300), derandomize=True, database=None)
@given(random=st.randoms(use_true_random=True))
def test_a_blueprint_deletes_only_what_bears_the_name_that_its_plan_showed(in_process, random):
    case = ScopedCase(random)
    clock = prepare(in_process, case)
    options = {"prune_limit": 100, "workers": 1, **case.options, "clock": clock}
    with InterferingRecorder(in_process, random) as record:
        run = converge_or_result(in_process.base_url, case.blueprint, **options)
    shown = set()
    for row in run.get("results", ()):
        if row["action"] == "delete":
            wanted = KINDS[row["kind"]]
            stored = row["diff"]["before"].get(wanted.name_field, row["name"])
            shown.add((wanted.plural, wanted.normalize(stored)))
    count = 0
    for write in record.writes:
        if write.method != "DELETE":
            continue
        for kind, key in addressed_objects(write):
            count += 1
            name = KINDS[kind].normalize(write.before.objects[kind][key][NAME_FIELDS[kind]])
            assert (kind, name) in shown, f"{kind} {name} is gone"
    event("refused" if run.get("refused") else "run" if "results" in run else "not planned")
    event(f"{count} deletions" if count < 2 else "several deletions")
