# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing of a team is taken, changed or deleted by a task without a team, whatever the own list
shows, and whatever fails.
"""

from typing import Any

from blueprints import converge_or_result
from hypothesis import given
from hypothesis import strategies as st
from modules import perform
from platforms import platforms, presentations
from sampling import examples
from write_effects import Snapshot

NAMES = ["web", "a/b c", "näme", "12345", "new"]
HOSTS = [
    *(f"{label}.{scope}.example.com" for label in ("www", "old") for scope in ("acme", "own")),
    "CDN.zeta.example.com.",
    "new.example.com",
]
PRUNE: dict[str, Any] = {"prune": ["projects", "aliases", "domains"], "prune_limit": 100}
STATES = ["present", "present", "absent", "exists"]

names = st.sampled_from(NAMES)
hosts = st.sampled_from(HOSTS)
own = st.sampled_from([{}, {"own_scope": True}])
# One GET shows whose an alias is: what nobody shows, nobody can leave alone.
habits = st.fixed_dictionaries(
    {
        "lists_span_teams": st.sampled_from([True, "one_team", False]),
        "alias_on_get": st.sampled_from(["of_callers_teams", "of_everybody"]),
        "project_on_get": st.sampled_from(["of_callers_teams", "of_everybody"]),
    },
    optional={
        "assignment_takes": st.sampled_from(["of_its_scope", "everywhere", "nothing"]),
        "own_alias_takes": st.sampled_from(["nothing", "of_its_scope", "everywhere"]),
        "duplicate_names": st.sampled_from([409, "allowed"]),
        "lists_late_ms": st.just(3000),
    },
)
faults = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["GET /teams", "GET /projects", "GET /aliases"]),
            st.sampled_from(["403", "404"]),
            st.integers(0, 2),
        ),
        st.tuples(st.just("*"), st.sampled_from(["500", "reset"]), st.integers(0, 8)),
    ),
    max_size=2,
)


@st.composite
def projects(draw: Any) -> dict[str, Any]:
    state = draw(st.sampled_from(STATES))
    entry = {"name": draw(names), "state": state, **draw(own)}
    if state == "present":
        entry |= draw(st.sampled_from([{}, {"framework": "hugo"}, {"previously": ["web", "new"]}]))
        entry |= {"alias": draw(hosts)} if draw(st.booleans()) else {}
    return entry


@st.composite
def aliases(draw: Any) -> dict[str, Any]:
    state = draw(st.sampled_from(["present", "present", "absent"]))
    return {"alias": draw(hosts), "project": draw(names), "state": state, **draw(own)}


@st.composite
def domains(draw: Any) -> dict[str, Any]:
    return {"name": draw(hosts), "state": draw(st.sampled_from(["present", "absent"])), **draw(own)}


tasks = st.one_of(
    *(
        st.tuples(st.just(module), options)
        for module, options in (
            ("project", projects()),
            ("alias", aliases()),
            ("domain", domains()),
        )
    ),
    st.tuples(
        st.just("blueprint"),
        st.fixed_dictionaries(
            {
                "projects": st.lists(projects(), max_size=2),
                "aliases": st.lists(aliases(), max_size=2),
                "domains": st.lists(domains(), max_size=1),
            }
        ),
    ),
)


def team_objects(emulator: Any) -> dict[tuple[str, str], dict[str, Any]]:
    """What belongs to a team, and each team, by kind and id."""
    now = Snapshot(emulator)
    return {
        (kind, key): item
        for kind, items in now.objects.items()
        for key, item in items.items()
        if now.team_of(kind, item)
    }


@given(platforms(), presentations, habits, faults, st.lists(tasks, min_size=1, max_size=4))
@examples(200)
def test_a_task_without_a_team_touches_no_object_of_a_team(
    in_process, platform, presentation, habit, planned_faults, play
):
    in_process.reset()
    in_process.switch(**{**presentation, **habit})
    in_process.seed(**platform)
    for operation, fault, skip in planned_faults:
        in_process.plan_fault(operation, fault, skip=skip)
    for module, options in play:
        before = team_objects(in_process)
        if module == "blueprint":
            done = converge_or_result(in_process.base_url, options, **PRUNE)
        else:
            done = perform(module, in_process.base_url, **options)
        after = team_objects(in_process)
        assert {key: after.get(key) for key in before} == before, (module, options, done)
        # What the service puts into a team is a failure.
        assert len(after) == len(before) or done.get("failed") or "msg" in done, (module, done)
