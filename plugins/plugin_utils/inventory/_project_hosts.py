# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects as hosts of an inventory: finding them, their names, and their variables."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ansible.utils.display import Display

from ...module_utils._api.connection import Connection
from ...module_utils._api.http import HttpClient
from ...module_utils._api.libraries import MISSING_LIBRARY, how_to_install
from ...module_utils._api.masking import mask
from ...module_utils._api.operations import Api
from ...module_utils._api.run import Run
from ...module_utils._converge.items.lists import read_listings
from ...module_utils._errors import PlatformError
from ...module_utils._model.fields import Values
from ...module_utils._model.kinds.project import Project
from ...module_utils._model.kinds.project_lists import domains_of
from ...module_utils._model.kinds.scopes import chosen_scopes
from ...module_utils._model.platform import Platform
from ...module_utils._model.scope import Scope
from ...module_utils._text import escape_line, join_some
from ...module_utils._threads import InterruptiblePool
from ._host_names import host_name, is_reserved

WORKERS = 8
PREFIX = "hosting_"


class InventoryData(NamedTuple):
    """What was read from the service."""

    # The variables of hosts, by their names.
    hosts: dict[str, Values]
    # For the user.
    warnings: list[str]


class _OwnedProject(NamedTuple):
    """A project and where it is, both masked."""

    project: Values
    scope: Scope

    @property
    def name(self) -> str:
        """Every host has a name; a project without one is called by its id."""
        return str(self.project["name"] or self.project["id"])


def read_hosts(
    given: Platform, teams: Sequence[str] | None, *, include_domains: bool
) -> InventoryData:
    """The hosts of these teams' projects; without teams, of every team of the caller's and of their
    own scope. The token, which a service may echo, is in none of them.

    Raises PlatformError, also if two projects would have the same host name.
    """
    platform = given.with_task_cache(workers=WORKERS)
    secrets = [platform.api.client.connection.access_token]
    scopes = chosen_scopes(platform, teams)
    by_name = _by_host_name(_projects(platform, scopes, secrets))
    hosts = {name: _variables(owned) for name, owned in by_name.items()}
    if include_domains:
        with InterruptiblePool(WORKERS) as pool:
            domains = pool.map(
                lambda owned: domains_of(platform, owned.scope, owned.project),
                by_name.values(),
            )
            for variables, records in zip(hosts.values(), domains):
                variables["hosting_domains"] = mask(records, secrets)
    warnings = [] if hosts else [mask(_describe_nothing(scopes), secrets)]
    return InventoryData(hosts, warnings)


def _describe_nothing(scopes: Sequence[Scope]) -> str:
    own = "the own scope of the token's user"
    names = [scope.slug if scope.team else own for scope in scopes]
    return f"There are no hosts, because there are no projects in {join_some(names)}."


def read_inventory(
    connection: Connection, display: Display, teams: Sequence[str] | None, *, include_domains: bool
) -> InventoryData:
    """The hosts from the service of this connection, as ``read_hosts``."""
    if MISSING_LIBRARY:
        raise PlatformError(
            f"The Python library {MISSING_LIBRARY} is missing. {how_to_install(MISSING_LIBRARY)}"
        )
    http = HttpClient(connection, Run(notify=functools.partial(display.display, stderr=True)))
    platform = Platform(Api(http))
    platform.warnings += connection.warnings
    secrets = [connection.access_token]
    try:
        return read_hosts(platform, teams, include_domains=include_domains)
    except PlatformError as error:
        raise PlatformError(*mask(str(error), secrets).splitlines()) from None
    finally:
        http.close()
        for warning in platform.warnings:
            display.warning(escape_line(mask(str(warning), secrets)))


def _projects(
    platform: Platform, scopes: Sequence[Scope], secrets: Collection[Any]
) -> list[_OwnedProject]:
    """The projects of all scopes, without duplicates: a service may show a team's projects in the
    own scope, too, which stands last, because it need not tell the team.
    """
    read_listings(platform, [(Project, scope) for scope in scopes])
    projects: dict[str, _OwnedProject] = {}
    for scope in scopes:
        for project in platform.whole_listing(Project, scope):
            owner = Scope(mask(platform.owner_of(Project, scope, project).team, secrets))
            owned = _OwnedProject(mask(project, secrets), owner)
            projects.setdefault(str(project["id"]), owned)
    return list(projects.values())


def _by_host_name(projects: list[_OwnedProject]) -> dict[str, _OwnedProject]:
    """The projects by host name, which includes the team only where necessary."""
    counts = Counter(owned.name for owned in projects)
    by_name: dict[str, _OwnedProject] = {}
    for owned in projects:
        name = host_name(owned.name)
        addition = owned.scope.slug or owned.project["team_id"]
        if is_reserved(name):
            addition = addition or owned.project["id"]
        elif counts[owned.name] == 1:
            addition = None
        if addition:
            name += "." + host_name(str(addition))
        if name in by_name:
            both = f"The projects {by_name[name].project['id']} and {owned.project['id']}"
            advice = "Rename one, or use one inventory source per team."
            raise PlatformError(f"{both} would have the same host name, {name}. {advice}")
        by_name[name] = owned
    return by_name


def _variables(owned: _OwnedProject) -> Values:
    """The fields as variables, and the team. Fields unknown to the specification may have any name,
    and never override known ones.
    """
    variables: Values = {}
    for field, value in owned.project.items():
        variables.setdefault(PREFIX + re.sub(r"[^a-zA-Z0-9_]", "_", field), value)
    return {**variables, "hosting_team": owned.scope.slug}
