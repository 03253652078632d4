# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification's data: the fields of each resource (§2), roles (§2) and limits (§8)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from ..checks import Number, Text
from ..description import check_of
from ..documents import openapi_document

LATEST_TIMESTAMP = 8_640_000_000_000_000
"""The largest JavaScript timestamp; the smallest is its negative."""

_SCHEMAS = openapi_document()["components"]["schemas"]


def _fields(schema: str) -> dict[str, Text | Number]:
    checks = {field: check_of(kind) for field, kind in _SCHEMAS[schema]["properties"].items()}
    return {
        field: replace(check, largest=LATEST_TIMESTAMP) if isinstance(check, Number) and field.endswith("At") else check
        for field, check in checks.items()
    }


RESOURCES = MappingProxyType(
    {
        "projects": _fields("Project"),
        "teams": _fields("Team"),
        "members": _fields("Member"),
        "project_domains": _fields("DomainRecord"),
        "aliases": _fields("Alias"),
        "domains": _fields("RegisteredDomain"),
        "users": _fields("User"),
    }
)
"""Resource -> field -> what it may hold, in the specification's order."""

ALWAYS_COMPLETE = frozenset({"project_domains"})
"""Resources of which §2 requires every field, so none is ever omitted."""

ROLES: tuple[str, ...] = tuple(_SCHEMAS["Role"]["enum"])
READING_ROLES = frozenset({"BILLING", "VIEWER"})
ROLE_IDS = MappingProxyType({role: number for number, role in enumerate(ROLES, start=1)})

REDIRECT_STATUS_CODES = RESOURCES["project_domains"]["redirectStatusCode"].allowed
"""The status codes with which a project domain may redirect."""

DOMAINS_WITHOUT_LIMIT = 20
