# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases: how one is found, and assigned to a project (section 4 of the specification, "Aliases").

It does not show the body and result of the assignment, so users can add to the body, and the
outcome is read back.
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

from ..._api.http import INVALID_PATH_VALUES
from ..._errors import ApiError, InvalidOption, PlatformError
from ..fields import INVALID_VALUE, Values, is_same
from ..finding import matching, only_one
from ..kind import Desired, on_deletion
from ..listing import Listing
from ..missing import find_or_assume
from ..name_forms import is_same_host, normalize_host
from ..options import SCOPE_OPTIONS, STATE_OPTION, ArgumentSpec, Options, check_unmasked
from ..platform import Platform
from ..resource import Resource
from ..scope import Scope, named_team
from ..step import Action, Step, plan_absent, plan_creation, plan_nothing
from .alias_records import ALIAS, AliasRecords
from .project import Project, check_own_alias, project_name

# Fields of the assignment's body, which the specification does not show, that may name the alias.
NAMING = ("alias", "domain", "name")


def _cascades_from_project(step: Step, alias: Values) -> bool:
    """All aliases of a deleted project, and the previous own alias of one that gets a new one."""
    is_removed = step.is_deletion or (
        "alias" in step.changes and is_same_host(alias["alias"], step.live["alias"])
    )
    return is_removed and is_same(alias["project_id"], step.live["id"])


def _cascades_from_domain(step: Step, alias: Values) -> bool:
    """The API does not say which aliases are removed with a domain; assumed are those whose
    ``domain`` it is, and those equal to or below its name.
    """
    name = normalize_host(step.live["name"])
    host = normalize_host(alias["alias"])
    is_below = host == name or host.endswith(f".{name}")
    return step.is_deletion and (is_below or normalize_host(alias["domain"]) == name)


class Alias(AliasRecords, Resource):
    """An alias of a project.

    One of another project is moved, and one of another scope is taken from there.
    """

    argument_spec = ArgumentSpec(
        {
            **ALIAS.definitions(),
            "alias": {"type": "str", "required": True},
            "parameters": {"type": "dict", "default": {}},
            **STATE_OPTION,
            **SCOPE_OPTIONS,
        },
        {"required_if": [("state", "present", ["project"])]},
    )
    references = MappingProxyType({"project": Project})
    cascades_from = MappingProxyType(
        {
            "teams": on_deletion,
            "projects": _cascades_from_project,
            "domains": _cascades_from_domain,
        }
    )
    write_only_options = ("parameters",)

    @classmethod
    def read(cls, options: Options) -> Desired:
        desired = super().read(options)
        # To core's rules, an option that is null is given.
        if not desired.is_absent and "project" not in desired.values:
            raise InvalidOption("project", "has no value. It is required with state=present.")
        check_unmasked(options, "parameters")
        for parameter, value in options["parameters"].items():
            if str(parameter).strip().lower() in NAMING and not is_same_host(value, desired.name):
                problem = (
                    f"must not set {parameter} to anything but the alias, because it names what is"
                    " assigned."
                )
                raise InvalidOption("parameters", problem)
        return desired

    @property
    def project(self) -> Values:
        """The project to which the alias is to be assigned.

        Raises NotFound if it does not exist.
        """
        if "project" not in self.referenced:
            name = self.desired.values["project"]
            self.referenced["project"] = find_or_assume(self.platform, Project, self.scope, name)
        return self.referenced["project"]

    @staticmethod
    def is_generated(live: Values, platform: Platform, scope: Scope) -> bool:
        """True if the service created the alias together with its project."""
        projects = platform.listing(Project, scope).where("id", live["project_id"])
        return any(is_same_host(project["alias"], live["alias"]) for project in projects)

    def with_unlisted(self, records: Listing) -> Listing:
        """The listed aliases, and the desired one if it exists in another scope."""
        if self.desired.is_absent or records.where("alias", self.desired.name):
            return records
        elsewhere = self.platform.find_anywhere(AliasRecords, str(self.desired.name))
        if elsewhere is None:
            return records
        check_own_alias(Alias, self.platform, self.scope, elsewhere)
        return records.plus(elsewhere)

    def plan_for(self, live: Values | None) -> Step:
        if self.desired.is_absent:
            return self._plan_absent(live)
        assignment = {"project_id": self.project["id"]}
        if live is not None and is_same(live["project_id"], assignment["project_id"]):
            return plan_nothing(live)
        self._check_address()
        changes = {"project": self.project["name"], **self._parameters}
        if live is None:
            return plan_creation(ALIAS, {"alias": self.desired.name, **changes}, assignment)
        current = project_name(self.platform, self.scope, live["project_id"])
        before = {"project": current or live["project_id"], **dict.fromkeys(self._parameters)}
        if live["team_id"] is not None:
            assignment["team_id"] = self.project["team_id"]
        return Step(Action.UPDATE, live, {**live, **assignment}, changes, before)

    @property
    def _parameters(self) -> Values:
        """Everything that is sent besides the alias, and part of the step like the project."""
        parameters = self.desired.options["parameters"]
        return {"parameters": parameters} if parameters else {}

    @property
    def _is_project_alias(self) -> bool:
        """True if it is the own alias of its project, which comes with the project."""
        return is_same_host(self.project["alias"], self.desired.name)

    def _created_meanwhile(self) -> Values | None:
        """As for other kinds, but a project's own alias is created as planned, and not by
        others.
        """
        record = super()._created_meanwhile()
        return None if record and self._is_project_alias and self._is_assigned(record) else record

    def look_up(self) -> Values | None:
        """Only on the project: that it is on another one does not prove anything."""
        record = super().look_up()
        return record if record and self._is_assigned(record) else None

    def create(self, step: Step) -> Values:
        """Send the assignment, unless it came with the project.

        The response may show the alias, or nothing.
        """
        comes_along = self._is_project_alias and not self._parameters
        existing = self.look_up() if comes_along else None
        if existing:
            return existing
        self._check_address()
        body = {"alias": step.expected["alias"], **self.desired.options["parameters"]}
        try:
            team_id = self.scope.team_id_for(self.project)
            response = self.write(
                self.api.assign_alias, self.project["name"], body, team_id, about=self.project
            )
        except ApiError as error:
            if error.status in INVALID_VALUE:
                advice = "Add the fields that the service expects to parameters."
                error.add_sentence(
                    f"The API's specification does not document this request body. {advice}"
                )
            raise
        return ALIAS.to_result(response)

    def _check_address(self) -> None:
        """Check the project's name, if it is known already: the assignment is addressed by name,
        which may mean another one to the service.
        """
        name = self.project["name"]
        if not name:
            return
        if name in INVALID_PATH_VALUES:
            raise InvalidOption(
                "project",
                f"no alias can be assigned to a project named {name}, because the API addresses it"
                " by this name, which is removed from an address in transit. Rename the project.",
            )
        projects = self.platform.listing(Project, self.scope)
        advice = "The API assigns aliases by this name: rename one of them"
        only_one("project", name, matching(name, projects, "name"), advice)

    def finish_write(self, step: Step, answer: Values) -> Values:
        """The alias on the project, as shown by the response, one GET or the list."""
        if self._is_assigned(answer):
            return answer
        assigned = self.platform.get(Alias, step.expected["alias"])
        assigned = assigned if assigned and self._is_assigned(assigned) else self.look_up()
        if assigned:
            return assigned
        raise PlatformError(
            f"alias: the service accepted {self.desired.name} for the project"
            f" {self.project['name']}, but does not list it under that project."
            " It may expect other parameters."
        )

    def _is_assigned(self, record: Values) -> bool:
        is_it = record["id"] is not None and is_same_host(record["alias"], self.desired.name)
        return is_it and is_same(record["project_id"], self.project["id"])

    def update(self, step: Step) -> Values:
        """A move is read back, as the response does not prove it."""
        self.send_creation(step)
        return ALIAS.to_result({})

    def delete(self, step: Step) -> None:
        team_id = self.scope.team_id or named_team(Alias, step.live, self.platform.find_own)
        self.api.delete_alias(step.live["id"], team_id=team_id or None)

    def _plan_absent(self, live: Values | None) -> Step:
        step = plan_absent(ALIAS, live)
        if live is None:
            return step
        live_name = project_name(self.platform, self.scope, live["project_id"])
        if self._is_on_other_project(live):
            raise PlatformError(
                f"project: the alias {live['alias']} belongs to {live_name},"
                f" not to {self.desired.values['project']}. Nothing was deleted."
                " Correct project, or omit it."
            )
        return dataclasses.replace(step, before={**step.before, "project": live_name})

    def _is_on_other_project(self, live: Values) -> bool:
        """True if the alias is on a project other than the given one, and not on one that is gone
        from the scope.
        """
        name = self.desired.values.get("project")
        if name is None:
            return False
        given = self.referenced.get("project") or self.platform.find(Project, self.scope, name)
        if given is not None:
            return not is_same(live["project_id"], given["id"])
        return bool(self.platform.listing(Project, self.scope).where("id", live["project_id"]))
