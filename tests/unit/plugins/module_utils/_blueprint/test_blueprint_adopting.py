# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exporting what another blueprint does not declare: together they declare everything, and nothing twice."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import Blueprint, converge, export

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._planning.entries import BlueprintError

PLATFORM: dict[str, Any] = {
    "teams": [{"slug": "acme"}, {"slug": "media"}],
    "projects": [
        {"name": "web", "team": "acme"},
        {"name": "web", "team": "media"},
        {"name": "shop", "team": "acme"},
        {"name": "web"},
        {"name": "mine"},
    ],
    "aliases": [
        {"alias": "www.example.com", "project": "web", "team": "acme"},
        {"alias": "shop.example.com", "project": "shop", "team": "acme"},
    ],
    "domains": [{"name": "example.com", "team": "acme"}, {"name": "example.org", "team": "acme"}],
}
ALL = {
    ("teams", "acme", ""),
    ("teams", "media", ""),
    ("projects", "web", "acme"),
    ("projects", "web", "media"),
    ("projects", "shop", "acme"),
    ("projects", "web", ""),
    ("projects", "mine", ""),
    ("aliases", "www.example.com", "acme"),
    ("aliases", "shop.example.com", "acme"),
    ("domains", "example.com", "acme"),
    ("domains", "example.org", "acme"),
}
WEB = ("projects", "web", "acme")


def entries_of(blueprint: Blueprint) -> set[tuple[str, str, str]]:
    names = {"teams": "slug", "projects": "name", "aliases": "alias", "domains": "name"}
    return {
        (kind, entry[names[kind]], entry.get("team", "")) for kind, entries in blueprint.items() for entry in entries
    }


def together(one: Blueprint, other: Blueprint) -> Blueprint:
    return {kind: [*one.get(kind, ()), *other.get(kind, ())] for kind in {**one, **other}}


@pytest.mark.parametrize(
    ("declared", "left_out"),
    [
        pytest.param({}, set(), id="nothing"),
        pytest.param({"projects": []}, set(), id="no entry"),
        pytest.param({"projects": [{"name": "web", "team": "acme"}]}, {WEB}, id="a slug"),
        pytest.param({"projects": [{"name": "web", "team": "ID"}]}, {WEB}, id="the id of a team"),
        pytest.param({"projects": [{"id": "WEB", "team": "acme"}]}, {WEB}, id="an id"),
        pytest.param({"projects": [{"name": "web", "own_scope": True}]}, {("projects", "web", "")}, id="own scope"),
        pytest.param({"projects": [{"name": "web", "team": "acme", "state": "exists"}]}, {WEB}, id="exists"),
        pytest.param({"projects": [{"name": "new", "team": "acme", "previously": ["web"]}]}, {WEB}, id="previously"),
        pytest.param({"projects": [{"name": "gone", "team": "acme", "state": "absent"}]}, set(), id="absent already"),
        pytest.param({"teams": [{"slug": "media"}]}, {("teams", "media", "")}, id="a team, and not what is in it"),
        pytest.param(
            {"aliases": [{"alias": "WWW.Example.com.", "project": "web", "team": "acme"}]},
            {("aliases", "www.example.com", "acme")},
            id="a host in another form",
        ),
        pytest.param(
            {"domains": [{"name": "Example.COM.", "team": "acme"}]},
            {("domains", "example.com", "acme")},
            id="a domain in another form",
        ),
        pytest.param(
            {"aliases": [{"alias": "www.example.com", "team": "acme", "state": "absent"}]},
            {("aliases", "www.example.com", "acme")},
            id="absent",
        ),
    ],
)
def test_what_an_entry_declares_is_left_out(emulator, declared, left_out):
    seeded = emulator.seed(**PLATFORM)
    ids = {"ID": seeded["teams"][0]["id"], "WEB": seeded["projects"][0]["id"]}
    declared = {
        kind: [
            {option: ids.get(value, value) if isinstance(value, str) else value for option, value in e.items()}
            for e in entries
        ]
        for kind, entries in declared.items()
    }
    if any("previously" in entry for entry in declared.get("projects", ())):
        # Aliases that are exported would refer to it.
        declared["aliases"] = [{"alias": "www.example.com", "project": "new", "team": "acme"}]
        left_out = {*left_out, ("aliases", "www.example.com", "acme")}

    exported = export(emulator.base_url, undeclared_in=declared)

    assert emulator.writes == []
    assert entries_of(exported) == ALL - left_out
    alone = converge(emulator.base_url, declared, check_mode=True)
    both = converge(emulator.base_url, together(declared, exported), check_mode=True)
    assert both["undeclared"] == []
    assert [row for row in both["results"] if row["changed"]] == [row for row in alone["results"] if row["changed"]]


def test_both_together_change_nothing_and_nothing_is_left_to_export(emulator):
    emulator.seed(**PLATFORM)
    declared: Blueprint = {"projects": [{"name": "web", "team": "acme"}, {"name": "mine", "own_scope": True}]}
    exported = export(emulator.base_url, undeclared_in=declared)
    both = together(declared, exported)
    result = converge(emulator.base_url, both)
    assert (result["changed"], result["undeclared"], emulator.writes) == (False, [], [])
    assert entries_of(export(emulator.base_url, undeclared_in=both)) == set()


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (
            {"projects": [{"name": "new", "team": "acme", "previously": ["web"]}]},
            "undeclared_in: projects[0] new renames the project web, which entries of the export would refer to."
            " Converge that blueprint first.",
        ),
        (
            {"projects": [{"name": "web", "team": "acme", "state": "absent"}]},
            "undeclared_in: projects[0] web deletes the project web, which entries of the export would refer to."
            " Converge that blueprint first.",
        ),
        (
            {"teams": [{"slug": "new", "previously": ["media"]}]},
            "undeclared_in: teams[0] new renames the team media, which entries of the export would refer to."
            " Converge that blueprint first.",
        ),
    ],
)
def test_no_entry_refers_to_what_is_renamed_or_deleted(emulator, declared, message):
    emulator.seed(**PLATFORM)
    with pytest.raises(PlatformError) as caught:
        export(emulator.base_url, undeclared_in=declared)
    assert str(caught.value) == message


WEB_ALIAS = {"alias": "own.example.com", "team": "acme"}


@pytest.mark.parametrize(
    ("declared", "left_out"),
    [
        ({"domains": [{"name": "example.com", "team": "acme", "state": "absent"}]}, ["www.example.com"]),
        ({"aliases": [{**WEB_ALIAS, "state": "absent"}]}, []),
        ({"aliases": [{**WEB_ALIAS, "alias": "OWN.example.com", "project": "shop"}]}, []),
    ],
    ids=["goes with a domain", "is absent", "is moved"],
)
def test_an_alias_that_the_blueprint_deletes_or_moves_is_not_declared_by_the_export_either(
    emulator, declared, left_out
):
    own = {"name": "web", "team": "acme", "alias": "own.example.com"}
    emulator.seed(**{**PLATFORM, "projects": [own, *PLATFORM["projects"][1:]], "aliases": PLATFORM["aliases"][:1]})

    exported = export(emulator.base_url, undeclared_in=declared)

    assert WEB in entries_of(exported)
    alone = converge(emulator.base_url, declared, check_mode=True)
    both = converge(emulator.base_url, together(declared, exported))
    assert [row["step"] for row in both["results"] if row["changed"]] == alone["steps"]
    assert not [entry for entry in exported["aliases"] if entry["alias"] in left_out]
    assert converge(emulator.base_url, together(declared, exported))["changed"] is False


def test_an_entry_without_a_team_is_of_the_team_that_the_environment_names(emulator, monkeypatch):
    emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "web", "team": "acme"}, {"name": "api", "team": "acme"}, {"name": "web"}, {"name": "mine"}],
    )
    declared = {"projects": [{"name": "web"}, {"name": "mine", "own_scope": True}]}

    def left() -> list[tuple[str, str]]:
        exported = export(emulator.base_url, undeclared_in=declared)["projects"]
        return [(entry["name"], entry.get("team", "")) for entry in exported]

    assert left() == [("api", "acme"), ("web", "acme")]
    monkeypatch.setenv("HOSTING_PLATFORM_TEAM", "acme")
    assert left() == [("api", "acme"), ("web", "")]


def test_a_blueprint_with_problems_is_refused_before_the_first_request(emulator):
    with pytest.raises(BlueprintError, match=r"projects\[0\] web: unknown option framwork"):
        export(emulator.base_url, undeclared_in={"projects": [{"name": "web", "own_scope": True, "framwork": "x"}]})
    assert emulator.requests() == []
