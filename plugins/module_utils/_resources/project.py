# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects: how one is found, and what its writes send (section 4 of the specification)."""

from __future__ import annotations

import typing as t

from .._fields import PROJECT, PROJECT_DOMAIN, Values, is_same
from .._plan import Step
from ._named import NamedResource
from ._options import (
    ID_OPTION,
    STATE_OPTION,
    TEAM_OPTION,
    ArgumentSpec,
    check_filled,
    page_of,
)
from ._platform import Platform


class Project(NamedResource):
    """A project of the scope that ``team`` names."""

    kind = "projects"
    key = "project"
    fields = PROJECT
    name_field = "name"
    argument_spec: t.ClassVar[ArgumentSpec] = {**PROJECT.argument_spec(), **ID_OPTION, **STATE_OPTION, **TEAM_OPTION}
    rules: t.ClassVar[dict[str, t.Any]] = {"required_one_of": [("name", "id")]}

    def get(self, address: t.Any) -> Values | None:
        return self.platform.get_project(address)

    def known(self) -> Values:
        return {"team_id": self.scope.team_id}

    def glance(self) -> Values | None:
        """A GET has no scope of its own: without a team only the list can tell which project is meant."""
        if self.scope.team_id is None:
            return None
        item = self.get(self.id or self.name)
        if item is None or not is_same(item["team_id"], self.scope.team_id):
            return None
        is_it = is_same(item["id"], self.id) if self.id else item["name"] == self.name
        return item if is_it else None

    def create(self, step: Step) -> Values:
        scope = {"teamId": self.scope.team_id} if self.scope.team_id is not None else {}
        return PROJECT.result(self.api.create_project({**PROJECT.body(step.changes), **scope}))

    def update(self, step: Step) -> Values:
        """Sends the name along, changed or not: the specification may require it on every update."""
        body = PROJECT.body({"name": step.live["name"], **step.changes})
        answer = self.api.update_project(step.live["id"], body, self.scope.team_id_for(step.live))
        return self.confirmed(answer, step.live, step.changes)

    def delete(self, step: Step) -> None:
        self.api.delete_project(step.live["id"], self.scope.team_id_for(step.live))


def read_projects(platform: Platform, options: t.Mapping[str, t.Any]) -> list[Values]:
    """The project that ``name`` or ``id`` names, if it is there; else all of the scope within the page options."""
    page = page_of(options)
    wanted = Project(platform, options)
    if not (wanted.id or wanted.name):
        return platform.some("projects", wanted.scope, page)
    found = wanted.seek()
    return [found] if found else []


def read_project_domains(platform: Platform, options: t.Mapping[str, t.Any]) -> list[Values]:
    """The domain records of the project that an option names."""
    page = page_of(options)
    check_filled(options, "project")
    scope = platform.scope(options["team"])
    project = platform.project(scope, options["project"])
    flags = {option: options[option] for option in ("production", "redirects", "verified")}
    filters = {option: str(value).lower() for option, value in flags.items() if value is not None}
    return domains_of(platform, project, scope.team_id, {**filters, "order": options["order"]}, **page)


def domains_of(
    platform: Platform, project: Values, team_id: t.Any, filters: Values | None = None, **page: t.Any
) -> list[Values]:
    """The domain records of a project. The API may require a team: without one, the project's own is sent."""
    team_id = team_id or project["team_id"] or None
    items = platform.api.list_project_domains(project["id"], team_id, filters, **page)
    return [PROJECT_DOMAIN.result(item) for item in items]
