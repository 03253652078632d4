# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An object belongs to the team that it names, by whichever route and list a run comes upon it."""

from itertools import chain
from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import (
    actions,
    check_then_converge,
    converge,
    converge_or_result,
    export,
    refusal_message,
)

DOMAIN = {"name": "example.com"}
PRUNE = ["projects", "aliases", "domains"]


def hosts(emulator: Any) -> set[str]:
    return {alias["alias"] for alias in emulator.state()["aliases"]}


OF_ZETA = {**DOMAIN, **ZETA}
DELETIONS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "an absent domain of the own scope": (
        DOMAIN,
        {"domains": [{**DOMAIN, "own_scope": True, "state": "absent"}]},
        {},
    ),
    "an absent domain of a team": (
        OF_ZETA,
        {"domains": [{**DOMAIN, "team": "zeta", "state": "absent"}]},
        {},
    ),
    "a pruned domain": (OF_ZETA, {"domains": []}, {"prune": ["domains"], "team": "zeta"}),
    "an absent team": (OF_ZETA, {"teams": [{**ZETA, "state": "absent"}]}, {}),
}
GUARDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "protect": ({}, {"protect": [{"kind": "aliases", "team": "acme"}]}),
    "ignore": ({}, {"ignore": ["www.*"]}),
    "limits": ({}, {"limits": {"delete": 1}}),
    "an entry": ({"aliases": [WWW]}, {}),
}


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("deletion", DELETIONS)
def test_alias_of_another_scope_is_guarded_from_the_deletion_of_its_domain(
    emulator, deletion, guard
):
    domain, blueprint, options = DELETIONS[deletion]
    scope = {"team": domain["slug"]} if "slug" in domain else {}
    emulator.seed(
        teams=[ACME, ZETA],
        projects=[{**WEB, "alias": ""}],
        aliases=[WWW],
        domains=[{**DOMAIN, **scope}],
    )
    emulator.switch(domain_takes_aliases="everywhere")
    more, guarded = GUARDS[guard]
    entries = {**blueprint, "projects": [WEB], **more}
    assert "www.example.com" in refusal_message(emulator, entries, **options, **guarded)
    assert hosts(emulator) == {"www.example.com"}
    if guard == "limits":
        run = check_then_converge(emulator.base_url, entries, **options, limits={"delete": 10})
        cascade = list(chain.from_iterable(row["along"] for row in run["results"]))
        assert {"kind": "aliases", "name": "www.example.com", "team": "acme"} in cascade
        assert hosts(emulator) == set()


def test_limit_of_pruning_counts_the_aliases_of_a_team_that_is_not_read(emulator):
    names = {f"{number}.example.com" for number in range(12)}
    emulator.seed(
        teams=[ACME],
        projects=[{**WEB, "alias": ""}],
        aliases=[{**WWW, "alias": name} for name in names],
        domains=[DOMAIN],
    )
    emulator.switch(lists_span_teams=True, domain_takes_aliases="everywhere")
    blueprint = {"domains": [{**DOMAIN, "own_scope": True, "state": "absent"}]}
    message = refusal_message(emulator, blueprint, prune_limit=30)
    assert "12 of 12 aliases of team acme would be deleted" in message
    assert hosts(emulator) == names


@pytest.mark.parametrize(
    "entry", [{"projects": [{**WEB, "alias": "new.example.com"}]}, {"aliases": [WWW]}]
)
def test_alias_is_not_created_where_the_deletion_of_a_team_removes_it_with_its_domain(
    emulator, entry
):
    emulator.seed(
        teams=[ACME, ZETA], projects=[{**WEB, "alias": ""}], domains=[{**DOMAIN, "team": "zeta"}]
    )
    message = refusal_message(emulator, {**entry, "teams": [ACME, {**ZETA, "state": "absent"}]})
    assert "deleting the team zeta would also delete the alias " in message


SPANNING = [
    {"lists_span_teams": True},
    {"lists_span_teams": True, "alias_team_id": "unset", "personal_team_id": "unset"},
    {"lists_span_teams": "one_team"},
]
EVERYWHERE: dict[str, Any] = {
    "teams": [ACME],
    "projects": [WEB, {"name": "own"}],
    "aliases": [WWW, {"alias": "own.example.com", "project": "own"}],
    "domains": [{"name": "example.org", "team": "acme"}, {"name": "example.net"}],
}


@pytest.mark.parametrize("switches", SPANNING)
def test_own_scope_is_never_pruned(emulator, switches: dict[str, Any]):
    emulator.seed(**EVERYWHERE)
    emulator.switch(**switches)
    before = emulator.state()
    blueprint = {"aliases": [{"alias": "gone.example.com", "own_scope": True, "state": "absent"}]}
    result = converge(emulator.base_url, blueprint, prune=PRUNE, prune_limit=100)
    assert actions(result) == []
    assert emulator.state() == before


def test_object_of_a_team_is_not_created_in_the_own_scope_behind_an_unchanged_entry(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "api"}, {"name": "web", "team": "acme"}])
    emulator.switch(lists_span_teams=True)
    blueprint = {"projects": [{"name": "api"}, {"name": "web"}]}
    problem = "projects[1] web: team: the project web belongs to the team acme. Set team to acme."
    assert problem in refusal_message(emulator, blueprint)


@pytest.mark.parametrize("switches", [{}, *SPANNING[:2]])
def test_export_holds_every_object_once_and_changes_nothing(emulator, switches: dict[str, Any]):
    emulator.seed(**{**EVERYWHERE, "projects": [WEB, {"name": "web"}, {"name": "own"}]})
    emulator.switch(**switches)
    exported = export(emulator.base_url)
    projects = [(entry["name"], entry.get("team")) for entry in exported["projects"]]
    assert projects == [("own", None), ("web", None), ("web", "acme")]
    own = {
        kind: [entry for entry in exported[kind] if "team" in entry]
        for kind in ("projects", "aliases", "domains")
    }
    blueprint = {**exported, **own} if switches else exported
    result = converge(emulator.base_url, blueprint, prune=PRUNE, prune_limit=100, approved=[])
    assert (result["changed"], actions(result)) == (False, [])


def test_alias_that_comes_to_a_pruned_project_meanwhile_is_not_deleted(emulator):
    emulator.seed(teams=[ACME], projects=[{**WEB, "alias": ""}])
    result = converge_or_result(
        emulator.base_url,
        {"teams": [ACME], "projects": [], "aliases": []},
        prune=["projects", "aliases"],
        planned=lambda _plan: emulator.seed(aliases=[WWW]),
    )
    assert "www.example.com" in result["msg"]
    assert (hosts(emulator), len(emulator.state()["projects"])) == ({"www.example.com"}, 1)


def test_alias_that_moves_to_another_team_meanwhile_is_not_deleted(emulator):
    """Its id is shorter than a path may be, so no GET shows it by that."""
    emulator.seed(
        teams=[ACME, ZETA],
        projects=[{**WEB, "id": "prj_1", "alias": ""}],
        aliases=[{**WWW, "id": 7}],
    )
    acme, zeta = emulator.state()["teams"]
    moved = {"name": "web", "teamId": zeta["id"]}
    result = converge_or_result(
        emulator.base_url,
        {"aliases": [{"alias": "www.example.com", "team": "acme", "state": "absent"}]},
        planned=lambda _plan: emulator.ask(
            "PATCH", "projects/prj_1", moved, acme["id"]
        ).raise_for_status(),
    )
    assert "Nothing was deleted" in result["msg"]
    assert hosts(emulator) == {"www.example.com"}


@pytest.mark.parametrize("guard", ["protect", "ignore"])
def test_alias_that_moves_into_a_guarded_team_meanwhile_is_not_deleted_with_its_domain(
    emulator, guard
):
    emulator.seed(
        teams=[ACME, ZETA],
        projects=[{**WEB, "id": "prj_1", "alias": ""}],
        aliases=[WWW],
        domains=[DOMAIN],
    )
    emulator.switch(domain_takes_aliases="everywhere")
    acme, zeta = emulator.state()["teams"]
    moved = {"name": "web", "teamId": zeta["id"]}
    options: dict[str, Any] = {guard: [{"kind": "aliases", "team": "zeta"}]}
    result = converge_or_result(
        emulator.base_url,
        {"teams": [ACME, ZETA], "domains": [{**DOMAIN, "own_scope": True, "state": "absent"}]},
        **options,
        planned=lambda _plan: emulator.ask(
            "PATCH", "projects/prj_1", moved, acme["id"]
        ).raise_for_status(),
    )
    words = f"{guard}: deleting the domain example.com would also delete the alias www.example.com"
    assert words in result["msg"]
    assert hosts(emulator) == {"www.example.com"}


def test_approved_run_adopts_no_team_of_a_stranger(emulator):
    blueprint = {
        "teams": [{"slug": "nova"}],
        "projects": [{"name": "web", "team": "nova", "build_command": "make secrets"}],
        "aliases": [{**WWW, "team": "nova"}],
    }
    approved = converge(emulator.base_url, blueprint, check_mode=True)["steps"]
    me = emulator.state()["users"][0]["email"]
    emulator.seed(users=[{"email": "eve@example.com"}])
    emulator.seed(
        teams=[
            {
                "slug": "nova",
                "owner": "eve@example.com",
                "members": [{"email": me, "role": "OWNER"}],
            }
        ]
    )
    assert "approved" in refusal_message(emulator, blueprint, approved=approved)
    assert emulator.state()["projects"] == []
