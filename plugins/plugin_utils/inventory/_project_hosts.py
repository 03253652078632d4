# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects as hosts of an inventory: finding them, their names, and their variables.

A name must not be taken for an option by a command, for more than one host by a pattern, for a path
by a file system, for a template by ansible-core, or for anything but text by a terminal.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from ansible.constants import LOCALHOST
from ansible.utils.display import Display

from ...module_utils._api.connection import Connection
from ...module_utils._api.http import HttpClient
from ...module_utils._api.libraries import MISSING_LIBRARY, how_to_install
from ...module_utils._api.masking import mask
from ...module_utils._api.operations import Api
from ...module_utils._api.run import Run
from ...module_utils._errors import PlatformError
from ...module_utils._model.fields import Values
from ...module_utils._model.kinds.project import Project
from ...module_utils._model.kinds.project_lists import domains_of
from ...module_utils._model.kinds.scopes import read_team_scopes
from ...module_utils._model.kinds.team import Team
from ...module_utils._model.platform import Platform
from ...module_utils._model.scope import Scope
from ...module_utils._text import escape_line, join_some
from ...module_utils._threads import InterruptiblePool

WORKERS = 8
PREFIX = "hosting_"
WITH_TEAM = "name.team"
ALLOWED_PUNCTUATION = "-_."
# Host names become file names, which may have up to 255 bytes.
LONGEST = 200
# Core defines these groups in every inventory.
CORE_GROUPS = ("all", "ungrouped")


class InventoryData(NamedTuple):
    """What was read from the service: each host's name and variables, and the warnings for the
    user.
    """

    hosts: list[tuple[str, Values]]
    warnings: list[str]

    @classmethod
    def loaded(cls, text: Any) -> InventoryData:
        """The data of a cache. Raises an exception for hosts and variables that this plugin cannot
        have written.
        """
        hosts, warnings = json.loads(text)
        if not all(_is_valid(name, variables) for name, variables in hosts):
            raise ValueError("these are not hosts of this collection")
        return cls(hosts, warnings)


class _OwnedProject(NamedTuple):
    """A project, and its team's slug, ``""`` in the own scope; the name and the slug masked."""

    project: Values
    scope: Scope
    name: str
    slug: str


def read_hosts(
    given: Platform,
    teams: Sequence[str],
    include_domains: bool,
    hostname: str = "name",
    secrets: Collection[Any] = (),
) -> InventoryData:
    """The hosts of these teams' projects; without teams, of the caller's own scope and of every
    team of theirs.

    ``hostname``: ``name`` or WITH_TEAM. Raises PlatformError, also if two projects would have the
    same host name.
    """
    mask_secrets = functools.partial(mask, secrets=secrets)
    platform = given.with_task_cache()
    scopes = [Scope(), *(Scope(team) for team in platform.listing(Team, Scope()))]
    if teams:
        scopes = read_team_scopes(platform, teams)
    platform.team_option = "teams" if len(scopes) > 1 else ""
    projects = _projects(platform, scopes, mask_secrets)
    by_name = _by_host_name(projects, hostname)
    hosts = []
    for name, owned in by_name.items():
        variables = _variables(mask_secrets(owned.project))
        hosts.append((name, {**variables, "hosting_team": owned.slug}))
    if include_domains:
        with InterruptiblePool(WORKERS) as pool:
            domains = pool.map(
                lambda owned: domains_of(platform, owned.scope, owned.project),
                by_name.values(),
            )
            for (_name, variables), records in zip(hosts, domains):
                variables["hosting_domains"] = mask_secrets(records)
    warnings = [] if hosts else [mask_secrets(_describe_nothing(scopes))]
    return InventoryData(hosts, warnings)


def _describe_nothing(scopes: Sequence[Scope]) -> str:
    own = "the own scope of the token's user"
    names = [scope.slug if scope.team else own for scope in scopes]
    return f"There are no hosts, because there are no projects in {join_some(names)}."


def read_inventory(
    connection: Connection,
    teams: Sequence[str],
    include_domains: bool,
    hostname: str,
    display: Display,
) -> InventoryData:
    """The same from the service of this connection. Its token, which a service may echo, is never
    shown.
    """
    if MISSING_LIBRARY:
        raise PlatformError(
            f"The Python library {MISSING_LIBRARY} is missing. {how_to_install(MISSING_LIBRARY)}"
        )
    http = HttpClient(connection, Run(notify=functools.partial(display.display, stderr=True)))
    platform = Platform(Api(http))
    platform.warnings += connection.warnings
    secrets = [connection.access_token]
    try:
        return read_hosts(platform, teams, include_domains, hostname, secrets)
    except PlatformError as error:
        raise PlatformError(*mask(str(error), secrets).splitlines()) from None
    finally:
        http.close()
        for warning in platform.warnings:
            display.warning(escape_line(mask(str(warning), secrets)))


def _projects(
    platform: Platform, scopes: Sequence[Scope], mask_secrets: Callable[[str], str]
) -> list[_OwnedProject]:
    """The projects of all scopes, without duplicates: a service may show a team's projects in the
    own scope too.
    """
    # The own scope need not tell the team of a project.
    teams_first = sorted(scopes, key=lambda scope: scope.team is None)
    with InterruptiblePool(WORKERS) as pool:
        listings = list(pool.map(lambda scope: platform.whole_listing(Project, scope), teams_first))
    projects: dict[str, _OwnedProject] = {}
    for scope, listing in zip(teams_first, listings):
        for project in listing:
            # Every host has a name; a project without one is called by its id.
            name = mask_secrets(str(project["name"] or project["id"]))
            team = platform.owner_of(Project, scope, project)
            slug = mask_secrets(str(team.team["slug"] or "") if team.team else "")
            projects.setdefault(str(project["id"]), _OwnedProject(project, team, name, slug))
    return list(projects.values())


def _by_host_name(projects: list[_OwnedProject], hostname: str) -> dict[str, _OwnedProject]:
    """The projects by host name, which includes the team only where necessary, or always."""
    counts = Counter(owned.name for owned in projects)
    by_name: dict[str, _OwnedProject] = {}
    for owned in projects:
        name = host_name(owned.name)
        team = owned.slug or owned.project["team_id"]
        addition = None
        if hostname == WITH_TEAM:
            addition = owned.slug
        elif counts[owned.name] > 1:
            addition = team
        if not addition and _is_reserved(name):
            addition = team or owned.project["id"]
        if addition:
            name += "." + host_name(str(addition))
        if name in by_name:
            both = f"The projects {by_name[name].project['id']} and {owned.project['id']}"
            advice = "Rename one, or use one inventory source per team."
            raise PlatformError(f"{both} would have the same host name, {name}. {advice}")
        by_name[name] = owned
    return by_name


def _variables(project: Values) -> Values:
    """The fields as variables. Fields unknown to the specification never override known ones."""
    variables: Values = {}
    for field, value in project.items():
        variables.setdefault(_variable(field), value)
    return variables


@functools.lru_cache(maxsize=256)
def _variable(field: str) -> str:
    """The variable of a field. Fields unknown to the specification may have any name."""
    return PREFIX + re.sub(r"[^a-zA-Z0-9_]", "_", field)


def host_name(text: str) -> str:
    """The text itself if it is a valid name; else with invalid characters escaped by their bytes
    (``=2D``).

    No two texts share a name, as the equals sign itself is always escaped.
    """
    name = "".join(
        character if _is_allowed(character) else _by_bytes(character) for character in text
    )
    if name[:1] in ("-", "."):
        name = _by_bytes(name[0]) + name[1:]
    if len(name.encode()) > LONGEST:
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        name = name.encode()[: LONGEST - 65].decode(errors="ignore") + "=" + digest
    return name


def _is_valid(name: str, variables: Values) -> bool:
    is_allowed = all(character == "=" or _is_allowed(character) for character in name) and name[
        :1
    ] not in ("", *"-.")
    return (
        is_allowed
        and not _is_reserved(name)
        and all(variable.startswith(PREFIX) for variable in variables)
    )


def _is_reserved(name: str) -> bool:
    """True if the name is that of one of core's groups, or of the machine that it runs on."""
    return name in CORE_GROUPS or name.lower().rstrip(".") in LOCALHOST


def _is_allowed(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in ALLOWED_PUNCTUATION
    return escape_line(character) == character


def _by_bytes(character: str) -> str:
    return "".join(f"={byte:02X}" for byte in character.encode(errors="surrogatepass"))
