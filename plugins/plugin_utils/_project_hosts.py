# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects as hosts of an inventory: which there are, what each is called, and which variables it has."""

from __future__ import annotations

import dataclasses
import functools
import re
import typing as t
from collections import Counter

from ansible_collections.hosting.platform.plugins.module_utils._client.errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._fields import Values
from ansible_collections.hosting.platform.plugins.module_utils._resources._listing import WHOLE_TASK, Lists
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import Platform, Scope
from ansible_collections.hosting.platform.plugins.module_utils._resources.project import domains_of
from ansible_collections.hosting.platform.plugins.module_utils._threads import Crew

WORKERS = 8

# Core has groups of these names in every inventory, and takes a host of these for the controller.
CORE_NAMES = {"all", "ungrouped", "localhost", "127.0.0.1", "::1"}


@dataclasses.dataclass
class _Found:
    """A project and the team that it belongs to, ``None`` where neither it nor the scope tells."""

    project: Values
    team_id: t.Any

    @property
    def name(self) -> str:
        """Every host has a name; a project without one is called by its id."""
        return str(self.project["name"] or self.project["id"])

    def __str__(self) -> str:
        return f"{self.project['id']} (team {self.team_id})" if self.team_id else str(self.project["id"])


def read_hosts(platform: Platform, teams: t.Sequence[str], include_domains: bool) -> dict[str, Values]:
    """Each project's variables by the name of its host; of the caller's own scope where no team is given.

    Raises PlatformError, also where a name would mean two projects.
    """
    platform.lists = Lists(WHOLE_TASK)
    scopes = [platform.scope(team) for team in teams or [""]]
    found = _projects(platform, scopes)
    named = _named(found, lambda: _slugs(platform, scopes))
    hosts = {name: _variables(one.project) for name, one in named.items()}
    if include_domains:
        domains = _side_by_side(lambda one: domains_of(platform, one.project, one.team_id), named.values())
        for variables, records in zip(hosts.values(), domains):
            variables["hosting_domains"] = records
    return hosts


def _projects(platform: Platform, scopes: t.Sequence[Scope]) -> list[_Found]:
    """Those of all scopes, each once: a service may show a team's projects in the own scope too."""
    listings = _side_by_side(lambda scope: platform.every("projects", scope), scopes)
    found: dict[str, _Found] = {}
    for scope, listing in zip(scopes, listings):
        for project in listing:
            found.setdefault(str(project["id"]), _Found(project, project["team_id"] or scope.team_id))
    return list(found.values())


def _slugs(platform: Platform, scopes: t.Sequence[Scope]) -> dict[str, str]:
    """The slugs of the teams by their ids."""
    teams = [*platform.every("teams", Scope()), *(scope.team for scope in scopes if scope.team)]
    return {str(team["id"]): team["slug"] for team in teams}


def _named(found: t.Iterable[_Found], read_slugs: t.Callable[[], dict[str, str]]) -> dict[str, _Found]:
    """The projects by the names of their hosts, which tell the team only where they must."""
    counts = Counter(one.name for one in found)
    shared = {name for name, count in counts.items() if count > 1 or name in CORE_NAMES}
    slugs = read_slugs() if shared else {}
    named: dict[str, _Found] = {}
    for one in found:
        name = one.name
        if name in shared and one.team_id:
            name = f"{name}.{slugs.get(str(one.team_id), one.team_id)}"
        elif name in CORE_NAMES:
            name = f"{name}.{one.project['id']}"
        if name in named:
            raise PlatformError(
                f"The projects {named[name]} and {one} would both be the host {name}. Rename one of them, or read their"
                " teams in inventory sources of their own."
            )
        named[name] = one
    return named


def _variables(project: Values) -> Values:
    return {_variable(field): value for field, value in project.items()}


@functools.lru_cache(maxsize=256)
def _variable(field: str) -> str:
    """The variable of a field. Fields that the specification does not know may have any name."""
    return "hosting_" + re.sub(r"[^a-zA-Z0-9_]", "_", field)


Item = t.TypeVar("Item")
Result = t.TypeVar("Result")


def _side_by_side(read: t.Callable[[Item], Result], items: t.Iterable[Item]) -> list[Result]:
    """Read for all items at once; after a failure nothing more is begun."""
    with Crew(WORKERS) as crew:
        return list(crew.map(read, items))
