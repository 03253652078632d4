# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is there: whole lists under our names, and the scope that an object is sought in."""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from ansible_collections.hosting.platform.plugins.module_utils._api import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, InvalidOption, PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._fields import (
    ALIAS,
    DOMAIN,
    PROJECT,
    TEAM,
    USER,
    Fields,
    Values,
    is_same,
)
from ansible_collections.hosting.platform.plugins.module_utils._http import UNADDRESSABLE

Condition = t.Callable[[Values], bool]

TEAM_PATH_MINIMUM = 3
ALIAS_PATH_MINIMUM = 3


@dataclasses.dataclass(frozen=True)
class Scope:
    """The team on whose behalf calls are made; without one, whatever the unscoped list shows."""

    team: Values | None = None

    @property
    def team_id(self) -> t.Any:
        return self.team["id"] if self.team else None

    def holds(self, item: Values) -> bool:
        """Whether an object that a list of this scope shows belongs to it: some services list all teams' objects."""
        return self.team is None or item["team_id"] in (None, "") or is_same(item["team_id"], self.team_id)

    def __str__(self) -> str:
        return f"team {self.team['slug']}" if self.team else "the token's own list (no team is given)"


class Platform:
    """The service, read under our names. ``warnings`` are for the user."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.warnings: list[str] = []

    def teams(self, **page: t.Any) -> list[Values]:
        return [TEAM.result(item) for item in self.api.list_teams(**page)]

    def projects(self, scope: Scope, **page: t.Any) -> list[Values]:
        return _those(scope.holds, PROJECT, functools.partial(self.api.list_projects, scope.team_id), page)

    def domains(self, scope: Scope, **page: t.Any) -> list[Values]:
        return _those(scope.holds, DOMAIN, functools.partial(self.api.list_domains, scope.team_id), page)

    def aliases(
        self, scope: Scope, keep: Condition | None = None, project_id: t.Any = None, **page: t.Any
    ) -> list[Values]:
        """Those of the scope, or of one of its projects; of these the ones that ``keep`` accepts."""

        def is_meant(item: Values) -> bool:
            is_of_project = project_id is None or is_same(item["project_id"], project_id)
            return scope.holds(item) and is_of_project and (keep is None or keep(item))

        walk = functools.partial(self.api.list_aliases, project_id, scope.team_id)
        return _those(is_meant, ALIAS, walk, page)

    def project(self, scope: Scope, id_or_name: str) -> Values:
        """The project that an option names. Raises PlatformError if it is not there, or if more than one is meant."""
        matches = [
            item
            for item in self.projects(scope)
            if is_same(item["id"], id_or_name) or is_same(item["name"], id_or_name)
        ]
        if len(matches) > 1:
            raise ambiguous("project", id_or_name, matches)
        if not matches:
            raise PlatformError(f"project: {id_or_name} is neither the id nor the name of a project of {scope}.")
        return matches[0]

    def project_name(self, project_id: t.Any) -> str | None:
        """The name of the project with this id, where a GET shows it."""
        project = self.get_project(str(project_id))
        return project["name"] if project and is_same(project["id"], project_id) else None

    def get_alias(self, id_or_alias: str) -> Values | None:
        """What one GET shows, which has no scope. ``None`` proves nothing."""
        if len(id_or_alias) < ALIAS_PATH_MINIMUM:
            return None
        return unless_refused(lambda: ALIAS.result(self.api.get_alias(id_or_alias)))

    def user(self) -> Values:
        return USER.result(self.api.get_user())

    def scope(self, team: str | None) -> Scope:
        """Raises PlatformError for a team that is not there."""
        if not team:
            return Scope()
        found = self.find_team(team)
        if found is None:
            raise PlatformError(f"team: {team} is neither the id nor the slug of a team that this token can see.")
        return Scope(found)

    def find_team(self, id_or_slug: str) -> Values | None:
        """The team of this id or slug. Raises PlatformError for a value that is one's id and another's slug."""
        matches = [
            team for team in self.teams() if is_same(team["id"], id_or_slug) or is_same(team["slug"], id_or_slug)
        ]
        if len(matches) > 1:
            raise ambiguous("team", id_or_slug, matches)
        return matches[0] if matches else self.get_team(id_or_slug)

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


def _those(
    keep: Condition, fields: Fields, walk: t.Callable[..., list[Values]], page: dict[str, t.Any]
) -> list[Values]:
    """The objects of a list that are meant; ``limit`` counts these, and not what the service adds to them."""
    items = [fields.result(item) for item in walk(**page)]
    meant = [item for item in items if keep(item)]
    if page.get("limit") is None or len(meant) == len(items):
        return meant
    everything = walk(**{**page, "limit": None})
    return [item for item in map(fields.result, everything) if keep(item)][: page["limit"]]


def page_of(options: t.Mapping[str, t.Any]) -> dict[str, int | None]:
    """The page options of a list; raises InvalidOption."""
    if options["limit"] is not None and options["limit"] < 1:
        raise InvalidOption("limit", "must be 1 or more. Leave it out to get everything.")
    return {option: options[option] for option in ("since", "until", "limit")}


def unless_refused(get: t.Callable[[], Values]) -> Values | None:
    """The answer, or ``None`` for a refusal: the specification does not show how "not found" is answered."""
    try:
        return get()
    except ApiError as error:
        if error.status is None or not 400 <= error.status < 500 or error.status in (401, 429):
            raise
        return None


def ambiguous(option: str, value: t.Any, matches: t.Sequence[Values]) -> PlatformError:
    """The error for a value that more than one object answers to; it lists them."""
    listed = "; ".join(
        ", ".join(f"{name} {item[name]}" for name in ("id", "name", "slug", "alias", "team_id") if item.get(name))
        for item in matches
    )
    return PlatformError(f"{option}: {value} fits {len(matches)} objects ({listed}). Give the id of the one you mean.")
