# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The live platform as a blueprint: the reading half of converging, and nothing else."""

from __future__ import annotations

import typing as t

from .._client.errors import InvalidOption, PlatformError
from .._fields import (
    PROJECT,
    Fields,
    Values,
    host_form,
    is_same,
)
from .._resources._listing import WHOLE_TASK, Listing, Lists
from .._resources._platform import Platform, Scope
from .._threads import Crew

EXPORTED_KINDS = ("teams", "projects", "aliases", "domains")


def export_blueprint(platform: Platform, options: t.Mapping[str, t.Any]) -> dict[str, list[Values]]:
    """What ``blueprint`` would take to change nothing.

    Raises PlatformError for a name that would not find its object again.
    """
    platform.lists = Lists(WHOLE_TASK)
    if options["workers"] < 1:
        raise InvalidOption("workers", "must be 1 or more.")
    kinds = [kind for kind in EXPORTED_KINDS if kind in options["kinds"]]
    scopes = _scopes(platform, options["teams"])
    lists = [kind for kind in EXPORTED_KINDS[1:] if kind in kinds]
    if "aliases" in lists and "projects" not in lists:
        lists.append("projects")
    with Crew(options["workers"]) as crew:
        # Only reads ahead: what follows finds the lists kept.
        list(crew.map(lambda what: platform.every(*what), [(kind, scope) for scope in scopes for kind in lists]))
    blueprint: dict[str, list[Values]] = {kind: [] for kind in kinds}
    for scope in scopes:
        exported = _ScopeExport(platform, scope)
        for kind in kinds:
            blueprint[kind] += getattr(exported, kind)()
    return blueprint


def _scopes(platform: Platform, teams: t.Sequence[str] | None) -> list[Scope]:
    """Those asked for, else the user's own and every team of theirs."""
    if teams is None:
        return [platform.own_scope(), *(Scope(team) for team in platform.every("teams", Scope()))]
    scopes = [platform.scope(team) if team else platform.own_scope() for team in teams]
    return list({str(scope.team_id or ""): scope for scope in scopes}.values())


class _ScopeExport:
    """The entries of one scope. An object belongs to the team of its ``team_id``, also where the own list shows it."""

    def __init__(self, platform: Platform, scope: Scope) -> None:
        self._platform = platform
        self._scope = scope
        self._team = scope.team["slug"] if scope.team else ""

    def teams(self) -> list[Values]:
        if self._scope.team is None:
            return []
        self._check_name("slug", self._scope.team, self._platform.every("teams", Scope()))
        return [_filled({"slug": self._team, "name": self._scope.team["name"]})]

    def projects(self) -> list[Values]:
        projects = self._platform.every("projects", self._scope)
        for project in projects:
            self._check_name("name", project, projects)
        return [self._entry(PROJECT, project) for project in projects]

    def aliases(self) -> list[Values]:
        projects, aliases = (self._platform.every(kind, self._scope) for kind in ("projects", "aliases"))
        entries = []
        for alias in aliases:
            self._check_name("alias", alias, aliases, host_form)
            found = projects.where("id", alias["project_id"])
            if not found:
                raise PlatformError(
                    f"The alias {alias['alias']} of {self._scope} leads to the project {alias['project_id']}, which is"
                    " not among the scope's projects: it cannot be exported."
                )
            self._check_name("name", found[0], projects)
            if alias["redirect"]:
                self._platform.warnings.append(
                    f"The alias {alias['alias']} redirects to {alias['redirect']}, which a blueprint cannot say unless"
                    " by the parameters of the service. It is exported without."
                )
            entries.append({"alias": alias["alias"], "project": found[0]["name"], "team": self._team})
        return entries

    def domains(self) -> list[Values]:
        domains = self._platform.every("domains", self._scope)
        for domain in domains:
            self._check_name("name", domain, domains, host_form)
        return [{"name": domain["name"], "team": self._team} for domain in domains]

    def _entry(self, fields: Fields, item: Values) -> Values:
        values = {option: item[option] for option in fields.writable if option in fields.returned}
        return {**_filled(values), "team": self._team}

    def _check_name(self, field: str, item: Values, items: Listing, form: t.Callable[[t.Any], str] = str) -> None:
        """The name is all that an entry has to find its object by."""
        name = item[field]
        if not name:
            raise PlatformError(f"An object of {self._scope} has no {field} (id {item['id']}): it cannot be exported.")
        same = items.where(field, name, form)
        others = [other for other in (*same, *items.where("id", name)) if not is_same(other["id"], item["id"])]
        if others:
            raise PlatformError(
                f"The {field} {name} of {self._scope} is not certain: it is that of {item['id']}, and also the"
                f" {'id' if is_same(others[0]['id'], name) else field} of {others[0]['id']}. Rename one of them."
            )


def _filled(values: Values) -> Values:
    return {option: value for option, value in values.items() if value not in (None, "")}
