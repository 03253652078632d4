# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random sequences of module calls under random switches: results and stored state equal a simple model's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from client import run, run_both
from hypothesis import given
from hypothesis import strategies as st
from platforms import PRESENTATION
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team import Team

# Paging has properties of its own; the model knows no scope in which other teams' objects are shown.
LEFT_OUT = ("next_always", "limit_cap", "limit_refuse_over", "personal_team_id", "lists_span_teams")
SWITCHES = {
    **{name: values for name, values in PRESENTATION.items() if name not in LEFT_OUT},
    "duplicate_names": [409, 400, "allowed"],
}
switches = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in SWITCHES.items()})
teams = st.sampled_from(["acme", "zeta"])
names = st.sampled_from(["web", "a/b", "..", "100% {{ x }}"])
texts = st.sampled_from(["", "astro", "{{ y }}"])
PROJECT_FIELDS = ("framework", "build_command")
calls = st.one_of(
    st.fixed_dictionaries({"do": st.just("team"), "slug": teams, "name": texts}),
    st.fixed_dictionaries({"do": st.just("no team"), "slug": teams}),
    st.fixed_dictionaries(
        {"do": st.just("project"), "team": teams, "name": names},
        optional=dict.fromkeys(PROJECT_FIELDS, texts),
    ),
    st.fixed_dictionaries({"do": st.just("no project"), "team": teams, "name": names}),
    st.fixed_dictionaries({"do": st.just("rename"), "team": teams, "name": names, "new": names}),
    st.fixed_dictionaries({"do": st.just("alias"), "team": teams, "project": names}),
    st.fixed_dictionaries({"do": st.sampled_from(["no alias", "no domain"]), "team": teams}),
)
# What is the same in every call for a team.
NAMED = {"alias": {"alias": "www.{}.org"}, "no alias": {"alias": "WWW.{}.org."}, "no domain": {"name": "{}.com"}}
KINDS = {"team": Team, "project": Project, "rename": Project, "alias": Alias, "domain": Domain}


class Model:
    """The objects of the platform, by name. Every method tells whether the call changes something."""

    def __init__(self) -> None:
        self.teams: dict[str, str] = {}
        self.projects: dict[tuple[str, str], dict[str, str]] = {}
        self.aliases: dict[str, tuple[str, str]] = {}

    def have_team(self, slug: str, name: str) -> bool:
        is_new = self.teams.get(slug) != name
        self.teams[slug] = name
        return is_new

    def have_no_team(self, slug: str) -> bool:
        for team, name in list(self.projects):
            if team == slug:
                self.have_no_project(team, name)
        return self.teams.pop(slug, None) is not None

    def have_project(self, team: str, name: str, **fields: str) -> bool:
        is_new = (team, name) not in self.projects
        project = self.projects.setdefault((team, name), dict.fromkeys(PROJECT_FIELDS, ""))
        before = dict(project)
        project.update(fields)
        return is_new or project != before

    def have_no_project(self, team: str, name: str) -> bool:
        self.aliases = {alias: home for alias, home in self.aliases.items() if home != (team, name)}
        return self.projects.pop((team, name), None) is not None

    def rename(self, team: str, name: str, new: str) -> bool:
        self.projects[team, new] = self.projects.pop((team, name))
        moved = {alias: (team, new) for alias, home in self.aliases.items() if home == (team, name)}
        self.aliases.update(moved)
        return name != new

    def have_alias(self, team: str, project: str) -> bool:
        before = self.aliases.get(f"www.{team}.org")
        self.aliases[f"www.{team}.org"] = (team, project)
        return before != (team, project)

    def have_no_alias(self, team: str) -> bool:
        return self.aliases.pop(f"www.{team}.org", None) is not None

    def have_no_domain(self, team: str) -> bool:  # noqa: ARG002
        """There never is one: the API registers none."""
        return False

    def take(self, call: dict[str, Any]) -> bool:
        """Does what the call asks for."""
        actions: dict[str, Callable[..., bool]] = {
            "team": self.have_team,
            "no team": self.have_no_team,
            "project": self.have_project,
            "no project": self.have_no_project,
            "rename": self.rename,
            "alias": self.have_alias,
            "no alias": self.have_no_alias,
            "no domain": self.have_no_domain,
        }
        return actions[call["do"]](**{name: value for name, value in call.items() if name != "do"})


def stored(state: dict[str, Any]) -> Model:
    """The emulator's state, in the model's terms; aliases that came with their project aside."""
    model = Model()
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    homes = {project["id"]: (slugs[project["teamId"]], project["name"]) for project in state["projects"]}
    model.teams = {team["slug"]: team["name"] or "" for team in state["teams"]}
    model.projects = {
        homes[project["id"]]: {"framework": project["framework"] or "", "build_command": project["buildCommand"] or ""}
        for project in state["projects"]
    }
    model.aliases = {
        alias["alias"]: homes[alias["projectId"]] for alias in state["aliases"] if alias["alias"].endswith(".org")
    }
    return model


def play(base_url: str, model: Model, call: dict[str, Any]) -> tuple[bool, bool, bool] | None:
    """The verdicts: do check mode, the run and the model call it a change? ``None`` for one that cannot be made."""
    do, team = call["do"], call.get("team")
    given = {name: value for name, value in call.items() if name not in ("do", "new")}
    if team is not None and team not in model.teams:
        return None
    if do in ("rename", "alias") and (team, given.get("project", given.get("name"))) not in model.projects:
        return None
    if do == "alias" and given["project"] == "..":
        return None
    if do == "rename":
        if (team, call["new"]) in model.projects and call["new"] != call["name"]:
            return None
        given = {**given, "id": run(Project, base_url, **given)["project"]["id"], "name": call["new"]}
    given |= {option: text.format(team) for option, text in NAMED.get(do, {}).items()}
    if do.startswith("no "):
        given["state"] = "absent"
    kind = KINDS[do.split()[-1]]
    check, done = run_both(kind, base_url, **given)
    return check["changed"], done["changed"], model.take(call)


START: list[dict[str, Any]] = [
    {"do": "team", "slug": "acme", "name": ""},
    {"do": "team", "slug": "zeta", "name": "Zeta"},
    {"do": "project", "team": "acme", "name": "web"},
    {"do": "project", "team": "zeta", "name": "a/b", "framework": "astro"},
    {"do": "alias", "team": "acme", "project": "web"},
]


@examples(30)
@given(behaviour=switches, sequence=st.lists(calls, min_size=8, max_size=25))
def test_sequences_of_calls(running, behaviour, sequence):
    running.reset()
    running.switch(**behaviour)
    model = Model()
    for call in (*START, *sequence):
        said = play(running.base_url, model, call)
        if said is not None:
            assert len(set(said)) == 1, (call, said)
        found = stored(running.state())
        assert (found.teams, found.projects, found.aliases) == (model.teams, model.projects, model.aliases), call
    running.behave_normally()
