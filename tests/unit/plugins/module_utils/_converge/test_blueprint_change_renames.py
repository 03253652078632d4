# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random blueprints, one after the other, that rename what the one before declared: nothing is ever made anew."""

from __future__ import annotations

from collections import Counter
from typing import Any

from blueprints import Blueprint, actions, converge, converge_or_result
from hypothesis import event, given
from hypothesis import strategies as st
from sampling import examples

TEAM_NAMES = ["acme", "zeta", "nova", "apex"]
PROJECT_NAMES = ["web", "api", "a b", "{{ x }}", "12345", "näme"]

# By the ids, which everything keeps.
Names = dict[str, str]


def alias_of(project: str) -> str:
    return f"{project}.example.com".lower()


def names_of(state: dict[str, Any]) -> Names:
    """The names of all projects and the slugs of all teams."""
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    return {**slugs, **{project["id"]: project["name"] for project in state["projects"]}}


def relations(state: dict[str, Any]) -> Any:
    """What belongs to what, with every id."""
    projects = {(project["id"], project["teamId"]) for project in state["projects"]}
    aliases = {(alias["id"], alias["alias"], alias["projectId"], alias["teamId"]) for alias in state["aliases"]}
    members = {(member["id"], member["email"], member["teamId"], member["role"]) for member in state["members"]}
    return projects, aliases, members


def is_exchange(things: list[str], now: Names, wanted: Names) -> bool:
    """Return whether some only pass their names around."""
    heirs = {now[thing]: wanted[thing] for thing in things if now[thing] != wanted[thing]}
    while free := [name for name, heir in heirs.items() if heir not in heirs]:
        for name in free:
            del heirs[name]
    return bool(heirs)


def previously(things: list[str], now: Names, wanted: Names, had: dict[str, list[str]]) -> dict[str, list[str]]:
    """The present name of each, and those that it had and that nothing else has, had or will have."""
    found = {}
    for thing in things:
        others = {name for other in things if other != thing for name in (now[other], wanted[other], *had[other])}
        found[thing] = [now[thing], *(name for name in had[thing] if name not in {*others, wanted[thing]})]
    return found


def start(emulator: Any) -> dict[str, list[str]]:
    """The ids of the projects of each team."""
    emulator.reset()
    seeded = emulator.seed(
        teams=[{"slug": slug, "members": [{"email": "dev@example.com", "role": "VIEWER"}]} for slug in TEAM_NAMES[:2]],
        projects=[{"name": name, "team": team} for team in TEAM_NAMES[:2] for name in PROJECT_NAMES[:3]],
    )
    emulator.seed(
        aliases=[
            {"alias": alias_of(project["id"]), "project": project["id"], "team": project["teamId"]}
            for project in seeded["projects"]
        ]
    )
    return {
        team["id"]: [project["id"] for project in seeded["projects"] if project["teamId"] == team["id"]]
        for team in seeded["teams"]
    }


rounds = st.lists(
    st.tuples(
        st.permutations(TEAM_NAMES),
        st.lists(st.permutations(PROJECT_NAMES), min_size=2, max_size=2),
        st.sampled_from([1, 8]),
    ),
    min_size=1,
    max_size=3,
)


@examples(40)
@given(rounds=rounds)
def test_whatever_is_renamed_stays_itself(in_process, rounds):
    projects_of = start(in_process)
    groups = [list(projects_of), *projects_of.values()]
    now, before = names_of(in_process.state()), relations(in_process.state())
    had: dict[str, list[str]] = {thing: [] for thing in now}
    for team_names, project_names, workers in rounds:
        wanted = {
            thing: name
            for group, names in zip(groups, (team_names, *project_names))
            for thing, name in zip(group, names)
        }
        earlier = {thing: names for group in groups for thing, names in previously(group, now, wanted, had).items()}
        homes = [(project, wanted[team]) for team, projects in projects_of.items() for project in projects]
        blueprint: Blueprint = {
            "teams": [{"slug": wanted[team], "previously": earlier[team]} for team in projects_of],
            "projects": [{"name": wanted[one], "team": team, "previously": earlier[one]} for one, team in homes],
            "aliases": [{"alias": alias_of(one), "project": wanted[one], "team": team} for one, team in homes],
        }
        in_process.forget_requests()
        result = converge_or_result(in_process.base_url, blueprint, workers=workers)
        if any(is_exchange(group, now, wanted) for group in groups):
            event("names exchanged")
            assert "would swap names" in result["msg"]
            assert in_process.requests() == []
        else:
            event("renamed")
            assert "msg" not in result
            renamed = [thing for thing in now if now[thing] != wanted[thing]]
            kinds = {thing: "teams" if thing in projects_of else "projects" for thing in renamed}
            assert Counter(in_process.writes) == Counter(f"PATCH /{kinds[thing]}/{thing}" for thing in renamed)
            for thing in renamed:
                had[thing].append(now[thing])
            now = wanted
            assert actions(converge(in_process.base_url, blueprint, prune=["projects", "aliases"])) == []
        assert names_of(in_process.state()) == now
        assert relations(in_process.state()) == before
