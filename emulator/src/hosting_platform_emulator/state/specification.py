# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification's data: the fields of each resource (§2), roles (§2) and limits (§8)."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType


class FieldType(Enum):
    TEXT = "string"
    NUMBER = "number"
    TEXT_OR_NULL = "string or null"
    NUMBER_OR_NULL = "number or null"


TEXT, NUMBER = FieldType.TEXT, FieldType.NUMBER
TEXT_OR_NULL, NUMBER_OR_NULL = FieldType.TEXT_OR_NULL, FieldType.NUMBER_OR_NULL

PROJECT_SETTINGS = (
    "buildCommand",
    "devCommand",
    "installCommand",
    "framework",
    "outputDirectory",
    "commandForIgnoringBuildStep",
)

_STAMPS = {"createdAt": NUMBER, "updatedAt": NUMBER}

_PROJECT_DOMAIN = {
    "id": NUMBER,
    "teamId": TEXT_OR_NULL,
    "alias": TEXT,
    "domain": TEXT,
    "zoneId": TEXT,
    "target": TEXT,
    "redirect": TEXT_OR_NULL,
    "redirectStatusCode": NUMBER_OR_NULL,
    **_STAMPS,
    "createdBy": NUMBER_OR_NULL,
    "deploymentId": TEXT,
    "projectId": TEXT,
}

RESOURCES = MappingProxyType(
    {
        "projects": {
            **dict.fromkeys(("id", "name", "teamId", "alias", *PROJECT_SETTINGS), TEXT),
            **_STAMPS,
        },
        "teams": {**dict.fromkeys(("id", "slug", "name", "avatar"), TEXT), "createdBy": NUMBER, **_STAMPS},
        "members": {
            **dict.fromkeys(("id", "email", "teamId"), TEXT),
            "roleId": NUMBER,
            "createdBy": NUMBER,
            **_STAMPS,
        },
        "project_domains": _PROJECT_DOMAIN,
        "aliases": _PROJECT_DOMAIN,
        "domains": {
            **dict.fromkeys(("id", "teamId", "name", "serviceType"), TEXT),
            "createdBy": NUMBER,
            **_STAMPS,
            "expiresAt": NUMBER,
        },
        "users": {**dict.fromkeys(("id", "username", "name", "email"), TEXT), **_STAMPS},
    }
)
"""Resource -> field -> type, in the specification's order."""

ALWAYS_COMPLETE = frozenset({"project_domains"})
"""Resources of which §2 requires every field, so none is ever omitted."""

ROLES = ("OWNER", "MEMBER", "DEVELOPER", "BILLING", "VIEWER", "CONTRIBUTOR")
READING_ROLES = frozenset({"BILLING", "VIEWER"})
ROLE_IDS = MappingProxyType({role: number for number, role in enumerate(ROLES, start=1)})

REDIRECT_STATUS_CODES = (301, 302, 307, 308)
"""The status codes with which a project domain may redirect."""

LATEST_TIMESTAMP = 8_640_000_000_000_000
"""The largest JavaScript timestamp; the smallest is its negative."""

PROJECT_NAME_LENGTH = 100
TEAM_NAME_LENGTH = 256
TEAM_DESCRIPTION_LENGTH = 140
TEAM_PATH_MINIMUM = 3
ALIAS_PATH_MINIMUM = 3
DOMAINS_WITHOUT_LIMIT = 20
