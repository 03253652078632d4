# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export holds: no value that is no text or a mask, and nothing that another blueprint
declares. Together, the two declare everything, and nothing twice.
"""

import json
from typing import Any

import pytest
from acme import ACME, WEB, WWW
from blueprints import Blueprint, converge, export
from client import TOKEN
from stub_server import altering_responses, stub_server, with_projects

from ansible_collections.hosting.platform.plugins.module_utils._converge.unexportable import (
    NotExportable,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError

PLATFORM: dict[str, Any] = {
    "teams": [{**ACME, "id": "team_acme"}, {"slug": "media"}],
    "projects": [
        {**WEB, "id": "prj_web"},
        {"name": "web", "team": "media"},
        {"name": "shop", "team": "acme"},
        {"name": "web"},
        {"name": "mine"},
    ],
    "aliases": [WWW, {"alias": "shop.example.com", "project": "shop", "team": "acme"}],
    "domains": [{"name": "example.com", "team": "acme"}, {"name": "example.org", "team": "acme"}],
}
OF_WEB = ("projects", "web", "acme")
OF_WWW = ("aliases", "www.example.com", "acme")


def entries_of(blueprint: Blueprint) -> set[tuple[str, str, str]]:
    names = {"teams": "slug", "projects": "name", "aliases": "alias", "domains": "name"}
    result: set[tuple[str, str, str]] = set()
    for kind, entries in blueprint.items():
        result |= {(kind, one[names[kind]], one.get("team", "")) for one in entries}
    return result


def together(one: Blueprint, other: Blueprint) -> Blueprint:
    return {kind: [*one.get(kind, ()), *other.get(kind, ())] for kind in {**one, **other}}


@pytest.mark.parametrize(
    ("declared", "left_out"),
    [
        pytest.param({}, set(), id="nothing"),
        pytest.param({"projects": [WEB]}, {OF_WEB}, id="a slug"),
        pytest.param(
            {"projects": [{"name": "web", "team": "team_acme"}]}, {OF_WEB}, id="the id of a team"
        ),
        pytest.param({"projects": [{"id": "prj_web", "team": "acme"}]}, {OF_WEB}, id="an id"),
        pytest.param(
            {"projects": [{"name": "web", "own_scope": True}]},
            {("projects", "web", "")},
            id="own scope",
        ),
        pytest.param({"projects": [{**WEB, "state": "exists"}]}, {OF_WEB}, id="exists"),
        pytest.param(
            {
                "projects": [{"name": "new", "team": "acme", "previously": ["web"]}],
                # Exported, the alias would refer to it.
                "aliases": [{**WWW, "project": "new"}],
            },
            {OF_WEB, OF_WWW},
            id="previously",
        ),
        pytest.param(
            {"teams": [{"slug": "media"}]},
            {("teams", "media", "")},
            id="a team, and not what is in it",
        ),
        pytest.param(
            {"aliases": [{**WWW, "alias": "WWW.Example.com."}]},
            {OF_WWW},
            id="a host in another form",
        ),
        pytest.param({"aliases": [{**WWW, "state": "absent"}]}, {OF_WWW}, id="absent"),
    ],
)
def test_export_omits_objects_declared_elsewhere(emulator, declared, left_out):
    emulator.seed(**PLATFORM)

    exported = export(emulator.base_url, undeclared_in=declared)

    assert emulator.writes == []
    assert entries_of(exported) == entries_of(PLATFORM) - left_out
    alone = converge(emulator.base_url, declared, check_mode=True)
    both = converge(emulator.base_url, together(declared, exported), check_mode=True)
    assert both["undeclared"] == []
    assert [row for row in both["results"] if row["changed"]] == [
        row for row in alone["results"] if row["changed"]
    ]
    assert (
        entries_of(export(emulator.base_url, undeclared_in=together(declared, exported))) == set()
    )


def test_an_entry_without_a_team_is_of_the_team_that_the_environment_names(emulator, monkeypatch):
    emulator.seed(
        teams=[ACME],
        projects=[WEB, {"name": "api", "team": "acme"}, {"name": "web"}, {"name": "mine"}],
    )
    declared = {"projects": [{"name": "web"}, {"name": "mine", "own_scope": True}]}

    def left() -> list[tuple[str, str]]:
        exported = export(emulator.base_url, undeclared_in=declared)["projects"]
        return [(entry["name"], entry.get("team", "")) for entry in exported]

    assert left() == [("api", "acme"), ("web", "acme")]
    monkeypatch.setenv("HOSTING_PLATFORM_TEAM", "acme")
    assert left() == [("api", "acme"), ("web", "")]


def test_a_blueprint_with_problems_is_refused_before_the_first_request(emulator):
    with pytest.raises(PlatformError, match=r"projects\[0\] web: unknown option framwork"):
        export(
            emulator.base_url,
            undeclared_in={"projects": [{"name": "web", "own_scope": True, "framwork": "x"}]},
        )
    assert emulator.requests() == []


def test_wrong_selector_fails_before_the_first_request(emulator):
    with pytest.raises(PlatformError, match=r"ignore\[0\] must be text, and is a number"):
        export(emulator.base_url, ignore=[8])
    assert emulator.requests() == []


@pytest.mark.parametrize("value", [{"x": "{{ 7 * 6 }}"}, [["{{ 7 * 6 }}"]], 1.5, True, False, 0, 7])
def test_export_leaves_out_a_field_that_is_no_text(emulator, value):
    """Written as text, it would differ from what is live in every run."""
    emulator.seed(teams=[ACME], projects=[WEB])
    with stub_server(with_projects(emulator, framework=value)) as server:
        (project,) = export(server.base_url)["projects"]
    assert "framework" not in project


@pytest.mark.parametrize("name", [7, 0, True, ["web"]])
def test_a_project_whose_name_is_no_text_is_not_exported_and_never_pruned(emulator, name):
    emulator.seed(teams=[ACME], projects=[WEB, {"name": "api", "team": "acme"}])

    def show(_method: str, shown: dict[str, Any]) -> dict[str, Any]:
        return {**shown, "name": name} if shown.get("name") == "web" else shown

    with stub_server(altering_responses(emulator, show)) as server:
        exported = export(server.base_url)
        options: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100}
        result = converge(server.base_url, exported, check_mode=True, **options)
    assert [project["name"] for project in exported["projects"]] == ["api"]
    assert (result["changed"], result["undeclared"]) == (False, [])


def refused(base_url: str, **options: Any) -> tuple[list[str], list[Any]]:
    """Why an export fails, and the selectors that it says to ignore."""
    with pytest.raises(NotExportable) as failure:
        export(base_url, **options)
    *reasons, advice = str(failure.value).split("\n")
    begin = "ignore: this leaves them out: "
    assert advice.startswith(begin)
    return reasons, json.loads(advice.removeprefix(begin))


def test_all_that_cannot_be_exported_is_said_with_what_leaves_it_out(emulator):
    emulator.switch(duplicate_names="allowed")
    emulator.seed(
        teams=[{**ACME, "id": "team_acme"}, {"slug": "media"}],
        projects=[
            {**WEB, "id": "prj_1"},
            {**WEB, "id": "prj_2"},
            {"name": "api", "team": "acme"},
            {"name": "prj_1", "team": "acme"},
            {"name": "x" * 90 + " long", "team": "media"},
        ],
        aliases=[
            {"alias": "gone.example.com", "project": "api", "team": "acme"},
            {"alias": "none.example.com", "project": "api", "team": "acme"},
        ],
    )

    def show(_method: str, shown: dict[str, Any]) -> dict[str, Any]:
        wrong: dict[str, Any] = {
            "gone.example.com": {"projectId": "prj_gone"},
            "none.example.com": {"projectId": None},
            "x" * 90 + " long": {"name": "x" * 101},
        }
        name = shown.get("alias") if "projectId" in shown else shown.get("name")
        return {**shown, **wrong.get(str(name), {})}

    with stub_server(altering_responses(emulator, show)) as server:
        reasons, selectors = refused(server.base_url)
        exported = export(server.base_url, ignore=selectors)
        checked = converge(server.base_url, exported, check_mode=True)

    assert [reason.partition(" (id prj_")[0] for reason in sorted(reasons)] == [
        "The alias gone.example.com of acme cannot be exported: its project prj_gone is not in this"
        " scope's list of projects.",
        "The alias none.example.com of acme cannot be exported: the service shows no project of it.",
        "The project prj_1 of acme cannot be exported: name: prj_1 matches 2 objects",
        "The project web of acme cannot be exported: name: web matches 2 objects",
        f"The project {'x' * 101} of media cannot be exported: name: has 101 characters, but the"
        " API accepts at most 100. Shorten it.",
    ]
    assert {"kind": "aliases", "team": "acme", "name": "gone.example.com"} in selectors
    assert entries_of(exported) == {
        ("teams", "acme", ""),
        ("teams", "media", ""),
        ("projects", "api", "acme"),
    }
    assert not checked["changed"]
    assert emulator.writes == []


EIGHT = "*" * 8


@pytest.mark.parametrize(
    ("command", "is_refused"),
    [
        (f"deploy --token {TOKEN}", True),
        (TOKEN, True),
        (f"a{EIGHT}b", True),
        ("VALUE_SPECIFIED_IN_NO_LOG_PARAMETER", True),
        (f"{EIGHT}*", False),
        ("*" * 7, False),
        ("*" * 16, False),
    ],
)
def test_an_export_that_would_write_a_mask_fails(emulator, command, is_refused):
    emulator.seed(
        teams=[ACME],
        projects=[
            {"name": "api", "team": "acme", "buildCommand": command},
            {"name": "web", "team": "acme"},
        ],
    )
    if not is_refused:
        assert export(emulator.base_url)["projects"][0]["build_command"] == command
        return
    reasons, selectors = refused(emulator.base_url)
    assert reasons == [
        "The project api of acme cannot be exported: its build_command would be written as"
        " asterisks, because it holds them or a secret."
    ]
    assert selectors == [{"kind": "projects", "team": "acme", "name": "api"}]


def test_a_name_with_a_secret_is_left_out_by_a_wildcard(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": f"api-{TOKEN}", "team": "acme"}, WEB])
    _reasons, selectors = refused(emulator.base_url)
    assert selectors == [{"kind": "projects", "team": "acme", "name": "api-*"}]
    (left,) = export(emulator.base_url, ignore=selectors)["projects"]
    assert left["name"] == "web"
