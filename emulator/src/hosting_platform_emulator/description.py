# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the specification says, as the OpenAPI description has it while every switch has its
default.

As checks: what operations take (§4), and what resources hold (§2). And roles (§2) and limits (§8).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from .checks import LARGEST_INTEGER, Checks, Integer, Number, Text
from .documents import openapi_document

Part = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Described:
    """What an operation takes; ``body`` is ``None`` if it takes none."""

    query: Checks
    body: Checks | None
    path_minimum: int
    needs_bearer: bool


def describe_operation(operation: str) -> Described:
    """What is described of an operation such as `GET /projects/{idOrName}`; other names may stand
    in its braces.
    """
    method, _, path = operation.partition(" ")
    (item,) = (
        item
        for named, item in openapi_document()["paths"].items()
        if _without_names(named) == _without_names(path)
    )
    entry = item[method.lower()]
    parameters = [
        _resolve(part) for part in (*item.get("parameters", ()), *entry.get("parameters", ()))
    ]
    query = {part["name"]: _query_check(part) for part in parameters if part["in"] == "query"}
    lengths = [part["schema"]["minLength"] for part in parameters if part["in"] == "path"]
    content = entry.get("requestBody", {}).get("content")
    body = _body(content["application/json"]["schema"]) if content else None
    return Described(query, body, max(lengths, default=0), {} not in entry.get("security", ()))


def check_of(schema: Part, *, required: bool = False) -> Text | Number:
    """What a field may hold; its type may be a list of types."""
    schema = _resolve(schema)
    nullable = "null" in schema["type"]
    allowed = tuple(value for value in schema.get("enum", ()) if value is not None)
    if "string" in schema["type"]:
        return Text(
            required,
            nullable,
            schema.get("minLength", 0),
            schema.get("maxLength"),
            allowed,
            schema.get("pattern", ""),
            schema.get("title", ""),
        )
    smallest = schema.get("minimum", -LARGEST_INTEGER)
    largest = schema.get("maximum", LARGEST_INTEGER)
    return Number(required, nullable, smallest, largest, allowed)


def _query_check(parameter: Part) -> Text | Integer:
    check = check_of(parameter["schema"], required=parameter.get("required", False))
    if isinstance(check, Text):
        return check
    return Integer(check.required, minimum=check.minimum, largest=check.largest)


def _body(schema: Part) -> Checks:
    parts = [_resolve(part) for part in schema.get("allOf", [schema])]
    required: set[str] = set()
    fields: dict[str, Part] = {}
    for part in parts:
        required.update(part.get("required", ()))
        fields.update(part.get("properties", {}))
    return {field: check_of(kind, required=field in required) for field, kind in fields.items()}


def _resolve(part: Part) -> Part:
    """The part, or what it refers to."""
    if "$ref" not in part:
        return part
    resolved: Part = openapi_document()
    for step in part["$ref"].split("/")[1:]:
        resolved = resolved[step]
    return resolved


def _without_names(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)


LATEST_TIMESTAMP = 8_640_000_000_000_000
"""The largest JavaScript timestamp; the smallest is its negative."""

_SCHEMAS = openapi_document()["components"]["schemas"]


def _fields(schema: str) -> dict[str, Text | Number]:
    checks = {field: check_of(kind) for field, kind in _SCHEMAS[schema]["properties"].items()}
    return {field: _of_field(field, check) for field, check in checks.items()}


def _of_field(field: str, check: Text | Number) -> Text | Number:
    """The check of a field, which is a timestamp where its name says so."""
    if isinstance(check, Number) and field.endswith("At"):
        return replace(check, largest=LATEST_TIMESTAMP)
    return check


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
