# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A property of every platform, blueprint and third party, judged by what is gone from the service
afterwards.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from blueprints import converge_or_result
from hypothesis import event, given, settings
from hypothesis import strategies as st
from in_process import InProcess
from sampling import examples
from scoped_cases import IDS, ScopedCase, interfere
from write_effects import NAME_FIELDS, Deletion, Label, Recorder, Snapshot, is_match

Result = dict[str, Any]


# The same cases each time: a rare one must not stop a change that has nothing to do with it.
@settings(examples(400), derandomize=True, database=None)
@given(random=st.randoms(use_true_random=False))
def test_run_deletes_what_its_result_says_and_nothing_that_is_guarded(in_process, random):
    check_case(in_process, ScopedCase(random))


def check_case(emulator: InProcess, case: ScopedCase) -> None:
    """Play a case: check mode, the run while others write, and if nobody does, a second run."""
    emulator.reset()
    emulator.seed(**case.platform)
    emulator.switch(**case.switches)
    start = emulator.stored()
    options = {"prune_limit": 100, "workers": 1, **case.options}
    check = converge_or_result(emulator.base_url, case.blueprint, True, **options)
    assert emulator.stored() == start, "check mode writes"
    known = Snapshot(emulator)
    # An own list of one team counts as one's own: only the whole plan sees that an own entry
    # declares what is there.
    if "only" in options and "msg" not in check and case.switches["lists_span_teams"] != "one_team":
        check_selection(emulator, case, options, check)

    def others_write(moment: Any) -> None:
        for when, interference in case.interferences:
            if when == moment:
                interfere(emulator, interference)

    is_approved = "msg" not in check and any(
        when == "approved" for when, _what in case.interferences
    )
    approved = {"approved": check["steps"]} if is_approved else {}
    others_write("approved")
    with Recorder(emulator, others_write) as record:
        run = converge_or_result(
            emulator.base_url,
            case.blueprint,
            **options,
            **approved,
            planned=lambda _plan: others_write("planned"),
        )
    event("refused" if run.get("refused") else "not planned" if "results" not in run else "run")
    is_alone = not case.interferences
    # Where the own list shows the teams' projects, those that the run puts there, or that the
    # service puts into a team, which fails, may bear the names of the own ones.
    entries = chain.from_iterable(case.blueprint.values())
    is_own = any("own_scope" in entry for entry in entries)
    is_joined = (
        bool(case.switches["lists_span_teams"])
        and is_own
        and any(
            row["kind"] == "projects" and (row["changed"] or row.get("failed"))
            for row in run.get("results", ())
        )
    )
    reported = set(reported_deletions(run))
    read = foreseeable_deletions(record, is_alone=is_alone, is_joined=is_joined)
    gone = [thing for thing in read if not is_out_of_sight(thing, case, reported)]
    compare(
        gone, run, case, is_exact=is_alone and case.switches["domain_takes_aliases"] == "everywhere"
    )
    nothing_guarded_is_lost(gone, record, case)
    if is_approved:
        nothing_is_put_into_teams_of_strangers(record, known)
    if is_alone:
        assert not list(record.moved()), "a blueprint moves something between teams"
    # An alias may be taken in a list that the run does not read.
    is_taken = any(
        row.get("failure", {}).get("status") == 409
        for row in run.get("results", ())
        if row.get("failed")
    )
    if is_alone and not is_taken and not is_joined:
        assert check.get("msg") == run.get("msg"), "check mode and the run do not agree"
        assert check.get("results") == run.get("results"), "check mode shows other results"
    if is_alone and "msg" not in run and not is_joined:
        again = converge_or_result(emulator.base_url, case.blueprint, **options)
        assert "msg" not in again, "the second run fails"
        assert not again["changed"], "the second run changes something"


def foreseeable_deletions(record: Recorder, *, is_alone: bool, is_joined: bool) -> list[Deletion]:
    """What is gone, without what others may have changed: what a change of an own alias rests on is
    not read again, and what the run itself made counts as planned.
    """
    gone = list(record.deletions())
    if not is_alone:
        gone = [thing for thing in gone if thing.write.method == "DELETE"]
    if is_joined or not is_alone:
        gone = [thing for thing in gone if not record.has_made(thing.kind, thing.key)]
    return gone


def check_selection(emulator: InProcess, case: ScopedCase, options: Result, part: Result) -> None:
    """Check that the plan with ``only`` has the changes of the whole plan that a selector matches,
    and no other.
    """
    whole = converge_or_result(emulator.base_url, case.blueprint, True, **{**options, "only": None})
    selected = [row for row in whole.get("results", ()) if is_selected(row, options["only"])]
    assert "results" not in whole or changes(part["results"]) == changes(selected), (
        "only: another part is planned"
    )


def is_selected(row: Result, selectors: list[Any]) -> bool:
    team = str(row["name"] if row["kind"] == "teams" else row["team"])
    return any(
        is_match(selector, row["kind"], row["name"], {team, IDS.get(team, team)})
        for selector in selectors
    )


def changes(rows: list[Result]) -> list[tuple[str, ...]]:
    pending = [row for row in rows if row["action"] not in ("none", "skip")]
    return sorted(
        (row["kind"], row["name"], str(row["team"]), row["action"], str(row["diff"]))
        for row in pending
    )


def compare(gone: list[Deletion], run: Result, case: ScopedCase, is_exact: bool) -> None:
    """Check that what is gone is what is told, and that what is pruned was in a team."""
    said = Counter(reported_deletions(run))
    # A result names an object where it was, or where the run has moved it.
    lost = Counter(thing.label if thing.label in said else thing.last_label for thing in gone)
    # What a failed step shows may go with a later one.
    shown = Counter(cascades(row for row in run.get("results", ()) if row.get("failed")))
    pruned = done(run, sum(map(len, case.blueprint.values())))
    assert all(row["team"] for row in pruned), "the own scope is pruned"
    assert all(row["kind"] in case.options["prune"] for row in pruned), (
        "what is not to be pruned is"
    )
    if case.switches["lists_span_teams"]:  # a row names the scope of its entry, then
        sides = (
            [(kind, name, None) for kind, name, _team in side.elements()]
            for side in (lost, said, shown)
        )
        lost, said, shown = map(Counter[Label], sides)
    assert not lost - said - shown, f"gone and not told: {lost - said - shown}"
    assert not is_exact or not said - lost, f"told and not gone: {said - lost}"
    most = case.options.get("limits", {}).get("delete")
    assert most is None or not is_exact or len(gone) <= most, "more is gone than the limit allows"


def reported_deletions(run: Result) -> Iterator[Label]:
    """All that a run says it has deleted."""
    for row in done(run):
        if row["action"] == "delete":
            name = row["diff"]["before"].get(NAME_FIELDS[row["kind"]], row["name"])
            yield row["kind"], name, row["team"]
    yield from cascades(done(run))


def cascades(rows: Iterable[Result]) -> Iterator[Label]:
    along = chain.from_iterable(row["along"] for row in rows)
    return ((other["kind"], other["name"], other["team"]) for other in along)


def done(run: Result, first: int = 0) -> list[Result]:
    """The results of what a run has changed, from one of them on; nothing if it is refused."""
    rows = [] if run.get("refused") else run.get("results", [])[first:]
    return [row for row in rows if row["changed"] and not row.get("failed")]


def is_out_of_sight(thing: Deletion, case: ScopedCase, said: set[Label]) -> bool:
    """True if it is an alias that was in a list that the run does not read, and went with a
    domain.
    """
    if thing.kind != "aliases" or thing.label[:2] in {label[:2] for label in said}:
        return False
    slugs: dict[str, str] = {str(team): slug for slug, team in IDS.items()}
    scopes: set[str] = {case.options["team"]} if "team" in case.options else set()
    for kind, entries in case.blueprint.items():
        for entry in entries:
            named: str = entry["slug"] if kind == "teams" else entry.get("team", "")
            team = slugs.get(named, named)
            is_chosen = any(
                is_match(selector, kind, entry[NAME_FIELDS[kind]], {team, IDS.get(team, team)})
                for selector in case.options.get("only", [{}])
            )
            if is_chosen and (kind != "teams" or entry.get("state") != "absent"):
                scopes.add(team)
    lists = case.switches["lists_span_teams"]
    own = {True: {*IDS, ""}, "one_team": {"acme"}, False: {""}}[lists] if "" in scopes else set()
    return thing.label[2] not in (scopes - {""}) | own


def nothing_guarded_is_lost(gone: list[Deletion], record: Recorder, case: ScopedCase) -> None:
    for option in ("protect", "ignore"):
        selectors = case.options.get(option, ())
        for thing in gone:
            states = (record.start, thing.write.before)
            is_guarded = any(state.has(thing.kind, thing.key, selectors) for state in states)
            assert not is_guarded, f"{option}: {thing.kind} {thing.key} is gone"
        for write, kind, key in record.moved():
            is_left = record.start.has(kind, key, selectors) and not write.after.has(
                kind, key, selectors
            )
            assert not is_left, f"{option}: {kind} {key} is moved out of its reach"


def nothing_is_put_into_teams_of_strangers(record: Recorder, known: Snapshot) -> None:
    """Check that an approved run makes and moves nothing into teams that neither it nor the plan
    knows.
    """
    teams = set(known.slugs)
    for write in record.writes:
        if write.method == "POST":
            teams |= write.after.slugs.keys() - write.before.slugs.keys()
        for kind, key in write.placed():
            team = write.after.team_of(kind, write.after.objects[kind][key])
            assert team in teams or not team, (
                f"approved: {kind} {key} is put into a team of a stranger"
            )
