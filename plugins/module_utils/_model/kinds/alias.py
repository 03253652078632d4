# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases: how one is found, and assigned to a project (section 4 of the specification, "Aliases").

It does not show the body and result of the assignment, so users can add to the body, and the outcome is read back.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from ..._api.operations import Api
from ..._api.retries import create_once
from ..._errors import ApiError, InvalidOption, PlatformError
from ..fields import Field, Fields, Values, host_form, is_same, is_same_host
from ..kind import PATH_MINIMUM, Wanted, with_its_deletion
from ..options import SCOPE_OPTIONS, STATE_OPTION, ArgumentSpec, is_sendable
from ..platform import Platform, Scope, sole
from ..resource import Resource, after_a_write
from ..step import Action, Step, plan_absent, plan_nothing, plan_present
from .project import DOMAIN_RECORD, Project, project_name, project_of
from .team import Team, scope_and_page

# Fields of the assignment's body, which the specification does not show, that may name the alias.
NAMING = ("alias", "domain", "name")
URL = re.compile(r"https?://([^/?#:]*)", re.IGNORECASE)

ALIAS = Fields(*DOMAIN_RECORD, Field("project", writable=True, returned=False, clearable=False))


def _goes_with_project(step: Step, alias: Values) -> bool:
    """All aliases of a deleted project, and the previous own alias of one that gets a new one."""
    is_gone = step.is_deletion or ("alias" in step.changes and is_same_host(alias["alias"], step.live["alias"]))
    return is_gone and is_same(alias["project_id"], step.live["id"])


def _goes_with_domain(step: Step, alias: Values) -> bool:
    return step.is_deletion and lies_below(alias, step.live["name"])


class Alias(Resource):
    """An alias of a project; one of another project is moved."""

    plural = "aliases"
    singular = "alias"
    fields = ALIAS
    name_field = "alias"
    walk = staticmethod(Api.list_aliases)
    read = staticmethod(Api.get_alias)
    path_minimum = PATH_MINIMUM
    form = staticmethod(host_form)
    scope_kind = Team
    may_lack_team = True
    argument_spec = (
        ALIAS.argument_spec()
        | ArgumentSpec(
            {"alias": {"type": "str", "required": True}, "parameters": {"type": "dict", "default": {}}},
            {"required_if": [("state", "present", ["project"])]},
        )
        | STATE_OPTION
        | SCOPE_OPTIONS
    )
    references: ClassVar[dict[str, Any]] = {"project": Project}
    goes_with: ClassVar[dict[str, Any]] = {
        "teams": with_its_deletion,
        "projects": _goes_with_project,
        "domains": _goes_with_domain,
    }
    unshown = ("parameters",)

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> Wanted:
        wanted = super().check(options)
        url = URL.match(wanted.name or "")
        if url:
            advice = f" Set it to {url[1]}." if url[1] else ""
            raise InvalidOption("alias", f"must be the name of a host, and is a URL.{advice}")
        if not wanted.is_absent and "project" not in wanted.values:
            raise InvalidOption("project", "has no value. It is required with state=present.")
        if not is_sendable(options["parameters"]):
            raise InvalidOption("parameters", "must not contain a NUL character, NaN or an infinite number.")
        for parameter, value in options["parameters"].items():
            if str(parameter).strip().lower() in NAMING and not is_same_host(value, wanted.name):
                problem = f"may hold nothing but the alias itself under {parameter}, which says what is assigned."
                raise InvalidOption("parameters", problem)
        return wanted

    @property
    def project(self) -> Values:
        """The project that the alias is wanted for. Raises Missing if it does not exist."""
        if "project" not in self.referred:
            self.referred["project"] = project_of(self.platform, self.scope, self.wanted.values["project"])
        return self.referred["project"]

    @staticmethod
    def is_generated(live: Values, platform: Platform, scope: Scope) -> bool:
        """Return whether the service created the alias together with its project."""
        projects = platform.listing(Project, scope).where("id", live["project_id"])
        return any(is_same_host(project["alias"], live["alias"]) for project in projects)

    def plan(self) -> Step:
        step = super().plan()
        if step.is_change and not step.is_deletion:
            self._check_address()
        return step

    def decide(self, live: Values | None) -> Step:
        if self.wanted.is_absent:
            return self._plan_absent(live)
        here = {"project_id": self.project["id"]}
        if live is not None and is_same(live["project_id"], here["project_id"]):
            return plan_nothing(live)
        given = {"alias": self.wanted.name, "project": self.project["name"], **self._parameters}
        if live is None:
            return plan_present(ALIAS, given, None, {**here, "team_id": self.scope.team_id})
        before = {"project": self._name_of(live["project_id"]), **dict.fromkeys(self._parameters)}
        changes = {"project": given["project"], **self._parameters}
        return Step(Action.UPDATE, live, {**live, **here}, changes, before)

    @property
    def _parameters(self) -> Values:
        """Everything that is sent besides the alias, and part of the step like the project."""
        parameters = self.wanted.options["parameters"]
        return {"parameters": parameters} if parameters else {}

    @property
    def _is_own(self) -> bool:
        """Return whether it is the own alias of its project, which comes with the project."""
        return is_same_host(self.project["alias"], self.wanted.name)

    def _created_meanwhile(self) -> Values | None:
        """As for other kinds, but a project's own alias is created as planned, and not by others."""
        item = super()._created_meanwhile()
        return None if item and self._is_own and self._is_done(item) else item

    def look(self) -> Values | None:
        """Only on the project: that it is on another one does not prove anything."""
        item = super().look()
        return item if item and self._is_done(item) else None

    def is_unscoped_creation(self, step: Step) -> bool:
        """As for other kinds, but not if the project is one of a team, which then is the alias's team."""
        is_unscoped = super().is_unscoped_creation(step)
        return is_unscoped and self.platform.read_only_team(Project, self.scope, self.project) is None

    def create(self, step: Step) -> Values:
        """Send the assignment, unless it came with the project. The answer may show the alias, or nothing."""
        brought = self.look() if self._is_own and not self._parameters else None
        if brought:
            return brought
        self._check_address()
        body = {"alias": self._stored_name(step), **self.wanted.options["parameters"]}
        try:
            answer = self.api.assign_alias(self.project["name"], body, self.scope.team_id_for(self.project))
        except ApiError as error:
            if error.status == 400:
                error.explain("The API's specification does not show this body. Use parameters to add fields.")
            raise
        return ALIAS.result(answer)

    def _check_address(self) -> None:
        """Check the project's name: the assignment is addressed by name, which may mean another one to the service."""
        projects, forms = self.platform.listing(Project, self.scope), {"id": str, "name": str}
        sole(
            "project", self.project["name"], projects, forms, "The API assigns aliases by this name: rename one of them"
        )

    def complete(self, step: Step, item: Values) -> Values:
        """The alias on the project, as shown by the answer, one GET or the list."""
        if self._is_done(item):
            return item
        shown = self.platform.shown(Alias, self._stored_name(step))
        shown = shown if shown and self._is_done(shown) else self.look()
        if shown:
            return shown
        raise PlatformError(
            f"alias: the service accepted {self.wanted.name} for the project {self.project['name']}, but does not list"
            " it there afterwards. It may require other parameters.",
            result={"changed": True},
        )

    def _stored_name(self, step: Step) -> str:
        return str(step.live.get("alias", self.wanted.name))

    def _is_done(self, item: Values) -> bool:
        is_it = item["id"] is not None and is_same_host(item["alias"], self.wanted.name)
        return is_it and is_same(item["project_id"], self.project["id"])

    def update(self, step: Step) -> Values:
        """A move is read back, as the answer does not prove it."""
        create_once(self.api.http.retries(), lambda: self.create(step), self.look)
        with after_a_write():
            return self.complete(step, ALIAS.result({}))

    def delete(self, step: Step) -> None:
        self.api.delete_alias(step.live["id"], self.scope.team_id_for(step.live))

    def _plan_absent(self, live: Values | None) -> Step:
        step = plan_absent(ALIAS, live)
        if live is None:
            return step
        if self.wanted.values.get("project") and not is_same(live["project_id"], self.project["id"]):
            raise PlatformError(
                f"project: the alias {live['alias']} belongs to"
                f" {self._name_of(live['project_id']) or live['project_id']}, not to {self.project['name']}. Nothing"
                " was deleted. Omit project, or correct it."
            )
        return dataclasses.replace(step, before={**step.before, "project": self._name_of(live["project_id"])})

    def _name_of(self, project_id: Any) -> str | None:
        return project_name(self.platform, self.scope, project_id)


def lies_below(alias: Values, domain: str) -> bool:
    """Return whether an alias is removed with a domain. The API does not say which are; assumed are those whose
    ``domain`` it is, and those equal to or below its name.
    """
    name, host = host_form(domain), host_form(alias["alias"])
    return host_form(alias["domain"]) == name or host == name or host.endswith(f".{name}")


def read_aliases(platform: Platform, options: Mapping[str, Any]) -> list[Values]:
    """The alias that ``alias`` names, if it exists; else all that match the other options, within the page options.

    Each also holds ``project``, the name of its project.
    """
    platform = platform.for_one_task()
    scope, page = scope_and_page(platform, options, "alias", "project", "domain")
    if options["alias"] is not None:
        found = platform.find(Alias, scope, "alias", options["alias"])
        return [{**found, "project": project_name(platform, scope, found["project_id"])}] if found else []
    project = project_of(platform, scope, options["project"]) if options["project"] is not None else None
    domain = options["domain"]
    is_whole = project is None and domain is None
    query = {"project_id": project["id"]} if project else {}
    items = platform.some(Alias, scope, page if is_whole else {**page, "limit": None}, query)
    items = [item for item in items if project is None or is_same(item["project_id"], project["id"])]
    items = [item for item in items if domain is None or is_same_host(item["domain"], domain)][: page["limit"]]
    projects: Iterable[Values] = [project] if project else platform.listing(Project, scope) if items else []
    names = {str(item["id"]): item["name"] for item in projects}
    return [{**item, "project": names.get(str(item["project_id"]))} for item in items]
