# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios, and documents in YAML."""

from functools import partial
from pathlib import Path

import pytest

from hosting_platform_emulator import running
from support import OWNER_TOKEN, Api, assert_refused, command
from test_command import refused_start

SCENARIO = """
seed:
  teams:
    - {slug: acme}
  projects:
    - name: web
      team: acme
      buildCommand: |
        make
        make install
switches:
  not_found: 403
  duplicate_names: allowed
faults:
  - operation: GET /user
    fault: 503
  - {operation: "*", fault: reset, skip: 1000}
"""
YAML = {"Content-Type": "application/yaml"}


def what_is(api: Api) -> tuple[list[str], int, list[str]]:
    projects = [project["name"] for project in api.control.state()["projects"]]
    faults = [fault["fault"] for fault in api.get("/_emulator/faults").json()]
    return projects, api.get("/_emulator/switches").json()["not_found"], faults


def test_a_scenario_of_the_start(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.yml"
    seed = tmp_path / "seed.json"
    scenario.write_text(SCENARIO)
    seed.write_text('{"projects": [{"name": "first"}]}')
    database = tmp_path / "platform.db"
    switches = {"duplicate_names": 400}
    start = partial(
        running, owner_token=OWNER_TOKEN, scenario=str(scenario), seed=seed, database=database
    )
    with start(switches=switches) as platform, Api(platform.base_url) as api:
        at_start = what_is(api)
        assert at_start == (["first", "web"], 403, ["503", "reset"])
        assert api.get("/_emulator/switches").json()["duplicate_names"] == 400, (
            "the command line goes before the file"
        )
        api.control.switch(not_found=400)
        assert api.get("/user").status_code == 503
        api.post("/_emulator/reset")
        assert what_is(api) == ([], 403, [])
        platform.seed(seed)
        platform.switch(not_found=400)
        played = platform.scenario(scenario)
        assert played["seed"]["projects"][0]["buildCommand"] == "make\nmake install\n"
        assert (played["switches"]["not_found"], len(played["faults"])) == (403, 2)
        assert what_is(api) == at_start
        assert api.get("/user").status_code == 503
        api.post("/_emulator/reset", json={"seed": True})
        assert what_is(api) == at_start
    with start() as platform, Api(platform.base_url) as api:
        assert what_is(api) == at_start, "a database that holds something is not seeded again"


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("s.yml", b"seed: [", "s.yml"),
        ("s.yml", b"- seed", "object"),
        ("s.yml", b"castles: 1", "castles"),
        ("s.yml", b"switches: {not_found: 418}", "418"),
        ("s.yml", b"faults: [{operation: GET /user, fault: nothing}]", "nothing"),
        ("s.json", b"seed: {}", "not JSON"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, name: str, content: bytes, part: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert part in refused_start(command("--scenario", str(tmp_path / name)))


def test_a_seed_may_be_yaml(api: Api) -> None:
    content = "projects:\n- name: caf\u00e9\n  framework: 'no'\n- {name: b, createdAt: 5}\n"
    for media_type in ("application/yaml", "text/yaml; charset=utf-8", "Application/X-YAML"):
        api.post("/_emulator/reset")
        answer = api.post(
            "/_emulator/seed", content=content.encode(), headers={"Content-Type": media_type}
        )
        assert [project["framework"] for project in answer.json()["projects"]] == ["no", None]
    assert api.post("/_emulator/seed", content=b"# nothing\n", headers=YAML).json() == {}


@pytest.mark.parametrize(
    "content",
    [
        b"projects: &a [{name: web}]\naliases: *a",
        b"projects: [{name: 2024-01-01}]",
        b"projects: [{name: web, createdAt: 1.5}]",
        b"projects: [{name: yes}]",
        b"projects: [!!python/object/apply:os.system [id]]",
        b"1: 2",
        b"[1]: 2",
        b"? {a: b}\n: c",
        b"projects: " + b"[" * 100_000,
        b"projects: [{name: " + b"9" * 5000 + b"}]",
        b"---\na: 1\n---\nb: 2",
        b"\xff",
        b"\x00",
        b"projects: \t[",
        b"text",
    ],
)
@pytest.mark.parametrize("path", ["seed", "scenario"])
def test_odd_yaml_is_refused(api: Api, content: bytes, path: str) -> None:
    before = api.control.state()
    assert_refused(api.post(f"/_emulator/{path}", content=content, headers=YAML), 400, "")
    assert api.control.state() == before
