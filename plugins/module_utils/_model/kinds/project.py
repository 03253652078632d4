# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects: how one is found, and what its writes send (section 4 of the specification)."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any

from ..._api.operations import Api
from ..._errors import ApiError, InvalidOption, PlatformError
from ..fields import Field, Fields, Values, is_same, read_only
from ..kind import Desired, Kind, on_deletion
from ..name_forms import host_problem, normalize_host
from ..options import (
    NAMED_OPTIONS,
    SCOPE_OPTIONS,
    TEXT,
    UNLISTED_FIELDS_OPTION,
    ArgumentSpec,
    Options,
    check_not_empty,
)
from ..platform import Platform, list_key
from ..scope import OWN_SCOPE, Scope
from ..step import Action, Step
from .named import NamedResource
from .team import Team

# How a project is built.
SETTINGS = (
    "buildCommand",
    "devCommand",
    "installCommand",
    "framework",
    "outputDirectory",
    "commandForIgnoringBuildStep",
)
PROJECT = Fields(
    Field("id"),
    Field("name", writable=True, clearable=False, max_length=100),
    Field("teamId"),
    Field("alias", writable=True, normalize=normalize_host, find_problem=host_problem),
    *(Field(key, writable=True, resettable=True) for key in SETTINGS),
    *read_only("createdAt", "updatedAt"),
)


class Project(NamedResource):
    """A project of the scope that ``team`` names."""

    plural = "projects"
    singular = "project"
    fields = PROJECT
    name_field = "name"
    list_operation = staticmethod(Api.list_projects)
    get_operation = staticmethod(Api.get_project)
    argument_spec = ArgumentSpec(
        {
            **PROJECT.definitions(),
            **NAMED_OPTIONS,
            **UNLISTED_FIELDS_OPTION,
            **SCOPE_OPTIONS,
            "previous_team": TEXT,
        },
        {"required_one_of": [("name", "id")]},
    )
    scope_kind = Team
    is_movable = True
    module_only_options = MappingProxyType(
        {
            "previous_team": "a blueprint moves nothing between teams. Move the project with the"
            " module project, which has this option, and remove it here."
        }
    )
    embeds = MappingProxyType({"alias": "aliases"})
    also_changes = ("aliases",)
    cascades_from = MappingProxyType({"teams": on_deletion})

    @classmethod
    def read(cls, options: Options) -> Desired:
        desired = super().read(options)
        check_not_empty(options, "previous_team")
        if options.get("previous_team"):
            if options["state"] != "present":
                raise InvalidOption(
                    "previous_team",
                    f"needs state=present, but state is {options['state']}. Omit it.",
                )
            if options.get("team") is None:
                problem = (
                    "requires team, because no project can move into or out of your own scope."
                    " Set or omit both."
                )
                raise InvalidOption("previous_team", problem)
        return desired

    def peek(self) -> Values | None:
        """A GET has no scope: without a team, only the list can tell which project is meant."""
        if (
            self.desired.is_absent
            or not self.platform.lists.may_peek(list_key(Project, self.scope))
            or self.scope.team_id is None
            or self.desired.previous_names
        ):
            return None
        field, value = self.identifier
        return self.platform.get(Project, value, field, self.scope)

    def plan_for(self, live: Values | None) -> Step:
        """One that is not here may be in the previous team, from which it is moved."""
        previous_team = self.desired.options.get("previous_team")
        move = self._plan_move(previous_team) if previous_team and live is None else None
        return move or super().plan_for(live)

    def review(self, step: Step) -> None:
        """Also warn of a project that may lose an alias to this one. Raises InvalidOption for one
        of a team, without ``team``.
        """
        super().review(step)
        name = step.changes.get("alias")
        if not name:
            return
        from .alias_records import AliasRecords  # few projects get an alias

        listed = self.platform.whole_listing(AliasRecords, self.scope).where("alias", name)
        alias = listed[0] if listed else self.platform.find_anywhere(AliasRecords, name)
        if alias is None:
            return
        project_id = alias["project_id"]
        if project_id is None or is_same(project_id, step.live.get("id")):
            return
        check_own_alias(AliasRecords, self.platform, self.scope, alias)
        loser = project_name(self.platform, self.scope, project_id) or project_id
        self.platform.warnings.append(
            f"alias: {alias['alias']} is an alias of the project {loser}, which may lose it to"
            f" {step.expected['name']}."
        )

    def _plan_move(self, previous_team: str) -> Step | None:
        """The step that moves the project here, if it is in the previous team."""
        team = self.platform.find_named(Team, OWN_SCOPE, previous_team)
        if team is None:
            near = self.platform.suggest(Team, OWN_SCOPE, previous_team)
            if near:
                self.platform.warnings.append(
                    f"previous_team: {previous_team} does not exist, so it has no projects.{near}"
                )
            return None
        if is_same(team["id"], self.scope.team_id):
            return None
        desired = self.desired
        if desired.id:
            desired = dataclasses.replace(desired, name=None)
        live = Project(desired, self.platform, Scope(team)).find()
        if live is None:
            return None
        step = super().plan_for(live)
        move = Step(
            Action.UPDATE,
            live,
            expected={**step.expected, "team_id": self.scope.team_id},
            changes={**step.changes, "team": self.scope.slug or None},
            before={**step.before, "team": team["slug"]},
            origin=team,
        )
        self.check_free(live, move.expected["name"], self.platform.listing(Project, self.scope))
        return move

    def create(self, step: Step) -> Values:
        body = PROJECT.body(step.changes)
        if self.scope.team_id is not None:
            body["teamId"] = self.scope.team_id
        return PROJECT.from_api(self.write(self.api.create_project, body))

    def look_up(self) -> Values | None:
        """Also by one GET of its name: the list may be late. Nobody can tell whose it is without a
        team: then it is noted as ``stranger``.
        """
        listed = super().look_up()
        if listed:
            return listed
        record = self.platform.get(Project, self.desired.name, "name", self.scope)
        if self.scope.team:
            return record
        self.stranger = record
        return None

    def update(self, step: Step) -> Values:
        if step.origin:
            return self._move(step, Scope(step.origin))
        return self._patch(step.live, step.changes, self.scope.team_id_for(step.live))

    def _patch(self, live: Values, changes: Values, team_id: Any, **body: Any) -> Values:
        """Sends the name along, changed or not: the specification may require it on every
        update.
        """
        body = {**PROJECT.body({"name": live["name"], **changes}), **body}
        send = self.api.update_project
        return PROJECT.from_api(self.write(send, live["id"], body, team_id, about=live))

    def _move(self, step: Step, origin: Scope) -> Values:
        """The list decides if the response shows no team, or rejects what an earlier, lost request
        may have done.
        """
        changes = {option: value for option, value in step.changes.items() if option != "team"}
        failure = PlatformError(
            "previous_team: the service reported success.", result={"changed": bool(changes)}
        )
        returned: Values = {}
        try:
            returned = self._patch(step.live, changes, origin.team_id, teamId=self.scope.team_id)
        except ApiError as error:
            if not error.is_refusal:
                raise
            failure = error
        reread = None if returned.get("team_id") else self.find_listed(step.live)
        if reread or is_same(returned.get("team_id"), self.scope.team_id):
            return reread or returned
        failure.add_sentence(
            f"The service did not move the project {step.live['name']} from {origin} to"
            f" {self.scope}."
        )
        raise failure

    def delete(self, step: Step) -> None:
        self.api.delete_project(step.live["id"], team_id=self.scope.team_id_for(step.live))


def project_name(platform: Platform, scope: Scope, project_id: Any) -> str | None:
    """The name of the project with this id, if the scope's list or a GET shows it."""
    project = _find_project(platform, scope, project_id)
    return project["name"] if project else None


def check_own_alias(kind: type[Kind], platform: Platform, scope: Scope, alias: Values) -> None:
    """Raises InvalidOption for an alias of one of the caller's teams where no team is set. One that
    names no team is in that of its project, if the scope's list or a GET shows it.
    """
    if scope.team:
        return
    from ..own_scope import describe_of_team  # few aliases are elsewhere

    project = None if alias["team_id"] else _find_project(platform, scope, alias["project_id"])
    owner = platform.owner_of(Project, scope, project or alias)
    if owner.team_id is not None:
        raise describe_of_team(kind, alias, owner)


def _find_project(platform: Platform, scope: Scope, project_id: Any) -> Values | None:
    if not project_id:
        return None
    listed = platform.whole_listing(Project, scope).where("id", project_id)
    return listed[0] if listed else platform.get(Project, project_id, "id")
