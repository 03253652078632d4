# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of the API: it says what the emulator does, and a fuzzer that goes along it finds nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from hosting_platform_emulator import HostingPlatform
from hosting_platform_emulator.api.operation import resolved
from hosting_platform_emulator.api.operations import OPERATIONS
from hosting_platform_emulator.state.specification import (
    NUMBER,
    NUMBER_OR_NULL,
    RESOURCES,
    TEXT,
    TEXT_OR_NULL,
    FieldType,
)
from hosting_platform_emulator.state.switches import SWITCHES, Switches
from support import Api, refused

CONFIG = Path(__file__).parents[1] / "schemathesis.toml"
JSON_TYPES = {TEXT: "string", NUMBER: "integer", TEXT_OR_NULL: ["string", "null"], NUMBER_OR_NULL: ["integer", "null"]}
SCHEMAS = {
    "projects": "Project",
    "teams": "Team",
    "members": "Member",
    "project_domains": "DomainRecord",
    "aliases": "Alias",
    "domains": "RegisteredDomain",
    "users": "User",
}


@pytest.fixture
def description(api: Api) -> Any:
    return api.get("/_emulator/openapi.json").json()


def described_operations(description: Any) -> dict[str, Any]:
    """Each operation by its name, in which the path's values have no names."""
    return {
        _nameless(f"{method.upper()} {path}"): {**operation, "shared": item.get("parameters", [])}
        for path, item in description["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }


def _nameless(operation: str) -> str:
    return re.sub(r"\{\w+\}", "{}", operation)


def test_it_names_the_emulators_address(api: Api, description: Any) -> None:
    assert description["servers"] == [{"url": api.address}]
    assert description["openapi"].startswith("3.1.")


def test_it_describes_every_operation_and_no_other(description: Any) -> None:
    assert described_operations(description).keys() == {_nameless(name) for name in OPERATIONS}


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_describes_what_an_operation_takes(description: Any, name: str) -> None:
    operation, described = OPERATIONS[name], described_operations(description)[_nameless(name)]
    parameters = [
        _found(description, parameter) for parameter in [*described["shared"], *described.get("parameters", [])]
    ]
    query = resolved(operation.query, Switches())
    # What is taken in order to say that nobody knows what it does is no part of the API.
    assert {parameter["name"] for parameter in parameters if parameter["in"] == "query"} == set(query) - {"domain"}
    required = {
        parameter["name"] for parameter in parameters if parameter["in"] == "query" and parameter.get("required")
    }
    assert required == {field for field, check in query.items() if check.required}
    assert ("requestBody" in described) == (operation.body is not None)
    if operation.body is not None:
        fields, _required = _body(description, described)
        assert fields.keys() == resolved(operation.body, Switches()).keys()


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.body is not None])
def test_body_fields_are_strings(api: Api, description: Any, name: str) -> None:
    """All that are described as such: all but a redirect and its status code."""
    fields, required = _body(description, described_operations(description)[_nameless(name)])
    texts = [field for field, schema in fields.items() if schema.get("type") == "string"]
    assert set(fields) - set(texts) <= {"redirect", "redirectStatusCode"}
    others: list[object] = [1, 1.5, True, None, [], {}]
    for field in texts:
        for value in others:
            body = {field: value, **dict.fromkeys(required - {field}, "x")}
            refused(api.ask(name, json=body), 400, field)


@pytest.mark.parametrize("resource", RESOURCES)
def test_it_describes_every_field(description: Any, resource: str) -> None:
    schema = description["components"]["schemas"][SCHEMAS[resource]]
    assert schema["required"] == list(RESOURCES[resource])
    for field, kind in RESOURCES[resource].items():
        assert _type(schema["properties"][field]) == JSON_TYPES[kind], field


def _body(description: Any, described: Any) -> tuple[dict[str, Any], set[str]]:
    """The fields of a body, and which of them are required."""
    schema = described["requestBody"]["content"]["application/json"]["schema"]
    parts = [_found(description, part) for part in schema.get("allOf", [schema])]
    fields = {field: kind for part in parts for field, kind in part.get("properties", {}).items()}
    return fields, {field for part in parts for field in part.get("required", [])}


def _type(schema: Any) -> Any:
    if "enum" in schema:
        return JSON_TYPES[FieldType.NUMBER_OR_NULL] if None in schema["enum"] else "integer"
    return schema["type"]


def _found(description: Any, part: Any) -> Any:
    """The part, or what it refers to."""
    for step in part.get("$ref", "").split("/")[1:]:
        description = description[step]
    return description if "$ref" in part else part


def fuzzed(platform: HostingPlatform, folder: Path, *options: str) -> str:
    """The fuzzer's report, in which it found nothing."""
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "--no-color", "run", *options]
    token = f"Authorization: Bearer {platform.token}"
    url = f"{platform.base_url}/_emulator/openapi.json"
    played = subprocess.run(
        [*command, "--header", token, "--seed", "1", url], cwd=folder, capture_output=True, text=True, check=False
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert "No issues found" in played.stdout
    assert re.search(r"Tested: 22\b", played.stdout), played.stdout
    return played.stdout


@pytest.mark.thorough
def test_a_fuzzer_finds_nothing(hosting_platform: HostingPlatform, tmp_path: Path) -> None:
    """Every check of schemathesis, along every operation and along their sequences."""
    hosting_platform.seed(teams=[{"slug": "acme"}], projects=[{"name": "web"}], domains=[{"name": "example.com"}])
    report = fuzzed(hosting_platform, tmp_path, "--phases=coverage,fuzzing,stateful", "--max-examples=12")
    assert all(f"\u2705 {phase}" in report for phase in ("Coverage", "Fuzzing", "Stateful"))


@pytest.mark.thorough
def test_no_switch_makes_the_emulator_stumble(hosting_platform: HostingPlatform, tmp_path: Path) -> None:
    """With the last value of each switch the description is another, but there still is no error of the server."""
    choices = {name: switch.values[-1] for name, switch in SWITCHES.items() if switch.values}
    hosting_platform.switch(choices, limit_cap=1, default_limit=1, clock_resolution_ms=1000, join_parameter="code")
    fuzzed(hosting_platform, tmp_path, "--phases=coverage", "--checks=not_a_server_error")


def test_a_planted_error_is_found(hosting_platform: HostingPlatform, tmp_path: Path) -> None:
    hosting_platform.fault("GET /user", "500", probability=1)
    with pytest.raises(AssertionError, match="Server error"):
        fuzzed(hosting_platform, tmp_path, "--phases=coverage", "--include-path=/user")
    assert httpx.get(f"{hosting_platform.base_url}/_emulator/state").is_success
