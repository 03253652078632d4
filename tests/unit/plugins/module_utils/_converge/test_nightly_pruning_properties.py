# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A property of nightly runs: whatever the service makes of names, what is meant is what is
kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from blueprints import Blueprint, converge_or_result
from hypothesis import event, given, settings
from hypothesis import strategies as st
from in_process import InProcess
from nightly_pruning import NightlyCase, comparable_name, scope_of
from sampling import examples
from scoped_cases import KINDS
from write_effects import NAME_FIELDS, Deletion, Label, Recorder, Snapshot, Write

Result = dict[str, Any]
NIGHTS = 3


# The same cases each time: a rare one must not stop a change that has nothing to do with it.
@settings(examples(400), derandomize=True, database=None)
@given(random=st.randoms(use_true_random=False))
def test_nights_keep_declared_and_protected_objects_and_create_none_twice(in_process, random):
    check_nights(in_process, NightlyCase(random))


def check_nights(emulator: InProcess, case: NightlyCase) -> None:
    """Play three nights; what fails at random recovers before one of them."""
    emulator.reset()
    emulator.seed(**case.platform)
    emulator.switch(**case.switches)
    for fault in case.faults:
        emulator.fault(**fault)
    made: Counter[Label] = Counter()
    is_settled = False
    for night in range(NIGHTS):
        if night == case.recovers:
            emulator.recover()
        is_reliable = not case.faults or night >= case.recovers
        record, check, run = play_night(emulator, case)
        event(f"night {night + 1}: {outcome_of(run)}")
        check_night(case, record, check, run, is_reliable)
        made += Counter(created(record.writes))
        no_host_is_made_beside_itself(record.writes)
        twice = made - allowed_creations(case, made)
        assert not twice or is_contradictory(case.blueprint), "something is created twice"
        assert not twice or "msg" in run, "something is created twice, and no night fails"
        if is_settled:
            assert "msg" not in run, "the next night fails"
            assert not run["changed"], "the next night changes something"
            assert record.writes == []
        is_settled = is_reliable and "msg" not in run


def play_night(emulator: InProcess, case: NightlyCase) -> tuple[Recorder, Result, Result]:
    """Check mode, and then the run."""
    options: dict[str, Any] = {"prune_limit": 100, "workers": 1, **case.options}
    before = emulator.stored()
    check = converge_or_result(emulator.base_url, case.blueprint, True, **options)
    assert emulator.stored() == before, "check mode writes"
    with Recorder(emulator, lambda _number: None) as record:
        run = converge_or_result(emulator.base_url, case.blueprint, **options)
    return record, check, run


def outcome_of(run: Result) -> str:
    if "results" not in run:
        return "not planned"
    if run.get("refused"):
        return f"refused by {', '.join(sorted({refusal['guard'] for refusal in run['refusals']}))}"
    return "failed" if "msg" in run else "changed" if run["changed"] else "unchanged"


def check_night(
    case: NightlyCase, record: Recorder, check: Result, run: Result, is_reliable: bool
) -> None:
    gone = list(record.deletions())
    if "results" not in run or run.get("refused"):
        assert record.writes == [], "a refused run writes"
    for thing in gone:
        nothing_meant_is_gone(case.blueprint, thing)
    nothing_protected_is_lost(case, record.writes)
    assert not list(record.moved()), "a blueprint moves something between teams"
    deletions_are_reported(case, gone, check, run)
    named_kinds_alone_are_looked_at(case, run)
    if is_reliable and not any(row.get("failed") for row in run.get("results", ())):
        assert check.get("msg") == run.get("msg"), "check mode and the run do not agree"
        assert check.get("results") == run.get("results"), "check mode shows other results"


def entries(
    blueprint: Blueprint, kind: str, is_absent: bool
) -> Iterator[tuple[dict[str, Any], str]]:
    """The entries of a kind that declare something, or those that want it absent, each with its
    team.
    """
    for entry in blueprint.get(kind, []):
        if (entry.get("state") == "absent") is is_absent:
            yield entry, scope_of(entry)


def own_aliases(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    """The aliases that projects declare as their own, each with its team."""
    for entry, team in entries(blueprint, "projects", is_absent=False):
        if entry.get("alias") and entry.get("state") != "exists":
            yield entry["alias"], team


def nothing_meant_is_gone(blueprint: Blueprint, thing: Deletion) -> None:
    """Neither what an entry names, now or earlier, nor what a service may have made of such
    a name.
    """
    kind, name, team = thing.last_label
    is_host = kind in ("aliases", "domains")
    for entry, scope in entries(blueprint, kind, is_absent=True):
        wanted = entry[NAME_FIELDS[kind]]
        if scope == (team or "") and (
            wanted == name
            or (is_host and comparable_name(kind, wanted) == comparable_name(kind, name))
        ):
            return
    for entry, scope in entries(blueprint, kind, is_absent=False):
        if kind != "teams" and scope != team:
            continue
        wanted = entry[NAME_FIELDS[kind]]
        assert name not in (wanted, *entry.get("previously", ())), (
            f"declared: {thing.last_label} is gone"
        )
        is_there = (kind, wanted, team) in labels(thing.write.before)
        assert is_there or comparable_name(kind, wanted) != comparable_name(kind, name), (
            f"{wanted!r} is meant, and {name!r} is gone"
        )
    # One entry may give up what another gets.
    if kind == "aliases" and thing.write.method == "DELETE":
        declared = [
            (comparable_name(kind, alias), scope) for alias, scope in own_aliases(blueprint)
        ]
        assert (comparable_name(kind, name), team) not in declared, (
            f"declared: {thing.last_label} is gone"
        )


def labels(state: Snapshot) -> set[Label]:
    result: set[Label] = set()
    for kind in KINDS:
        result |= {state.label(kind, item) for item in state.objects[kind].values()}
    return result


def nothing_protected_is_lost(case: NightlyCase, writes: Iterable[Write]) -> None:
    """Neither deleted nor renamed out of its selectors' reach; nor an alias of a protected
    project.
    """
    for option in ("protect", "ignore"):
        selectors = case.options.get(option, ())
        for write in writes:
            for kind, objects in write.before.objects.items():
                for key in objects:
                    is_lost = write.before.has(kind, key, selectors) and not write.after.has(
                        kind, key, selectors
                    )
                    is_renamed = key in write.after.objects[kind] and option == "ignore"
                    assert is_renamed or not is_lost, f"{option}: {kind} {key} is lost"
    selectors = case.options.get("protect", ())
    for write in writes:
        for key, alias in write.before.objects["aliases"].items():
            if write.before.has("projects", alias["projectId"], selectors) and not is_wanted_gone(
                case, write, alias
            ):
                after = write.after.objects["aliases"].get(key, {})
                assert after.get("projectId") == alias["projectId"], (
                    f"{alias['alias']} of a protected project is lost"
                )


def is_wanted_gone(case: NightlyCase, write: Write, alias: dict[str, Any]) -> bool:
    """True if an entry wants the alias absent, or its project gets another own alias."""
    _kind, name, team = write.before.label("aliases", alias)
    absent = [
        (comparable_name("aliases", entry["alias"]), scope)
        for entry, scope in entries(case.blueprint, "aliases", is_absent=True)
    ]
    is_own = write.before.objects["projects"][alias["projectId"]]["alias"] == name
    return (comparable_name("aliases", name), team) in absent or (
        is_own and write.method == "PATCH"
    )


def deletions_are_reported(
    case: NightlyCase, gone: list[Deletion], check: Result, run: Result
) -> None:
    """Check that what is gone is what the run tells, and was told by check mode."""
    lost = Counter(thing.label for thing in gone)
    assert not lost - Counter(reported_deletions(run, is_done=True)), "gone and not told"
    assert not lost - Counter(reported_deletions(check, is_done=False)), "check mode did not say it"
    pruned = run.get("results", [])[sum(map(len, case.blueprint.values())) :]
    assert all(row["team"] for row in pruned), "the own scope is pruned"


def reported_deletions(result: Result, is_done: bool) -> Iterator[Label]:
    """The deletions of a result, with all that goes along: those that were done or tried,
    or all.
    """
    for row in result.get("results", ()):
        if is_done and not row["changed"] and not row.get("failed"):
            continue
        if row["action"] == "delete":
            yield (
                row["kind"],
                row["diff"]["before"].get(NAME_FIELDS[row["kind"]], row["name"]),
                row["team"],
            )
        yield from ((other["kind"], other["name"], other["team"]) for other in row["along"])


def named_kinds_alone_are_looked_at(case: NightlyCase, run: Result) -> None:
    """Check that what is pruned or undeclared is of a kind that the blueprint names."""
    pruned = run.get("results", [])[sum(map(len, case.blueprint.values())) :]
    assert {row["kind"] for row in pruned} <= set(case.options["prune"]) & case.blueprint.keys()
    assert {item["kind"] for item in run.get("undeclared", ())} <= case.blueprint.keys()


def created(writes: Iterable[Write]) -> Iterator[Label]:
    """Kind, comparable name and team of everything that these writes made."""
    for write in writes:
        for kind in KINDS:
            for key in write.after.objects[kind].keys() - write.before.objects[kind].keys():
                _kind, name, team = write.after.label(kind, write.after.objects[kind][key])
                yield kind, comparable_name(kind, name), team


def no_host_is_made_beside_itself(writes: Iterable[Write]) -> None:
    """Check that no alias is made where its scope has one of the same host, however it is
    written.

    A project's own alias is sent as it is given, also where the project has that host in another
    form.
    """
    for write in writes:
        is_update = write.method == "PATCH"
        before, after = (
            Counter(hosts(state, is_once_per_project=is_update))
            for state in (write.before, write.after)
        )
        assert all(count <= max(1, before[host]) for host, count in after.items()), (
            "an alias is made beside itself"
        )


def hosts(state: Snapshot, *, is_once_per_project: bool) -> Iterator[tuple[str, str | None]]:
    """The aliases in the form in which they compare, each with its team."""
    found = []
    for alias in state.objects["aliases"].values():
        _kind, name, team = state.label("aliases", alias)
        found.append((comparable_name("aliases", name), team, alias["projectId"]))
    if is_once_per_project:
        found = list(set(found))
    for host, team, _project in found:
        yield host, team


def allowed_creations(case: NightlyCase, made: Counter[Label]) -> Counter[Label]:
    """One of each, or as many as there are entries of one comparable name: their names may differ
    for the service.
    """
    present = Counter(declared_labels(case.blueprint, is_absent=False))
    return Counter(made.keys()) | present


def is_contradictory(blueprint: Blueprint) -> bool:
    """True if one entry makes what another wants absent, where the service stores it otherwise."""
    present = set(declared_labels(blueprint, is_absent=False))
    return not present.isdisjoint(declared_labels(blueprint, is_absent=True))


def declared_labels(blueprint: Blueprint, *, is_absent: bool) -> Iterator[Label]:
    """Kind, comparable name and team of what entries declare, or want absent."""
    for kind in KINDS:
        for entry, team in entries(blueprint, kind, is_absent=is_absent):
            name = comparable_name(kind, entry[NAME_FIELDS[kind]])
            yield kind, name, None if kind == "teams" else team
