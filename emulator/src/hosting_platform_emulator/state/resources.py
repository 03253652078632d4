# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The resources that a scope owns: projects, their aliases and project domains, and registered
domains.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any

from ..description import LATEST_TIMESTAMP, READING_ROLES, REDIRECT_STATUS_CODES
from .names import ascii_host
from .platform import Platform
from .store import Row

GENERATED_SUFFIX = "hosting.example"
_YEAR_MS = 365 * 24 * 3600 * 1000


def add_project(
    platform: Platform,
    team_id: str,
    creator: Row,
    fields: Mapping[str, Any],
    created_at: int | None = None,
) -> Row:
    """Create a project with the given or a generated alias, and that alias's records. An empty
    alias is none.
    """
    alias = fields.get("alias")
    if alias is None:
        alias = _generate_alias(platform, fields["name"])
    owned = {"teamId": team_id, "createdBy": creator["number"]}
    project = platform.create("projects", {**owned, **fields, "alias": None}, created_at)
    alias = _take_own_alias(platform, project, alias, creator, project["createdAt"])
    return platform.store.update("projects", project, {"alias": alias})


def require_free_name(platform: Platform, name: str, team_id: str, project_id: str = "") -> None:
    """Names are unique within a scope, unless the switch allows duplicates; that of this project's
    id aside.
    """
    if platform.switches["duplicate_names"] == "allowed":
        return
    taken = platform.named("projects", "name", name).also(
        "teamId = ? AND id != ?", team_id, project_id
    )
    if platform.store.one(f"SELECT 1 FROM projects WHERE {taken.sql}", taken.parameters):
        raise platform.name_conflict(
            f"The name `{name}` is invalid: another project has it already."
        )


def find_alias(platform: Platform, alias: str) -> Row | None:
    named = platform.named("aliases", "alias", alias)
    return platform.store.one(f"SELECT * FROM aliases WHERE {named.sql}", named.parameters)


def require_takeable(platform: Platform, alias: Row, project: Row, taker: Row, switch: str) -> None:
    """Refuse to take an alias from another project, unless the switch lets the taker do so."""
    takes = platform.switches[switch]
    is_takeable = takes == "everywhere" and _may_write(platform, alias["teamId"], taker)
    is_takeable |= takes == "of_its_scope" and alias["teamId"] == project["teamId"]
    if alias["projectId"] != project["id"] and not is_takeable:
        raise platform.name_conflict(
            f"The alias `{alias['alias']}` is invalid: it is another project's already."
        )


def _may_write(platform: Platform, team_id: str, user: Row) -> bool:
    role = platform.role(team_id, user["id"])
    return team_id == user["personalTeamId"] or (role is not None and role not in READING_ROLES)


def move_project(platform: Platform, project: Row, team_id: str) -> None:
    """Move a project to another scope, with its project domains and, unless the switch keeps them,
    its aliases.
    """
    moved = ["project_domains"]
    if platform.switches["aliases_move"]:
        moved.append("aliases")
    for table in moved:
        platform.store.run(
            f"UPDATE {table} SET teamId = ? WHERE projectId = ?", (team_id, project["id"])
        )


def replace_own_alias(platform: Platform, project: Row, alias: str, creator: Row) -> str:
    """Apply a PATCH of a project's `alias`: delete the records of the old one, create those of the
    new one.
    """
    taken = _take_own_alias(platform, project, alias, creator)
    if project["alias"] and project["alias"] != taken:
        _drop_alias_records(
            platform, "alias = ? AND projectId = ?", (project["alias"], project["id"])
        )
    return taken


def _take_own_alias(
    platform: Platform, project: Row, alias: str, creator: Row, created_at: int | None = None
) -> str:
    """Create a project's own alias, or take the one that there is; returns it as it is stored.
    Empty is none.
    """
    if not alias:
        return ""
    existing = find_alias(platform, alias)
    if existing is None:
        made = add_alias(platform, project, creator, {"alias": alias}, created_at)
        return str(made["alias"])
    require_takeable(platform, existing, project, creator, "own_alias_takes")
    if existing["projectId"] != project["id"]:
        move_alias(platform, existing, project, {})
    return str(existing["alias"])


def remove_project(platform: Platform, project: Row) -> None:
    for table in ("aliases", "project_domains"):
        platform.store.run(f"DELETE FROM {table} WHERE projectId = ?", (project["id"],))
    platform.store.run("DELETE FROM projects WHERE id = ?", (project["id"],))


def add_alias(
    platform: Platform,
    project: Row,
    creator: Row,
    fields: Mapping[str, Any],
    created_at: int | None = None,
) -> Row:
    """Create an alias of a project, and its project domain."""
    made = {
        "domain": _domain_of(platform, fields["alias"], project["teamId"]),
        **_owned(project, creator),
    }
    alias = platform.create("aliases", {**made, **fields}, created_at)
    add_project_domain(platform, project, creator, _of_project_domain({**alias, "id": None}))
    return alias


def add_project_domain(
    platform: Platform,
    project: Row,
    creator: Row,
    fields: Mapping[str, Any],
    created_at: int | None = None,
) -> Row:
    made = {"domain": fields["alias"], "production": 1, "verified": 1, **_owned(project, creator)}
    return platform.create("project_domains", {**made, **fields}, created_at)


def _owned(project: Row, creator: Row) -> dict[str, Any]:
    return {"teamId": project["teamId"], "projectId": project["id"], "createdBy": creator["number"]}


def _of_project_domain(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields of an alias for its project domain, whose redirect status code is one of four or none
    (§2).
    """
    if fields.get("redirectStatusCode") not in (None, *REDIRECT_STATUS_CODES):
        return {**fields, "redirectStatusCode": None}
    return fields


def move_alias(platform: Platform, alias: Row, project: Row, fields: Mapping[str, Any]) -> Row:
    """Move an alias to another project; if it was a project's own alias, it no longer is."""
    changes = {**fields, "projectId": project["id"], "teamId": project["teamId"]}
    moved = platform.patch("aliases", alias, changes)
    changes = _of_project_domain({**changes, "updatedAt": moved["updatedAt"]})
    old = (alias["alias"], alias["projectId"])
    records = "SELECT * FROM project_domains WHERE alias = ? AND projectId = ?"
    for record in platform.store.all(records, old):
        platform.store.update("project_domains", record, changes)
    if alias["projectId"] != project["id"]:
        _clear_own_aliases(platform, "alias = ? AND id = ?", (alias["alias"], alias["projectId"]))
    return moved


def remove_alias(platform: Platform, alias: Row) -> None:
    _clear_own_aliases(platform, "alias = ? AND id = ?", (alias["alias"], alias["projectId"]))
    _drop_alias_records(
        platform, "alias = ? AND projectId = ?", (alias["alias"], alias["projectId"])
    )


def add_domain(
    platform: Platform, team_id: str, creator: Row, fields: Mapping[str, Any], created_at: int
) -> Row:
    """Create a registered domain. The API has no operation for this: seeds do it."""
    expiry = min(platform.stamps(created_at)["createdAt"] + _YEAR_MS, LATEST_TIMESTAMP)
    owned = {"teamId": team_id, "expiresAt": expiry, "createdBy": creator["number"]}
    return platform.create("domains", {**owned, **fields}, created_at)


def remove_domain(platform: Platform, domain: Row) -> None:
    """Delete a registered domain, and the aliases on or below it (§2): its scope's, or those of
    all.
    """
    name = ascii_host(domain["name"])
    below = f".{name}"
    everywhere = platform.switches["domain_takes_aliases"] == "everywhere"
    of_domain = (
        "? IN (teamId, '') AND"
        " (? IN (ascii_host(domain), ascii_host(alias)) OR substr(ascii_host(alias),"
        f" -{len(below)}) = ?)"
    )
    parameters = ("" if everywhere else domain["teamId"], name, below)
    _clear_own_aliases(
        platform, f"alias IN (SELECT alias FROM aliases WHERE {of_domain})", parameters
    )
    _drop_alias_records(platform, of_domain, parameters)
    platform.store.run("DELETE FROM domains WHERE id = ?", (domain["id"],))


def _drop_alias_records(platform: Platform, where: str, parameters: tuple[object, ...]) -> None:
    for table in ("aliases", "project_domains"):
        platform.store.run(f"DELETE FROM {table} WHERE {where}", parameters)


def _clear_own_aliases(platform: Platform, where: str, parameters: tuple[object, ...]) -> None:
    platform.store.run(f"UPDATE projects SET alias = NULL WHERE {where}", parameters)


def _generate_alias(platform: Platform, name: str) -> str:
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "project"
    alias = f"{label}.{GENERATED_SUFFIX}"
    while platform.store.holds("aliases", "alias", alias):
        alias = f"{label}-{secrets.token_hex(4)}.{GENERATED_SUFFIX}"
    return alias


def _domain_of(platform: Platform, alias: str, team_id: str) -> str:
    """The longest registered domain of the scope that an alias is on or below, or else its last two
    labels.
    """
    below_all = f".{ascii_host(alias)}"
    registered = platform.store.one(
        "SELECT name FROM domains WHERE teamId = ?"
        " AND substr(?, -1 - length(ascii_host(name))) = '.' || ascii_host(name) ORDER BY"
        " length(name) DESC LIMIT 1",
        (team_id, below_all),
    )
    return str(registered["name"]) if registered else ".".join(alias.rsplit(".", 2)[-2:])
