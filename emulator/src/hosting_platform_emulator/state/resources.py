# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The resources that a scope owns: projects, their aliases and project domains, and registered domains."""

import re
import secrets
from collections.abc import Mapping
from typing import Any

from ..description import LATEST_TIMESTAMP, REDIRECT_STATUS_CODES
from .platform import Platform
from .store import Row

GENERATED_SUFFIX = "hosting.example"
_YEAR_MS = 365 * 24 * 3600 * 1000


def add_project(
    platform: Platform, team_id: str, creator: Row, fields: Mapping[str, Any], created_at: int | None = None
) -> Row:
    """Create a project with the given or a generated alias, and that alias's records. An empty alias is none."""
    alias = fields.get("alias")
    if alias is None:
        alias = _generate_alias(platform, fields["name"])
    elif alias:
        require_free_alias(platform, alias)
    owned = {"teamId": team_id, "createdBy": creator["number"]}
    project = platform.create("projects", {**owned, **fields, "alias": alias}, created_at)
    if alias:
        add_alias(platform, project, creator, {"alias": alias}, project["createdAt"])
    return project


def require_free_name(platform: Platform, name: str, team_id: str) -> None:
    """Names are unique within a scope, unless the switch allows duplicates."""
    if platform.switches["duplicate_names"] == "allowed":
        return
    if platform.store.one("SELECT 1 FROM projects WHERE name = ? AND teamId = ?", (name, team_id)):
        raise platform.name_conflict(f"The name `{name}` is invalid: another project has it already.")


def require_free_alias(platform: Platform, alias: str) -> None:
    if platform.store.holds("aliases", "alias", alias):
        raise platform.name_conflict(f"The alias `{alias}` is invalid: it is another project's already.")


def move_project(platform: Platform, project: Row, team_id: str) -> None:
    """Move a project to another scope, with its project domains and, unless the switch keeps them, its aliases."""
    for table in ("aliases", "project_domains") if platform.switches["aliases_move"] else ("project_domains",):
        platform.store.run(f"UPDATE {table} SET teamId = ? WHERE projectId = ?", (team_id, project["id"]))


def replace_own_alias(platform: Platform, project: Row, alias: str, creator: Row) -> None:
    """Apply a PATCH of a project's `alias`: delete the records of the old one, create those of the new one."""
    existing = platform.store.one("SELECT projectId FROM aliases WHERE alias = ?", (alias,))
    if existing and existing["projectId"] != project["id"]:
        require_free_alias(platform, alias)
    if project["alias"]:
        _drop_alias_records(platform, "alias = ? AND projectId = ?", (project["alias"], project["id"]))
    if alias and not existing:
        add_alias(platform, project, creator, {"alias": alias})


def remove_project(platform: Platform, project: Row) -> None:
    for table in ("aliases", "project_domains"):
        platform.store.run(f"DELETE FROM {table} WHERE projectId = ?", (project["id"],))
    platform.store.run("DELETE FROM projects WHERE id = ?", (project["id"],))


def add_alias(
    platform: Platform, project: Row, creator: Row, fields: Mapping[str, Any], created_at: int | None = None
) -> Row:
    """Create an alias of a project, and its project domain."""
    made = {"domain": _domain_of(platform, fields["alias"], project["teamId"]), **_owned(project, creator)}
    alias = platform.create("aliases", {**made, **fields}, created_at)
    add_project_domain(platform, project, creator, _of_project_domain({**alias, "id": None}))
    return alias


def add_project_domain(
    platform: Platform, project: Row, creator: Row, fields: Mapping[str, Any], created_at: int | None = None
) -> Row:
    made = {"domain": fields["alias"], "production": 1, "verified": 1, **_owned(project, creator)}
    return platform.create("project_domains", {**made, **fields}, created_at)


def _owned(project: Row, creator: Row) -> dict[str, Any]:
    return {"teamId": project["teamId"], "projectId": project["id"], "createdBy": creator["number"]}


def _of_project_domain(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields of an alias for its project domain, whose redirect status code is one of four or none (§2)."""
    if fields.get("redirectStatusCode") not in (None, *REDIRECT_STATUS_CODES):
        return {**fields, "redirectStatusCode": None}
    return fields


def move_alias(platform: Platform, alias: Row, project: Row, fields: Mapping[str, Any]) -> Row:
    """Move an alias to another project; if it was a project's own alias, it no longer is."""
    changes = {**fields, "projectId": project["id"]}
    moved = platform.patch("aliases", alias, changes)
    changes = _of_project_domain({**changes, "updatedAt": moved["updatedAt"]})
    old = (alias["alias"], alias["projectId"])
    for record in platform.store.all("SELECT * FROM project_domains WHERE alias = ? AND projectId = ?", old):
        platform.store.update("project_domains", record, changes)
    if alias["projectId"] != project["id"]:
        _clear_own_aliases(platform, "alias = ? AND id = ?", (alias["alias"], alias["projectId"]))
    return moved


def remove_alias(platform: Platform, alias: Row) -> None:
    _clear_own_aliases(platform, "alias = ? AND id = ?", (alias["alias"], alias["projectId"]))
    _drop_alias_records(platform, "alias = ? AND projectId = ?", (alias["alias"], alias["projectId"]))


def add_domain(platform: Platform, team_id: str, creator: Row, fields: Mapping[str, Any], created_at: int) -> Row:
    """Create a registered domain. The API has no operation for this: seeds do it."""
    expiry = min(platform.stamps(created_at)["createdAt"] + _YEAR_MS, LATEST_TIMESTAMP)
    owned = {"teamId": team_id, "expiresAt": expiry, "createdBy": creator["number"]}
    return platform.create("domains", {**owned, **fields}, created_at)


def remove_domain(platform: Platform, domain: Row) -> None:
    """Delete a registered domain, and the aliases on or below it (§2): its scope's, or those of all."""
    name, below = domain["name"], f".{domain['name']}"
    everywhere = platform.switches["domain_takes_aliases"] == "everywhere"
    of_domain = f"? IN (teamId, '') AND (domain = ? OR alias = ? OR substr(alias, -{len(below)}) = ?)"
    parameters = ("" if everywhere else domain["teamId"], name, name, below)
    _clear_own_aliases(platform, f"alias IN (SELECT alias FROM aliases WHERE {of_domain})", parameters)
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
    """The registered domain of an alias, or else its last two labels.

    An alias may have a great many labels, so only suffixes with the length of a registered domain are looked up.
    """
    octets = alias.encode()
    lengths = platform.store.all(
        "SELECT DISTINCT length(CAST(name AS BLOB)) AS octets FROM domains WHERE teamId = ? ORDER BY octets DESC",
        (team_id,),
    )
    for row in lengths:
        start = len(octets) - row["octets"]
        if start == 0 or (start > 0 and octets[start - 1 : start] == b"."):
            name = octets[start:].decode()
            if platform.store.one("SELECT 1 FROM domains WHERE name = ? AND teamId = ?", (name, team_id)):
                return name
    return ".".join(alias.rsplit(".", 2)[-2:])
