# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random blueprints, one after the other, that rename what the one before declared: nothing is ever made anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from blueprints import Blueprint, actions, converge, converge_or_fail
from hypothesis import event, given
from hypothesis import strategies as st
from sampling import examples

TEAM_NAMES = ["acme", "zeta", "nova", "apex"]
PROJECT_NAMES = ["web", "api", "a b", "{{ x }}", "12345", "näme"]


@dataclass
class Thing:
    """A team or project of the model: the id that it keeps, its name, and the names that it had."""

    id: str
    name: str
    framework: str = ""
    had: list[str] = field(default_factory=list)


@dataclass
class Model:
    """Everything on the platform, projects by the id of their team. The name of a thing is a key nowhere."""

    teams: list[Thing]
    projects: dict[str, list[Thing]]

    def entries(self, names: dict[str, str], frameworks: dict[str, str]) -> Blueprint:
        """A blueprint in which things have these names, and projects these frameworks, by their ids."""
        teams = [{"slug": names[team.id], "previously": _earlier(team, self.teams, names)} for team in self.teams]
        projects = [
            {
                "name": names[project.id],
                "team": names[team.id],
                "previously": _earlier(project, self.projects[team.id], names),
                "framework": frameworks.get(project.id, project.framework),
            }
            for team in self.teams
            for project in self.projects[team.id]
        ]
        aliases = [
            {"alias": f"{project.id}.example.com".lower(), "project": names[project.id], "team": names[team.id]}
            for team in self.teams
            for project in self.projects[team.id]
        ]
        return {"teams": teams, "projects": projects, "aliases": aliases}

    def become(self, names: dict[str, str], frameworks: dict[str, str]) -> Counter[str]:
        """Have these names and frameworks; how often each changed thing is changed."""
        patched: Counter[str] = Counter()
        for kind, things in (("teams", self.teams), *(("projects", of) for of in self.projects.values())):
            for thing in things:
                framework = frameworks.get(thing.id, thing.framework)
                if (names[thing.id], framework) != (thing.name, thing.framework):
                    patched[f"PATCH /{kind}/{thing.id}"] += 1
                thing.had += [] if names[thing.id] == thing.name else [thing.name]
                thing.name, thing.framework = names[thing.id], framework
        return patched

    def stored(self) -> Any:
        return {
            team.id: (team.name, {p.id: (p.name, p.framework) for p in self.projects[team.id]}) for team in self.teams
        }


def _earlier(thing: Thing, all_things: list[Thing], names: dict[str, str]) -> list[str]:
    """The present name, and those that it had and that nothing else has had or will have."""
    taken = {other.name for other in all_things} | {names[other.id] for other in all_things}
    claimed = {name for other in all_things if other is not thing for name in other.had}
    return [thing.name, *(name for name in dict.fromkeys(thing.had) if name not in taken | claimed)]


def _stored(state: dict[str, Any]) -> Any:
    found: dict[str, Any] = {team["id"]: (team["slug"], {}) for team in state["teams"]}
    for project in state["projects"]:
        found[project["teamId"]][1][project["id"]] = (project["name"], project["framework"] or "")
    return found


def _is_exchange(things: list[Thing], names: dict[str, str]) -> bool:
    """Return whether some only pass their names around."""
    heir = {thing.name: names[thing.id] for thing in things if names[thing.id] != thing.name}
    for start in heir:
        name, steps = heir[start], 0
        while name in heir and name != start and steps < len(heir):
            name, steps = heir[name], steps + 1
        if name == start:
            return True
    return False


def _start(emulator: Any) -> Model:
    emulator.reset()
    seeded = emulator.seed(
        teams=[{"slug": slug, "members": [{"email": "dev@example.com", "role": "VIEWER"}]} for slug in TEAM_NAMES[:2]],
        projects=[{"name": name, "team": team} for team in TEAM_NAMES[:2] for name in PROJECT_NAMES[:3]],
    )
    emulator.seed(
        aliases=[
            {"alias": f"{project['id']}.example.com".lower(), "project": project["id"], "team": project["teamId"]}
            for project in seeded["projects"]
        ]
    )
    projects: dict[str, list[Thing]] = {team["id"]: [] for team in seeded["teams"]}
    for project in seeded["projects"]:
        projects[project["teamId"]].append(Thing(project["id"], project["name"]))
    return Model([Thing(team["id"], team["slug"]) for team in seeded["teams"]], projects)


def _kept(state: dict[str, Any]) -> Any:
    """The objects that belong to teams and projects, with every id."""
    aliases = {(alias["id"], alias["alias"], alias["projectId"], alias["teamId"]) for alias in state["aliases"]}
    members = {(member["id"], member["email"], member["teamId"], member["role"]) for member in state["members"]}
    return aliases, members


rounds = st.lists(
    st.fixed_dictionaries(
        {
            "teams": st.permutations(TEAM_NAMES),
            "projects": st.lists(st.permutations(PROJECT_NAMES), min_size=2, max_size=2),
            "frameworks": st.lists(st.sampled_from(["", "astro"]), min_size=6, max_size=6),
            "workers": st.sampled_from([1, 8]),
        }
    ),
    min_size=1,
    max_size=3,
)


@examples(40)
@given(rounds=rounds)
def test_whatever_is_renamed_stays_itself(running, rounds):
    model = _start(running)
    kept = _kept(running.state())
    for given_round in rounds:
        names = {team.id: name for team, name in zip(model.teams, given_round["teams"])}
        for team, order in zip(model.teams, given_round["projects"]):
            names.update((project.id, name) for project, name in zip(model.projects[team.id], order))
        every = [project.id for projects in model.projects.values() for project in projects]
        frameworks = dict(zip(every, given_round["frameworks"]))
        blueprint = model.entries(names, frameworks)
        running.forget_requests()
        result = converge_or_fail(running.base_url, blueprint, workers=given_round["workers"])
        if any(_is_exchange(things, names) for things in (model.teams, *model.projects.values())):
            event("names exchanged")
            assert "would exchange their names" in result["msg"]
            assert running.requests() == []
        else:
            event("renamed")
            assert "msg" not in result
            assert Counter(running.writes) == model.become(names, frameworks)
            assert actions(converge(running.base_url, blueprint, prune=["projects", "aliases"])) == []
        assert _stored(running.state()) == model.stored()
        assert _kept(running.state()) == kept
