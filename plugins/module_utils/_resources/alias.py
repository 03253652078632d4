# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases: how one is found, and assigned to a project (section 4 of the specification, "Aliases").

Body and result of the assignment are not shown there: so the user can add to the body, and what came of it is read.
"""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from .._client.errors import ApiError, PlatformError
from .._fields import (
    ALIAS,
    Values,
    host_form,
    is_same,
    is_same_host,
)
from .._plan import Step, plan_absent
from ._base import Resource, create_once
from ._listing import Listing
from ._options import (
    STATE_OPTION,
    TEAM_OPTION,
    ArgumentSpec,
    check_filled,
    page_of,
)
from ._platform import Platform, Scope, sole


class Alias(Resource):
    """An alias of a project; one of another project is moved."""

    kind = "aliases"
    key = "alias"
    fields = ALIAS
    name_field = "alias"
    argument_spec: t.ClassVar[ArgumentSpec] = {
        **ALIAS.argument_spec(),
        "alias": {"type": "str", "required": True},
        "parameters": {"type": "dict", "default": {}},
        **STATE_OPTION,
        **TEAM_OPTION,
    }
    rules: t.ClassVar[dict[str, t.Any]] = {"required_if": [("state", "present", ["project"])]}

    @functools.cached_property
    def project(self) -> Values:
        return self.platform.project(self.scope, self.wanted["project"])

    def match(self, items: Listing) -> Values | None:
        return sole("alias", self.wanted["alias"], items, {"alias": host_form})

    def plan_for(self, live: Values | None) -> Step:
        if not self.is_wanted:
            return self._plan_absent(live)
        here = {"project_id": self.project["id"]}
        given = {"alias": self.wanted["alias"], "project": self.project["name"]}
        if live is None:
            nothing = dict.fromkeys(ALIAS.returned)
            expected = {**nothing, **here, "alias": given["alias"], "team_id": self.scope.team_id}
            return Step("create", {}, expected, given, after=given)
        if is_same(live["project_id"], self.project["id"]):
            return Step("none", live, live)
        before = {"project": self._name_of(live["project_id"])}
        after = {"project": given["project"]}
        return Step("update", live, {**live, **here}, after, before, after)

    def look(self) -> Values | None:
        item = super().look()
        return item if item and is_same(item["project_id"], self.project["id"]) else None

    def create(self, step: Step) -> Values:
        """Sends the assignment. The shape of its answer is unknown: it may show the alias, or nothing.

        The project's own alias may have come with the project just now.
        """
        if is_same_host(self.project["alias"], self.wanted["alias"]):
            item = self.look()
            if item is not None:
                return item
        body = {"alias": step.live.get("alias", self.wanted["alias"]), **self.options["parameters"]}
        try:
            answer = self.api.assign_alias(self.project["name"], body, self.scope.team_id_for(self.project))
        except ApiError as error:
            if error.status == 400:
                error.explain("The API's specification does not show this body: add to it with parameters.")
            raise
        return ALIAS.result(answer)

    def complete(self, _step: Step, item: Values) -> Values:
        """The alias as the answer, one GET or the list shows it on the project."""
        shown = item if self._is_done(item) else self.platform.get_alias(self.wanted["alias"])
        if shown is None or not self._is_done(shown):
            shown = self.look()
        if shown is None:
            error = PlatformError(
                f"alias: the service accepted {self.wanted['alias']} for project {self.project['name']}, and does not"
                " list it there afterwards. It may want other parameters."
            )
            error.result = {"changed": True}
            raise error
        return shown

    def _is_done(self, item: Values) -> bool:
        is_it = item["id"] is not None and is_same_host(item["alias"], self.wanted["alias"])
        return is_it and is_same(item["project_id"], self.project["id"])

    def update(self, step: Step) -> Values:
        """A move is read back: the answer is no proof of it."""
        create_once(self.api.http, lambda: self.create(step), self.look)
        return self.complete(step, ALIAS.result({}))

    def delete(self, step: Step) -> None:
        self.api.delete_alias(step.live["id"], self.scope.team_id_for(step.live))

    def _plan_absent(self, live: Values | None) -> Step:
        if live is None:
            return plan_absent(ALIAS, live)
        if self.wanted.get("project") and not is_same(live["project_id"], self.project["id"]):
            raise PlatformError(
                f"project: the alias {live['alias']} is not one of {self.project['name']}"
                f" but of {self._name_of(live['project_id']) or live['project_id']}. Nothing was deleted;"
                " leave project out, or give the right one."
            )
        step = plan_absent(ALIAS, live)
        return dataclasses.replace(step, before={**step.before, "project": self._name_of(live["project_id"])})

    def _name_of(self, project_id: t.Any) -> str | None:
        return self.platform.project_name(self.scope, project_id)


def read_aliases(platform: Platform, options: t.Mapping[str, t.Any]) -> list[Values]:
    """The alias that ``alias`` names, if it is there; else all that the other options leave, within the page options.

    Each also holds ``project``, the name of its project.
    """
    page = page_of(options)
    check_filled(options, "alias", "project", "domain")
    scope = platform.scope(options["team"])
    if options["alias"] is not None:
        found = _seek(platform, scope, options["alias"])
        return [{**found, "project": platform.project_name(scope, found["project_id"])}] if found else []
    project = platform.project(scope, options["project"]) if options["project"] is not None else None
    domain = options["domain"]

    def is_meant(item: Values) -> bool:
        is_of_project = project is None or is_same(item["project_id"], project["id"])
        return is_of_project and (domain is None or is_same_host(item["domain"], domain))

    items = platform.some("aliases", scope, page, is_meant, {"project_id": project["id"]} if project else {})
    projects: t.Iterable[Values] = [project] if project else platform.every("projects", scope) if items else []
    names = {str(item["id"]): item["name"] for item in projects}
    return [{**item, "project": names.get(str(item["project_id"]))} for item in items]


def _seek(platform: Platform, scope: Scope, id_or_alias: str) -> Values | None:
    """An id is a number: only what looks like one can be one alias and another's id, and needs the whole list."""
    if scope.team_id is not None and not id_or_alias.isdigit():
        shown = platform.get_alias(id_or_alias)
        if shown and is_same_host(shown["alias"], id_or_alias) and is_same(shown["team_id"], scope.team_id):
            return shown
    return sole("alias", id_or_alias, platform.every("aliases", scope), {"id": str, "alias": host_form})
