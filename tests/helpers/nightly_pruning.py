# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random blueprints that prune night by night, on services that store names their own way and now
and then fail.
"""

import unicodedata
from itertools import product
from random import Random
from typing import Any

import idna
from blueprints import Blueprint
from platforms import SCOPES, TEAMS, scope_options
from random_cases import RandomCase

# Spellings of one name each: a service may store one as another.
NAMES = [
    ["web", "Web", "web "],
    ["caf\xe9", "cafe\u0301", "CAF\xc9"],
    ["prod-api", "Prod-API"],
    ["old"],
]
EARLIER = ["blog", "former", "Former"]
HOSTS = [
    ["www.x.com", "WWW.x.com."],
    ["b\xfccher.x.com", "xn--bcher-kva.x.com", "B\xdcCHER.x.com"],
    ["shop.y.com", "Shop.Y.com"],
    ["old.x.com"],
    ["me.y.com"],
]
DOMAINS = [["x.com", "X.com"], ["y.com"]]
PATTERNS = ["prod*", "Prod*", "old", "web", "Web", "caf*", "*.x.com", "b\xfc*", "www.*"]
SWITCHES: dict[str, list[Any]] = {
    "name_form": ["as_sent", "lowercase", "trimmed", "nfc"],
    "host_form": ["as_sent", "lowercase", "idna", "unicode"],
    "name_comparison": ["exact", "exact", "stored_form", "without_case"],
    "alias_on_get": ["of_callers_teams", "of_callers_teams", "of_its_scope", "of_everybody"],
    "assignment_takes": ["of_its_scope", "of_its_scope", "everywhere", "nothing"],
    "own_alias_takes": ["nothing", "of_its_scope", "everywhere"],
    "alias_team_id": ["id", "unset"],
    "personal_team_id": ["id", "unset"],
}
CREATIONS = [
    "POST /projects",
    "POST /{projectName}/alias",
    "POST /teams",
    "PATCH /projects/{idOrName}",
]


def comparable_name(kind: str, name: str) -> str:
    """What is equal of names that a service may take for one another: look-alikes, and hosts in
    either form.
    """
    if kind not in ("aliases", "domains"):
        return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()
    return ".".join(_ascii_label(label) for label in name.rstrip(".").split("."))


def _ascii_label(label: str) -> str:
    return idna.encode(label, uts46=True).decode()


def _stored_host(form: str, name: str) -> str:
    """A host name in the form of the switch ``host_form``."""
    if form == "as_sent":
        return name
    if form == "lowercase":
        return name.lower()
    ascii_name = comparable_name("domains", name)
    return ascii_name if form == "idna" else idna.decode(ascii_name)


class NightlyCase(RandomCase):
    """``faults``: what fails at random, in the first nights; ``recovers``: before which night it
    ends.
    """

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.switches = {name: self.random.choice(values) for name, values in SWITCHES.items()}
        if (
            self.switches["alias_on_get"] == "of_its_scope"
        ):  # what is taken then cannot be seen before
            for switch in ("assignment_takes", "own_alias_takes"):
                self.switches[switch] = self.switches[switch].replace("everywhere", "of_its_scope")
        self.platform = self._platform()
        self.blueprint = self._blueprint()
        self.options = self._options()
        self.faults = [self._fault() for _number in range(self.random.choice([0, 0, 1, 2]))]
        self.recovers = self.random.choice([1, 2])

    def _spelled_sample(self, spellings: list[list[str]], most: int) -> list[str]:
        """Some of these, each in one of its spellings, and now and then in two."""
        chosen = self.random.sample(spellings, self.random.randint(0, min(most, len(spellings))))
        names = [self.random.choice(each) for each in chosen]
        if chosen and self.happens(10):
            names.append(self.random.choice(chosen[0]))
        return list(dict.fromkeys(names))

    def _platform(self) -> Blueprint:
        projects: list[dict[str, Any]] = []
        for scope in SCOPES:
            names = self._spelled_sample([*NAMES, EARLIER], 4)
            projects += [{"name": name, "alias": "", **scope_options(scope)} for name in names]
        aliases = []
        for spellings in self.random.sample(
            HOSTS, self.random.randint(0, len(HOSTS)) if projects else 0
        ):
            project = self.random.choice(projects)
            host = self._stored(spellings)
            if not project["alias"] and self.happens(50):
                project["alias"] = host
            else:
                aliases.append(
                    {
                        "alias": host,
                        "project": project["name"],
                        **scope_options(project.get("team", "")),
                    }
                )
        domains = [
            {"name": self._stored(spellings), **scope_options(scope)}
            for scope, spellings in product(SCOPES, DOMAINS)
            if self.happens(8)
        ]
        return {
            "teams": [{"slug": slug} for slug in TEAMS],
            "projects": projects,
            "aliases": aliases,
            "domains": domains,
        }

    def _stored(self, spellings: list[str]) -> str:
        """A host name as the service stores it. Projects may be older than the service's habit."""
        return _stored_host(self.switches["host_form"], self.random.choice(spellings))

    def _blueprint(self) -> Blueprint:
        teams = [{"slug": slug} for slug in TEAMS if self.happens(70)]
        places = [*TEAMS, *([] if self.happens(50) else [""])]
        if self.happens(15):
            teams.append({"slug": self.random.choice(["nova", "Nova"])})
            places.append(teams[-1]["slug"])
        projects = []
        for scope in places:
            entries = [self._project(scope, name) for name in self._spelled_sample(NAMES, 3)]
            # What is deleted in one scope is not created in another: few cases are to be refused.
            projects += [
                entry for entry in entries if not self._may_replace(entry) or self.happens(10)
            ]
        present = [
            (project, scope_of(project)) for project in projects if project.get("state") != "absent"
        ]
        aliases = []
        own = {
            comparable_name("aliases", project["alias"])
            for project in projects
            if "alias" in project
        }
        for host in self._spelled_sample(
            [each for each in HOSTS if comparable_name("aliases", each[0]) not in own], 3
        ):
            here = [
                (project, scope) for project, scope in present if scope in self._scopes_of(host)
            ]
            if self.happens(25):
                aliases.append(
                    {"alias": host, "state": "absent", **_declared_in(self.random.choice(places))}
                )
            elif here:
                project, scope = self.random.choice(here)
                aliases.append({"alias": host, "project": project["name"], **_declared_in(scope)})
        domains = [
            {"name": name, "state": "absent", **_declared_in(self.random.choice(places))}
            for name in self._spelled_sample(DOMAINS, 1)
            if self.happens(40)
        ]
        lists: Blueprint = {
            "teams": teams,
            "projects": projects,
            "aliases": aliases,
            "domains": domains,
        }
        # An empty list names its kind, and none does not.
        return {kind: entries for kind, entries in lists.items() if entries or self.happens(50)}

    def _scopes_of(self, host: str) -> list[str]:
        """Where an entry may declare an alias: where it is, if it is anywhere, or now and then
        elsewhere.
        """
        there = [
            scope_of(item)
            for item in (*self.platform["projects"], *self.platform["aliases"])
            if item["alias"]
            and comparable_name("aliases", item["alias"]) == comparable_name("aliases", host)
        ]
        return there if there and self.happens(80) else [*SCOPES, "nova", "Nova"]

    def _may_replace(self, entry: dict[str, Any]) -> bool:
        """True if an entry creates a project of a name that one of another scope bears."""
        names = {entry["name"], *entry.get("previously", ())}
        scopes = {
            scope_of(project) for project in self.platform["projects"] if project["name"] in names
        }
        return bool(scopes) and scope_of(entry) not in scopes and entry.get("state") != "absent"

    def _project(self, scope: str, name: str) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": name, **_declared_in(scope)}
        way = self.random.choice(["present", "present", "present", "rename", "absent", "exists"])
        if way in ("absent", "exists"):
            return {**entry, "state": way}
        if way == "rename":
            # Not another entry's name: a service may make it of what that one sends.
            entry["previously"] = [self.random.choice(EARLIER)]
        if self.happens(25):
            host = self.random.choice(self.random.choice(HOSTS))
            if scope in self._scopes_of(host):
                entry["alias"] = host
        return entry

    def _options(self) -> dict[str, Any]:
        kinds = ["projects", "aliases", "domains"]
        chosen: dict[str, Any] = {"prune": [kind for kind in kinds if self.happens(70)]}
        if self.happens(50):
            chosen["protect"] = [self._selector()]
        if self.happens(6):
            chosen["ignore"] = [self._selector()]
        if self.happens(20):
            chosen["team"] = self.random.choice(TEAMS)
        return chosen

    def _selector(self) -> Any:
        pattern = self.random.choice(PATTERNS)
        if self.happens(60):
            return pattern
        kind = self.random.choice(["projects", "projects", "aliases"])
        return {
            "kind": kind,
            "name": pattern,
            **({"team": self.random.choice(TEAMS)} if self.happens(40) else {}),
        }

    def _fault(self) -> dict[str, Any]:
        fault = self.random.choice(["500", "403", "reset"])
        return {
            "operation": self.random.choice(CREATIONS),
            "fault": fault,
            "when": "before" if fault == "403" else self.random.choice(["before", "after"]),
            "probability": self.random.choice([0.5, 1]),
            "seed": self.random.randint(0, 99),
        }


def scope_of(entry: dict[str, Any]) -> str:
    return str(entry.get("team", ""))


def _declared_in(scope: str) -> dict[str, Any]:
    return {"team": scope} if scope else {"own_scope": True}
