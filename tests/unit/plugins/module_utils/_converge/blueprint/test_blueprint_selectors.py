# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of a blueprint: what ``only`` selects is read and written, and nothing else; and what is
no selector.
"""

from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import actions, converge, reasons, refusal_message, refusal_without_requests

SITE = {"name": "site", "team": "zeta"}
OF_SITE = {"alias": "shop.example.com", "project": "site", "team": "zeta"}
A, B, C = ({"name": name, "team": "acme"} for name in "abc")


def test_unselected_entries_are_neither_read_nor_changed(emulator):
    teams = [{"slug": f"team-{number:03}"} for number in range(100)]
    projects = [{"name": "web", "team": team["slug"], "framework": "astro"} for team in teams]
    emulator.seed(teams=teams, projects=[{**project, "framework": "hugo"} for project in projects])
    ids = {team["slug"]: team["id"] for team in emulator.state()["teams"]}
    result = converge(
        emulator.base_url,
        {"teams": teams, "projects": projects},
        only=[{"kind": "projects", "team": "team-042"}],
    )
    assert actions(
        {"results": [entry for entry in result["results"] if entry["action"] != "skip"]}
    ) == [("projects", "web", "update")]
    assert {entry["reason"] for entry in result["results"] if entry["action"] == "skip"} == {
        "not_selected"
    }
    assert [entry["team"] for entry in result["results"][100:]] == [team["slug"] for team in teams]
    assert result["summary"]["skip"] == 199
    asked = [
        (request["operation"], request["query"].get("teamId")) for request in emulator.requests()
    ]
    assert asked[:2] == [("GET /teams", None), ("GET /projects", ids["team-042"])]
    assert result["summary"]["requests"] == len(asked) == 3
    assert len(emulator.writes) == 1


def test_selector_of_a_kind_finds_what_is_undeclared_in_every_scope_of_the_run(emulator):
    emulator.seed(teams=[ACME, ZETA], projects=[{"name": "stray", "team": "zeta"}])
    blueprint = {"teams": [ACME, ZETA], "projects": [WEB]}
    only: dict[str, Any] = {"only": [{"kind": "projects"}]}
    found = converge(emulator.base_url, blueprint, check_mode=True, **only)["undeclared"]
    assert [(row["kind"], row["name"], row["team"]) for row in found] == [
        ("projects", "stray", "zeta")
    ]


def test_empty_only_sends_no_requests(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "old", "team": "acme"}])
    result = converge(emulator.base_url, {"teams": [ACME], "projects": [WEB]}, only=[], team="acme")
    assert reasons(result) == [("acme", "not_selected"), ("web", "not_selected")]
    assert (result["changed"], emulator.requests()) == (False, [])


BORDERS: dict[str, tuple[dict[str, Any], dict[str, Any], Any, str]] = {
    "a team that does not exist yet": (
        {},
        {"teams": [ACME], "projects": [WEB]},
        "web",
        "projects[0] web: depends on teams[0] acme, which is not selected",
    ),
    "a team that gets its name": (
        {"teams": [{"slug": "old-acme"}]},
        {"teams": [{**ACME, "previously": ["old-acme"]}], "projects": [WEB]},
        "web",
        "projects[0] web: depends on teams[0] acme, which is not selected",
    ),
    "a project that does not exist yet": (
        {"teams": [ACME]},
        {"projects": [WEB], "aliases": [WWW]},
        {"kind": "aliases"},
        "aliases[0] www.example.com: depends on projects[0] web, which is not selected",
    ),
    "a project that gets its name": (
        {"teams": [ACME], "projects": [{"name": "site", "team": "acme"}]},
        {"projects": [{**WEB, "previously": ["site"]}], "aliases": [WWW]},
        {"kind": "aliases"},
        "aliases[0] www.example.com: depends on projects[0] web, which is not selected",
    ),
    "a team that goes": (
        {"teams": [ACME], "projects": [WEB]},
        {"teams": [{**ACME, "state": "absent"}], "projects": [WEB]},
        {"kind": "teams"},
        "would also delete the project web, but projects[0] web, which declares it, is not"
        " selected",
    ),
    "an alias of another team below a domain": (
        {
            "teams": [ACME, ZETA],
            "projects": [SITE],
            "aliases": [OF_SITE],
            "domains": [{"name": "example.com", "team": "acme"}],
        },
        {
            "aliases": [OF_SITE],
            "domains": [{"name": "example.com", "team": "acme", "state": "absent"}],
        },
        {"kind": "domains"},
        "but aliases[0] shop.example.com, which declares it, is not selected.",
    ),
    "an own alias of another team below a domain": (
        {"teams": [ACME, ZETA], "domains": [{"name": "example.com", "team": "acme"}]},
        {
            "projects": [{**SITE, "alias": "shop.example.com"}],
            "domains": [{"name": "example.com", "team": "acme", "state": "absent"}],
        },
        {"kind": "domains"},
        "but projects[0] site, which declares it, is not selected.",
    ),
    "two of one name": (
        {"teams": [ACME], "projects": [{**WEB, "id": "prj_1"}, {**B, "id": "prj_2"}]},
        {
            "projects": [
                {"id": "prj_2", "name": "web", "team": "acme"},
                {"id": "prj_1", "team": "acme"},
            ]
        },
        "web",
        "project prj_2 cannot be renamed to web, because the project prj_1 already has that name",
    ),
}


@pytest.mark.parametrize("border", BORDERS)
def test_dependency_on_an_unselected_entry_is_refused(emulator, border):
    start, blueprint, only, words = BORDERS[border]
    emulator.seed(**start)
    assert words in refusal_message(emulator, blueprint, only=[only])


def test_unselected_creation_causes_no_warning(emulator):
    (warning,) = converge(
        emulator.base_url, {"projects": [{"name": "web"}, {"name": "api"}]}, only=["web"]
    )["warnings"]
    assert "scope: project web. " in warning


def test_planning_errors_of_unselected_entries_are_ignored(emulator):
    emulator.seed(teams=[ACME])
    blueprint = {
        "projects": [WEB, {"name": "x", "team": "missing"}, {"id": "prj_9", "team": "acme"}]
    }
    assert "missing" in refusal_message(emulator, blueprint)
    result = converge(emulator.base_url, blueprint, only=["web"])
    assert reasons(result) == [("web", None), ("x", "not_selected"), ("prj_9", "not_selected")]
    emulator.forget_requests()
    wrong = {"projects": [WEB, {"name": "y", "frmework": "x"}]}
    assert "frmework" in refusal_without_requests(emulator, wrong, only=["web"])


@pytest.mark.parametrize(
    ("teams", "slug"),
    [([], "acme"), ([{"slug": "apex", "previously": ["acme"]}], "apex")],
    ids=["live", "renamed"],
)
def test_a_selector_names_a_team_by_its_slug_also_where_an_entry_gives_the_id(
    emulator, teams, slug
):
    emulator.seed(teams=[{**ACME, "id": "team_1"}])
    projects = [{"name": "web", "team": "team_1"}, {"name": "api", "team": slug}]
    result = converge(
        emulator.base_url,
        {"teams": teams, "projects": projects},
        check_mode=True,
        only=[{"team": slug}],
    )
    assert {reason for _name, reason in reasons(result)} == {None}


@pytest.mark.parametrize("option", ["only", "ignore", "protect"])
@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ({}, "[0]: is empty and would match everything"),
        ({"teams": "acme"}, "[0]: unknown key teams. Did you mean team?"),
        ({"kind": "project"}, "[0].kind: unknown kind project. Did you mean projects?"),
        ({"kind": []}, "[0].kind: must not be empty"),
        ({"kind": {"a": 1}}, "[0].kind: unknown kind {'a': 1}"),
        ({"kind": None}, "[0].kind: must not be empty"),
        ({"kind": ""}, "[0].kind: must not be empty"),
        ({"kind": ["teams", ""]}, "[0].kind: must not be empty"),
        ({"name": ""}, "[0].name: must not be empty"),
        ({"name": None}, "[0].name must be text, and is null"),
        ({"team": ["acme"]}, "[0].team must be text, and is a list"),
        ("", "[0]: must not be empty"),
        (None, "[0] must be text, and is null"),
        (True, "[0] must be text, and is a boolean. Quote it."),
        (1.5, "[0] must be text, and is a number with a fraction. Quote it."),
        (["web"], "[0] must be text, and is a list"),
        (
            '["prod-*"',
            "[0]: looks like a list or dictionary, but is text. On the command line, pass JSON",
        ),
        (" prod", "[0]: begins or ends with white space. Remove it, or write ? for it."),
        ({"team": " "}, "[0].team: begins or ends with white space."),
        ({"name": "prod\u00a0"}, "[0].name: begins or ends with white space."),
        ("prod-api\nblog", "[0]: contains a line break or another control character."),
        ({"name": "a\tb"}, "[0].name: contains a line break or another control character."),
        ({"team": "a\u2028"}, "[0].team: contains a line break or another control character."),
        ("team=acme", "[0]: team=acme is text, and so a pattern for a name. Write {team: acme}."),
        (
            "name = a: b",
            '[0]: name = a: b is text, and so a pattern for a name. Write {name: "a: b"}.',
        ),
        (7, "[0] must be text, and is a number. Quote it."),
        ("[web, api]", "[0]: looks like a list or dictionary, but is text."),
        ("{kind: projects}", "[0]: looks like a list or dictionary, but is text."),
        ({"team": "['acme']"}, "[0].team: looks like a list or dictionary, but is text."),
        ("acme/********", "[0]: holds a mask, which hides a secret"),
        ({"team": "********"}, "[0].team: holds a mask"),
        ({"name": "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"}, "[0].name: holds a mask"),
    ],
)
def test_invalid_selector_is_rejected_before_the_first_request(emulator, option, selector, words):
    given: dict[str, Any] = {option: [selector]}
    message = refusal_without_requests(emulator, {"projects": [WEB]}, **given)
    assert message.startswith(option)
    assert words in message


def test_all_invalid_selectors_are_said_at_once_and_beside_invalid_entries(emulator):
    blueprint = {"projects": [{**WEB, "framwork": "hugo"}]}
    given: dict[str, Any] = {
        "only": ["a ", {"kind": "projcts"}],
        "ignore": [{}],
        "protect": [{"source": "x"}, 3],
    }
    message = refusal_without_requests(emulator, blueprint, **given)
    begins = ["only[0]: ", "only[1].kind: ", "ignore[0]: ", "protect[0]: ", "protect[1] "]
    *of_selectors, of_entry = message.split("\n")
    for line, begin in zip(of_selectors, begins, strict=True):
        assert line.startswith(begin)
    assert "framwork" in of_entry


def test_patterns_that_contain_brackets_are_patterns(emulator):
    patterns = ["[ps]rod-*", "web[0-9]", "[[]web", "[ab]", "[!a-z]", "[a-z]?", "{{ web }}"]
    assert converge(emulator.base_url, {}, protect=patterns)["changed"] is False


def test_only_entries_have_a_source(emulator):
    source = [{"source": "projects/*"}]
    assert "unknown key source" in refusal_without_requests(emulator, {}, ignore=source)
    assert "unknown key source" in refusal_without_requests(emulator, {}, protect=source)
    entry = {"name": "web", "source": "projects/shop.yml:1"}
    assert converge(emulator.base_url, {"projects": [entry]}, only=source)["changed"] is True
