# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random platforms whose scopes share names and domains, blueprints and options for them, and
others who write.
"""

import itertools
from random import Random
from typing import Any
from urllib.parse import quote

from blueprints import Blueprint
from in_process import InProcess
from platforms import PRESENTATION_SWITCHES, SCOPES, TEAMS, scope_options
from random_cases import RandomCase

KINDS = ["teams", "projects", "aliases", "domains"]
# One is shorter than a path may be.
IDS = {"acme": "t1", "zeta": "team_zeta"}
NAMES = ["web", "api", "prod[1]", "prod1", "we*"]
NEW_NAMES = ["web", "api", "new"]
HOSTS = ["x.com", "www.x.com", "shop.x.com", "www.y.com", "shop.y.com"]
DOMAINS = ["x.com", "y.com"]
PATTERNS = [*NAMES, *HOSTS, *TEAMS, "w*", "*.x.com", "WWW.*.com.", "prj_*"]
PRUNE = [[], ["aliases"], ["domains"], ["projects", "aliases"], ["projects", "aliases", "domains"]]
SWITCHES: dict[str, list[Any]] = {
    "domain_takes_aliases": ["everywhere", "everywhere", "of_its_scope"],
    "lists_span_teams": [False, False, True, "one_team"],
    "alias_team_id": ["id", "unset"],
    "personal_team_id": ["id", "unset"],
    "aliases_move": [True, True, False],
}
INTERFERENCES = [
    "alias",
    "unalias",
    "project",
    "delete",
    "rename",
    "move",
    "own alias",
    "domain",
    "nova",
]


class ScopedCase(RandomCase):
    """``interferences``: what others do, each with when: before an approved run, after its plan, or
    before a write of it.
    """

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.switches = {name: self.random.choice(values) for name, values in SWITCHES.items()}
        for name in self._sample(
            sorted(PRESENTATION_SWITCHES.keys() - SWITCHES.keys() - {"next_always"}), 2
        ):
            self.switches[name] = self.random.choice(PRESENTATION_SWITCHES[name])
        self.platform = self._platform()
        self.blueprint = self._blueprint()
        self.options = self._options()
        self.interferences = [
            (self.random.choice(["approved", "planned", 0, 1, 2]), self._interference())
            for _number in range(self.random.choice([0, 0, 1, 2]))
        ]

    def _sample(self, values: list[Any], most: int, fewest: int = 0) -> list[Any]:
        """Some of these values, each once, in the order of the list."""
        number = min(len(values), self.random.randint(fewest, most))
        chosen = self.random.sample(range(len(values)), number)
        return [values[index] for index in sorted(chosen)]

    def _platform(self) -> Blueprint:
        projects: list[dict[str, Any]] = [
            {"id": f"prj_{number}", "name": name, "alias": "", **scope_options(scope)}
            for number, (scope, name) in enumerate(
                self._sample(list(itertools.product(SCOPES, NAMES)), 6, 2)
            )
        ]
        aliases = []
        for number, host in enumerate(self._sample(HOSTS, 5)):
            project = self.random.choice(projects)
            if not project["alias"] and self.happens(50):
                project["alias"] = host
            else:
                alias = {"id": number + 1, "alias": host, "project": project["id"]}
                aliases.append({**alias, **scope_options(project.get("team", ""))})
        registered = self._sample(list(itertools.product(SCOPES, DOMAINS)), 3)
        return {
            "teams": [{"id": IDS[slug], "slug": slug} for slug in TEAMS],
            "projects": projects,
            "aliases": aliases,
            "domains": [{"name": name, **scope_options(scope)} for scope, name in registered],
        }

    def _declared_in(self, scope: str) -> dict[str, Any]:
        if not scope:
            return {"own_scope": True}
        return {"team": IDS[scope] if scope in IDS and self.happens(10) else scope}

    def _blueprint(self) -> Blueprint:
        there = [
            (project.get("team", ""), project["name"]) for project in self.platform["projects"]
        ]
        # What is deleted in one scope is not created in another: few cases are to be refused.
        elsewhere = {name for _scope, name in there}
        free = [name for name in NEW_NAMES if name not in elsewhere or self.happens(10)]
        places = itertools.product([*SCOPES, "nova"], free)
        missing = [place for place in places if place not in there]
        absent = {"state": "absent"}
        teams = [
            {"slug": slug, **(absent if self.happens(40) else {})}
            for slug in self._sample(TEAMS, 2)
        ]
        if (
            self.switches["lists_span_teams"] == "one_team"
        ):  # the own list is that of the first team
            teams = [team for team in teams if team != {"slug": TEAMS[0], "state": "absent"}]
        kept = [scope for scope in SCOPES if {"slug": scope, "state": "absent"} not in teams]
        chosen = [*self._sample(there, 3), *self._sample(missing, 1)]
        projects = [self._project(scope, name, kept) for scope, name in chosen]
        present = [entry for entry in projects if entry and entry.get("state") != "absent"]
        named = [(entry.get("team", ""), entry["name"]) for entry in present]
        if any(entry.get("team") == "nova" for entry in projects):
            teams.append({"slug": "nova"})
        domains = (
            self._sample(list(itertools.product(kept, DOMAINS)), 2) if self.happens(40) else []
        )
        # An alias that a project declares as its own is not to be absent elsewhere: the next run
        # would find it there.
        own = {entry.get("alias") for entry in projects}
        aliases = [
            self._alias(host, named or there, kept, host in own) for host in self._sample(HOSTS, 2)
        ]
        return {
            "teams": teams,
            "projects": [entry for entry in projects if entry],
            "aliases": [entry for entry in aliases if entry],
            "domains": [
                {"name": name, "state": "absent", **self._declared_in(scope)}
                for scope, name in domains
            ],
        }

    def _project(self, scope: str, name: str, kept: list[str]) -> dict[str, Any]:
        """An entry for a project; none in a team that goes."""
        entry: dict[str, Any] = {"name": name}
        way = self.random.choice(["present", "present", "rename", "absent", "exists"])
        if way == "rename":
            entry = {"name": self.random.choice(NAMES), "previously": [name]}
        elif way in ("absent", "exists"):
            entry["state"] = way
        if "state" not in entry and self.happens(50):
            owners = (*self.platform["projects"], *self.platform["aliases"])
            taken = [item["alias"] for item in owners]
            free = [host for host in HOSTS if host not in taken]
            entry["alias"] = self.random.choice(free if free and self.happens(70) else HOSTS)
        return {**entry, **self._declared_in(scope)} if scope in [*kept, "nova"] else {}

    def _alias(
        self, host: str, places: list[tuple[str, str]], kept: list[str], is_own: bool
    ) -> dict[str, Any]:
        if self.happens(20) and not is_own:
            return {"alias": host, "state": "absent", **self._declared_in(self.random.choice(kept))}
        scope, name = self.random.choice(places)
        if scope not in [*kept, *IDS.values(), "nova"]:
            return {}
        return {
            "alias": host,
            "project": name,
            **({"team": scope} if scope else {"own_scope": True}),
        }

    def _options(self) -> dict[str, Any]:
        chosen: dict[str, Any] = {"prune": self.random.choice(PRUNE)}
        for option, percent in {"protect": 50, "ignore": 12, "only": 12}.items():
            if self.happens(percent):
                chosen[option] = [self._selector() for _number in range(self.random.randint(1, 2))]
        if self.happens(20):
            chosen["limits"] = {"delete": self.random.randint(0, 6)}
        if self.happens(20):
            chosen["team"] = self.random.choice(TEAMS)
        return chosen

    def _selector(self) -> Any:
        choice = self.random.choice
        if self.happens(40):
            return choice(PATTERNS)
        # The id of a team that goes means nothing to the second run.
        teams = [
            IDS[slug]
            for slug in TEAMS
            if {"slug": slug, "state": "absent"} not in self.blueprint["teams"]
        ]
        selector: dict[str, Any] = (
            {"team": choice([*TEAMS, *teams, "", "a*"])} if self.happens(60) else {}
        )
        if not selector or self.happens(30):
            selector["kind"] = choice([choice(KINDS), self._sample(KINDS, 2, 1)])
        return {**selector, "name": choice(PATTERNS)} if self.happens(30) else selector

    def _interference(self) -> dict[str, Any]:
        choice = self.random.choice
        interference = {
            "do": choice(INTERFERENCES),
            "which": self.random.randint(0, 9),
            "scope": choice(TEAMS),
        }
        return {**interference, "name": choice(NAMES), "host": choice(HOSTS)}


def interfere(emulator: InProcess, interference: dict[str, Any]) -> None:
    """Somebody else writes; what is impossible is refused."""
    state = emulator.stored()

    def pick(kind: str) -> dict[str, Any]:
        items = [*state[kind], {"id": "nothing", "name": "nothing", "teamId": ""}]
        found: dict[str, Any] = items[interference["which"] % len(items)]
        return found

    project = pick("projects")
    alias = pick("aliases")
    team = IDS[interference["scope"]]
    path = f"projects/{project['id']}"
    name = {"name": project["name"]}
    writes: dict[str, tuple[str, str, Any]] = {
        "alias": (
            "POST",
            f"{quote(project['name'], safe='')}/alias",
            {"alias": interference["host"]},
        ),
        "unalias": ("DELETE", f"aliases/{alias['id']}", None),
        "project": (
            "POST",
            "projects",
            {"name": interference["name"], "alias": interference["host"], "teamId": team},
        ),
        "delete": ("DELETE", path, None),
        "rename": ("PATCH", path, {"name": interference["name"]}),
        "move": ("PATCH", path, {**name, "teamId": team}),
        "own alias": ("PATCH", path, {**name, "alias": interference["host"]}),
    }
    if interference["do"] in writes:
        emulator.ask(
            *writes[interference["do"]],
            (alias if interference["do"] == "unalias" else project)["teamId"],
        )
    elif interference["do"] == "domain":
        is_there = any(
            (domain["name"], domain["teamId"]) == ("x.com", team) for domain in state["domains"]
        )
        if not is_there and any(found["id"] == team for found in state["teams"]):
            emulator.seed(domains=[{"name": "x.com", "team": team}])
    elif not any(found["slug"] == "nova" for found in state["teams"]):
        member = {"email": state["users"][0]["email"], "role": "MEMBER"}
        emulator.seed(users=[{"email": "eve@example.com"}])
        emulator.seed(teams=[{"slug": "nova", "owner": "eve@example.com", "members": [member]}])
