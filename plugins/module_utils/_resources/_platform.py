# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is there: objects under our names, and the scope that an object is sought in."""

from __future__ import annotations

import dataclasses
import typing as t

from .._client.api import Api
from .._client.errors import ApiError, PlatformError
from .._client.http import UNADDRESSABLE
from .._fields import (
    ALIAS,
    DOMAIN,
    PROJECT,
    TEAM,
    Fields,
    Values,
    is_same,
)
from ._listing import Listing, Lists

Condition = t.Callable[[Values], bool]

FIELDS: dict[str, Fields] = {"teams": TEAM, "projects": PROJECT, "aliases": ALIAS, "domains": DOMAIN}
TEAM_PATH_MINIMUM = 3
ALIAS_PATH_MINIMUM = 3


@dataclasses.dataclass(frozen=True)
class Scope:
    """The team on whose behalf calls are made; without one, whatever the unscoped list shows.

    ``foreign``: ids of teams whose objects do not count although the unscoped list may show them.
    """

    team: Values | None = None
    foreign: frozenset[str] = frozenset()

    @property
    def team_id(self) -> t.Any:
        return self.team["id"] if self.team else None

    @property
    def unfiltered(self) -> Scope:
        """The same list, with all that it shows."""
        return Scope(self.team)

    def team_id_for(self, item: Values) -> t.Any:
        """The team that a request about an object names: this one, else the object's own."""
        return self.team_id or item["team_id"] or None

    def holds(self, item: Values) -> bool:
        """Whether an object that a list of this scope shows belongs to it: some services list all teams' objects."""
        if "team_id" not in item:
            return True
        if self.team is None:
            return str(item["team_id"]) not in self.foreign
        return item["team_id"] in (None, "") or is_same(item["team_id"], self.team_id)

    def __str__(self) -> str:
        return f"team {self.team['slug']}" if self.team else "the scope of the token's user (no team is given)"


class Platform:
    """The service, read under our names.

    ``lists`` says how long lists are kept; ``warnings`` are for the user; ``say`` shows a line at once, where somebody
    would see it.
    """

    def __init__(self, api: Api, lists: Lists | None = None, say: t.Callable[[str], None] | None = None) -> None:
        self.api = api
        self.say = say
        self.lists = lists or Lists()
        self.warnings: list[str] = []

    def every(self, kind: str, scope: Scope) -> Listing:
        """All objects of a kind (teams, projects, aliases, domains) that a scope holds."""
        return self.lists.get(list_key(kind, scope), lambda: Listing(self._all(kind, scope)))

    def _all(self, kind: str, scope: Scope) -> t.Iterable[Values]:
        if not scope.foreign:
            return self.some(kind, scope, {})
        items = list(filter(scope.holds, self.every(kind, scope.unfiltered)))
        if kind != "aliases" or all(item["team_id"] for item in items):
            return items
        # An alias may name no team, and belongs where its project does.
        projects = self.every("projects", scope)
        return [item for item in items if item["team_id"] or projects.where("id", item["project_id"])]

    def some(
        self,
        kind: str,
        scope: Scope,
        page: t.Mapping[str, t.Any],
        keep: Condition = lambda _item: True,
        query: t.Mapping[str, t.Any] | None = None,
    ) -> list[Values]:
        """Those of a scope that ``keep`` accepts, in the service's order; ``limit`` counts these."""

        def read(**bounds: t.Any) -> tuple[list[Values], bool]:
            items = [FIELDS[kind].result(item) for item in self._walk(kind, scope, {**(query or {}), **bounds})]
            meant = [item for item in items if scope.holds(item) and keep(item)]
            return meant, len(meant) < len(items)

        meant, were_dropped = read(**page)
        if were_dropped and page.get("limit") is not None:
            meant = read(**{**page, "limit": None})[0][: page["limit"]]
        return meant

    def _walk(self, kind: str, scope: Scope, query: t.Mapping[str, t.Any]) -> list[Values]:
        if kind == "teams":
            return self.api.list_teams(**query)
        walks: dict[str, t.Callable[..., list[Values]]] = {
            "projects": self.api.list_projects,
            "aliases": self.api.list_aliases,
            "domains": self.api.list_domains,
        }
        return walks[kind](team_id=scope.team_id, **query)

    def project(self, scope: Scope, id_or_name: str) -> Values:
        """The project that an option names. Raises PlatformError if it is not there, or if more than one is meant."""
        found = project_among(self.every("projects", scope), id_or_name)
        if found is None:
            raise PlatformError(f"project: {id_or_name} is neither the id nor the name of a project of {scope}.")
        return found

    def project_name(self, scope: Scope, project_id: t.Any) -> str | None:
        """The name of the project with this id, by a GET or by the scope's list, of which each may lack it."""

        def by_get() -> Values | None:
            project = self.get_project(str(project_id))
            return project if project and is_same(project["id"], project_id) else None

        def by_list() -> Values | None:
            return next(iter(self.every("projects", scope).where("id", project_id)), None)

        cheapest_first = (by_list, by_get) if self.lists.keep else (by_get, by_list)
        project = next(filter(None, (find() for find in cheapest_first)), None) if project_id else None
        return project["name"] if project else None

    def scope(self, team: str | None) -> Scope:
        """Raises PlatformError for a team that is not there."""
        if not team:
            return Scope()
        found = self.find_team(team)
        if found is None:
            raise PlatformError(f"team: {team} is neither the id nor the slug of a team that this token can see.")
        return Scope(found)

    def own_scope(self) -> Scope:
        """What belongs to the token's user and to none of their teams."""
        return Scope(foreign=frozenset(str(team["id"]) for team in self.every("teams", Scope())))

    def find_team(self, id_or_slug: str) -> Values | None:
        """The team of this id or slug. Raises PlatformError for a value that is one's id and another's slug."""
        return team_among(self.every("teams", Scope()), id_or_slug) or self.get_team(id_or_slug)

    def get_team(self, id_or_slug: str) -> Values | None:
        """A team that one GET shows: the list holds only those that the user belongs to. ``None`` proves nothing."""
        if len(str(id_or_slug)) < TEAM_PATH_MINIMUM or id_or_slug in UNADDRESSABLE:
            return None
        team = unless_refused(lambda: TEAM.result(self.api.get_team(id_or_slug)))
        is_it = team and (is_same(team["id"], id_or_slug) or is_same(team["slug"], id_or_slug))
        return team if is_it else None

    def get_project(self, id_or_name: str) -> Values | None:
        """What one GET shows, which has no scope: look at its id, name and team. ``None`` proves nothing."""
        if id_or_name in UNADDRESSABLE:
            return None
        return unless_refused(lambda: PROJECT.result(self.api.get_project(id_or_name)))

    def get_alias(self, id_or_alias: str) -> Values | None:
        """What one GET shows, which has no scope. ``None`` proves nothing."""
        if len(id_or_alias) < ALIAS_PATH_MINIMUM or id_or_alias in UNADDRESSABLE:
            return None
        return unless_refused(lambda: ALIAS.result(self.api.get_alias(id_or_alias)))


def list_key(kind: str, scope: Scope) -> tuple[str, str]:
    """What a kept list goes by. A team that is only planned has no id yet, and no two have one slug."""
    if scope.team is None:
        return (kind, "own" if scope.foreign else "")
    return (kind, f"team {scope.team_id or scope.team['slug']}")


def sole(option: str, value: t.Any, items: Listing, forms: t.Mapping[str, t.Callable[[t.Any], str]]) -> Values | None:
    """The object that has the value in one of these fields; raises PlatformError, listing them, if it is not alone."""
    found = [item for field, form in forms.items() for item in items.where(field, value, form)]
    matches = [item for position, item in enumerate(found) if not any(item is other for other in found[:position])]
    if len(matches) > 1:
        listed = "; ".join(
            ", ".join(f"{name} {item[name]}" for name in ("id", "name", "slug", "alias", "team_id") if item.get(name))
            for item in matches
        )
        raise PlatformError(
            f"{option}: {value} fits {len(matches)} objects ({listed}). Say which one is meant: give its id or team."
        )
    return matches[0] if matches else None


def team_among(teams: Listing, id_or_slug: str) -> Values | None:
    """The team that an option ``team`` means."""
    return sole("team", id_or_slug, teams, {"id": str, "slug": str})


def project_among(projects: Listing, id_or_name: str) -> Values | None:
    """The project that an option ``project`` means."""
    return sole("project", id_or_name, projects, {"id": str, "name": str})


def unless_refused(get: t.Callable[[], Values]) -> Values | None:
    """The answer, or ``None`` for a refusal: the specification does not show how "not found" is answered."""
    try:
        return get()
    except ApiError as error:
        if error.status is None or not 400 <= error.status < 500 or error.status in (401, 429):
            raise
        return None
