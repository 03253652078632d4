# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of the API: it says what the specification says, and a fuzzer that goes along it
finds nothing.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from hosting_platform_emulator import HostingPlatform
from hosting_platform_emulator.api.operations import OPERATIONS
from hosting_platform_emulator.checks import Text
from support import DEV_EMAIL, Api, assert_refused, pairs

CONFIG = Path(__file__).parents[1] / "schemathesis.toml"
SPECIFICATION = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")
WRITTEN = dict(
    re.findall(r"^\*\*([A-Z]+ /\S+)\*\* - .+\n((?:- .+\n)*)", SPECIFICATION, re.MULTILINE)
)
"""What §4 writes of each operation."""
BEYOND = {
    ("Query", "GET /projects/{idOrName}"): {"teamId"},
    ("Query", "GET /teams/{teamId}/join"): {"inviteCode"},
    ("Query", "GET /aliases/{idOrAlias}"): {"teamId"},
    ("Query", "POST /{projectName}/alias"): {"teamId"},
    ("Body", "POST /{projectName}/alias"): {"alias", "redirect", "redirectStatusCode", "target"},
    ("Query", "DELETE /aliases/{aliasId}"): {"teamId"},
}
"""What §4 does not show of an operation, or says of all that act for a team."""
JSON_TYPES: dict[type, str] = {str: "string", int: "integer", type(None): "null"}


@pytest.fixture
def description(api: Api) -> Any:
    return api.get("/_emulator/openapi.json").json()


def test_it_describes_the_operations_of_the_specification_and_no_other(
    api: Api, description: Any
) -> None:
    assert description["servers"] == [{"url": api.address}]
    assert description["openapi"].startswith("3.1.")
    described = [method for _, method in pairs(description["paths"]) if method != "parameters"]
    assert OPERATIONS.keys() == WRITTEN.keys()
    assert len(OPERATIONS) == len(described) == 22


@pytest.mark.parametrize("part", ["Query", "Body"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_takes_what_is_written(name: str, part: str) -> None:
    described = OPERATIONS[name].described
    taken = described.query if part == "Query" else described.body or {}
    lines = re.findall(rf"\b{part}[^:]*: (.+)", WRITTEN[name])
    written = set(re.findall(r"`(\w+)`", " ".join(lines)))
    assert taken.keys() == written | BEYOND.get((part, name), set())


@pytest.mark.parametrize(
    "name", [name for name, operation in OPERATIONS.items() if operation.described.body]
)
def test_body_fields_are_strings(api: Api, name: str) -> None:
    """All that are described as such: all but a redirect and its status code."""
    fields = OPERATIONS[name].described.body or {}
    texts = [
        field for field, check in fields.items() if isinstance(check, Text) and not check.nullable
    ]
    assert fields.keys() - set(texts) <= {"redirect", "redirectStatusCode"}
    others: list[object] = [1, 1.5, True, None, [], {}]
    for field in texts:
        for value in others:
            required = [name for name, check in fields.items() if check.required and name != field]
            assert_refused(
                api.ask(name, json={field: value, **dict.fromkeys(required, "x")}), 400, field
            )


def test_answers_are_described_and_as_written(api: Api, description: Any) -> None:
    """Each object has every field, in the order of §2, and of its type."""
    api.control.seed(domains=[{"name": "example.com"}])
    project = api.new_project()
    team = api.new_team()
    records, pagination = api.page("/projects/web/domains", teamId=project["teamId"])
    answers = [
        ("Project", "Project", project),
        ("Team", "Team", team),
        (
            "Team member",
            "Member",
            api.post("/teams/acme/members", json={"email": DEV_EMAIL, "role": "MEMBER"}).json(),
        ),
        ("Domain record of a project", "DomainRecord", records[0]),
        ("Domain record of a project", "Alias", api.get(f"/aliases/{project['alias']}").json()),
        ("Registered domain", "RegisteredDomain", api.page("/domains")[0][0]),
        ("User", "User", api.get("/user").json()),
        ("Pagination object", "Pagination", pagination),
    ]
    for title, name, answer in answers:
        table = SPECIFICATION.partition(f"### {title}")[2].partition("\n### ")[0]
        written = re.findall(r"^\| (\w+) \| (string|number)( or null)?", table, re.MULTILINE)
        schema = description["components"]["schemas"][name]
        assert (
            list(answer)
            == schema["required"]
            == list(schema["properties"])
            == [field for field, *_ in written]
        )
        for field, kind, null in written:
            json_type = kind.replace("number", "integer")
            assert schema["properties"][field]["type"] == (
                [json_type, "null"] if null else json_type
            ), field
            assert JSON_TYPES[type(answer[field])] in schema["properties"][field]["type"], field


def fuzzed(platform: HostingPlatform, folder: Path, *options: str) -> str:
    """The fuzzer's report, in which it found nothing."""
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(CONFIG),
        "--no-color",
        "run",
        *options,
    ]
    token = f"Authorization: Bearer {platform.token}"
    url = f"{platform.base_url}/_emulator/openapi.json"
    played = subprocess.run(
        [*command, "--header", token, "--seed", "1", url],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert "No issues found" in played.stdout
    assert re.search(r"Tested: 22\b", played.stdout), played.stdout
    return played.stdout


@pytest.mark.thorough
def test_a_fuzzer_finds_nothing(hosting_platform: HostingPlatform, tmp_path: Path) -> None:
    """Every check of schemathesis, along every operation and along their sequences."""
    hosting_platform.seed(
        teams=[{"slug": "acme"}], projects=[{"name": "web"}], domains=[{"name": "example.com"}]
    )
    report = fuzzed(
        hosting_platform, tmp_path, "--phases=coverage,fuzzing,stateful", "--max-examples=12"
    )
    assert all(f"\u2705 {phase}" in report for phase in ("Coverage", "Fuzzing", "Stateful"))


def test_a_planted_error_is_found(hosting_platform: HostingPlatform, tmp_path: Path) -> None:
    hosting_platform.fault("GET /user", "500", probability=1)
    with pytest.raises(AssertionError, match="Server error"):
        fuzzed(hosting_platform, tmp_path, "--phases=coverage", "--include-path=/user")
    assert httpx.get(f"{hosting_platform.base_url}/_emulator/state").is_success
