# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drift that no entry shows: objects that nobody declared, and fields that nobody listed."""

from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import check_then_converge, converge
from stub_server import stub_server, with_projects

from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import PROJECT

SETTINGS = dict.fromkeys(PROJECT.resettable, "astro")
PLATFORM: dict[str, Any] = {
    "teams": [ACME, ZETA],
    "projects": [
        WEB,
        {"name": "forgotten", "team": "acme"},
        {"name": "prod-1", "team": "acme"},
        {"name": "elsewhere", "team": "zeta"},
        {"name": "mine"},
    ],
    "domains": [{"name": "example.com", "team": "acme"}],
    "aliases": [WWW],
}


def settings_of(project: dict[str, Any]) -> dict[str, str]:
    """The settings of a stored project."""
    return {option: PROJECT.to_result(project)[option] or "" for option in SETTINGS}


def undeclared(result: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    return [
        (row["kind"], row["name"], row["team"], row["protected"]) for row in result["undeclared"]
    ]


@pytest.mark.parametrize("check_mode", [True, False])
def test_undeclared_lists_objects_of_declared_kinds_only(emulator, check_mode):
    emulator.seed(**PLATFORM)
    blueprint = {"projects": [WEB]}
    result = converge(emulator.base_url, blueprint, check_mode, protect=["prod-*"])
    assert undeclared(result) == [
        ("projects", "forgotten", "acme", False),
        ("projects", "prod-1", "acme", True),
    ]
    assert result["summary"]["undeclared"] == 2
    assert (result["changed"], result["summary"]["requests"], len(emulator.requests())) == (
        False,
        2,
        2,
    )
    both = {
        **blueprint,
        "aliases": [{"alias": "new.example.com", "project": "web", "team": "acme"}],
    }
    shown = undeclared(converge(emulator.base_url, both, check_mode=True))
    assert ("aliases", "www.example.com", "acme", False) in shown
    assert not any(
        name.startswith("web") for kind, name, _team, _protected in shown if kind == "aliases"
    )


@pytest.mark.parametrize(
    ("of_blueprint", "of_entry", "is_clear"),
    [
        ("keep", None, False),
        ("clear", None, True),
        ("keep", "clear", True),
        ("clear", "keep", False),
    ],
)
def test_unlisted_fields_clear_empties_fields_of_live_objects(
    emulator, of_blueprint, of_entry, is_clear
):
    emulator.seed(teams=[ACME], projects=[{**WEB, **PROJECT.body(SETTINGS)}])
    new = {"name": "new", "framework": "astro"}
    projects = [{**WEB, "framework": "astro", "unlisted_fields": of_entry}, {**new, "team": "acme"}]
    result = check_then_converge(
        emulator.base_url, {"projects": projects}, unlisted_fields=of_blueprint
    )
    cleared = {option: "" for option in SETTINGS if option != "framework"} if is_clear else {}
    before = {option: SETTINGS[option] for option in cleared}
    diffs = [{"before": before, "after": cleared}, {"before": {}, "after": new}]
    assert [entry["diff"] for entry in result["results"]] == diffs
    project = next(project for project in emulator.state()["projects"] if project["name"] == "web")
    assert settings_of(project) == {**SETTINGS, **cleared}
    assert project["alias"]


def test_not_compared_lists_write_only_options(emulator):
    emulator.seed(teams=[ACME], projects=[WEB], aliases=[WWW])
    hidden = {"description": "x", "email_domain": "example.com"}
    blueprint = {
        "teams": [
            {**ACME, **hidden},
            {"slug": "new", **hidden},
            {"slug": "gone", "description": "x", "state": "absent"},
            {"slug": "sent", "description": "x", "write_only_fields": "always"},
        ],
        "projects": [WEB],
        # What the service may know besides: it takes the name of the alias there, too.
        "aliases": [
            {**WWW, "parameters": {"alias": "WWW.example.com"}},
            {**WWW, "alias": "b.example", "parameters": {"alias": "b.example"}},
            {**WWW, "alias": "c.example"},
        ],
    }
    check = converge(emulator.base_url, blueprint, check_mode=True)
    for result in (check, converge(emulator.base_url, blueprint, approved=check["steps"])):
        listed = [entry["not_compared"] for entry in result["results"]]
        assert listed == [["description", "email_domain"], [], [], [], [], ["parameters"], [], []]


def rows(result: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(row["kind"], row["name"], row["team"]) for row in result["undeclared"]]


def test_undeclared_is_whole(emulator):
    emulator.seed(
        teams=[ACME, ZETA, {"slug": "beta"}, {"slug": "elsewhere"}],
        projects=[
            {"name": "forgotten", "team": slug} for slug in ("acme", "zeta", "beta", "elsewhere")
        ],
        domains=[{"name": "example.com", "team": "beta"}],
    )
    blueprint = {"teams": [ACME], "projects": [{"name": "web", "team": "zeta", "state": "absent"}]}
    result = converge(emulator.base_url, blueprint, True, team="beta")
    teams = [("teams", slug, None) for slug in ("beta", "elsewhere", "zeta")]
    assert rows(result) == teams + [
        ("projects", "forgotten", slug) for slug in ("acme", "beta", "zeta")
    ]
    emulator.forget_requests()
    converge(emulator.base_url, blueprint, True, team="beta")
    asked = [(request["path"], request["query"].get("teamId")) for request in emulator.requests()]
    assert len(asked) == len(set(asked)) == 5


def test_a_list_that_is_forbidden_is_told_and_stops_nothing(emulator):
    emulator.seed(teams=[{**team, "createdAt": 1} for team in (ACME, ZETA)])
    blueprint = {"teams": [ZETA], "projects": [WEB]}
    emulator.plan_fault("GET /projects", "403", skip=1)
    result = converge(emulator.base_url, blueprint, workers=1)
    assert (result["summary"]["create"], rows(result)) == (1, [("teams", "acme", None)])
    assert any(
        "does not show the projects of team zeta" in warning for warning in result["warnings"]
    )


def test_an_object_without_a_name_has_none_in_a_result(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    with stub_server(with_projects(emulator, name=None)) as server:
        result = converge(
            server.base_url,
            {"projects": []},
            True,
            prune=["projects"],
            prune_limit=100,
            team="acme",
            protect=["None"],
        )
    assert [(row["action"], row["name"]) for row in result["results"]] == [("delete", "")]
