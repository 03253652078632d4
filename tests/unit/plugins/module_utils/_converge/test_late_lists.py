# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint on a service that shows late what was done, and beside somebody else."""

import pytest
from blueprints import converge_or_result
from stored_objects import names

ACME = {"slug": "acme", "id": "team_acme", "createdAt": 1}
SHOP = {"name": "shop", "team": "acme"}
GET_PROJECT = "GET /projects/{idOrName}"
DELETE_PROJECT = "DELETE /projects/{idOrName}"
DESCRIBED = {
    "teams": [{"slug": "acme", "description": "Ours", "email_domain": "example.com"}],
    "projects": [SHOP],
}


def run(service, blueprint, **options):
    options = {"clock": service.clock, "prune_limit": 100, **options}
    return converge_or_result(service.base_url, blueprint, **options)


def rows(result, *fields):
    return [tuple(row[field] for field in fields) for row in result["results"]]


def test_a_pruned_project_that_is_renamed_meanwhile_fails_alone(service):
    old = [f"old-{number:02}" for number in range(20)]
    service.seed(teams=[ACME], projects=[{"name": name, "team": "acme"} for name in ["shop", *old]])
    service.fault(
        DELETE_PROJECT,
        "concurrent",
        when="after",
        request="PATCH /projects/old-19?teamId=acme",
        body={"name": "keep"},
    )
    result = run(service, {"projects": [SHOP]}, prune=["projects"], workers=1)
    (failed,) = [row for row in result["results"] if row.get("failed")]
    assert failed["msg"] == "The project old-19 is called keep now. Nothing was deleted."
    assert (result["summary"]["failed"], names(service)) == (1, ["keep", "shop"])


@pytest.mark.parametrize("option", [{"name": "shop"}, {"id": "prj_1"}])
def test_a_deletion_is_of_what_its_plan_showed(service, option):
    service.seed(teams=[ACME], projects=[{**SHOP, "id": "prj_1"}])
    rename = {"request": "PATCH /projects/prj_1?teamId=acme", "body": {"name": "storefront"}}
    service.fault(GET_PROJECT, "concurrent", **rename)
    absent = {"projects": [{**option, "team": "acme", "state": "absent"}]}
    assert "The project shop is called storefront now" in run(service, absent)["msg"]
    assert names(service) == ["storefront"]


def test_a_deletion_of_what_was_gone_already_takes_no_object_along(service):
    service.seed(
        teams=[ACME],
        projects=[{**SHOP, "alias": ""}],
        aliases=[{"alias": "www.example.com", "project": "shop", "team": "acme"}],
    )
    service.switch(lists_late_ms=5000)
    absent = {"projects": [{**SHOP, "state": "absent"}]}
    first = run(service, absent)
    again = run(service, absent)
    (row,) = again["results"]
    assert (first["summary"]["along"], again["summary"]["along"]) == (1, 0)
    assert (row["action"], row["along"]) == ("none", [])


def test_an_alias_that_moves_meanwhile_is_not_deleted(service):
    service.seed(
        teams=[ACME],
        projects=[SHOP, {"name": "blog", "team": "acme"}],
        aliases=[{"alias": "www.example.com", "project": "shop", "team": "acme"}],
    )
    body = {"alias": "www.example.com"}
    move = {"request": "POST /blog/alias?teamId=acme", "body": body}
    service.fault("GET /aliases/{idOrAlias}", "concurrent", **move)
    blueprint = {"projects": [SHOP, {"name": "blog", "team": "acme"}], "aliases": []}
    result = run(service, {**blueprint}, team="acme", prune=["aliases"])
    assert "The alias www.example.com belongs to the project blog now." in result["msg"]
    assert "www.example.com" in names(service, "aliases", "alias")


def test_writes_of_the_run_count_before_its_deletions_although_lists_are_late(service):
    """The alias moves from a project that is pruned to one that is created."""
    www = {"alias": "www.example.com", "project": "old", "team": "acme"}
    service.seed(
        teams=[ACME], projects=[{"name": "old", "team": "acme", "alias": ""}], aliases=[www]
    )
    service.switch(lists_late_ms=60000)
    blueprint = {"projects": [SHOP], "aliases": [{**www, "project": "shop"}]}
    result = run(service, blueprint, prune=["projects"])
    assert "msg" not in result, result["msg"]
    assert (result["summary"]["create"], result["summary"]["delete"]) == (1, 1)
    assert names(service) == ["shop"]
    assert "www.example.com" in names(service, "aliases", "alias")


def test_an_alias_that_somebody_moves_to_a_pruned_project_keeps_it(service):
    www = {"alias": "www.example.com", "project": "shop", "team": "acme"}
    service.seed(teams=[ACME], projects=[SHOP, {"name": "old", "team": "acme"}], aliases=[www])
    move = {"request": "POST /old/alias?teamId=acme", "body": {"alias": "www.example.com"}}
    service.fault("GET /projects", "concurrent", skip=1, **move)
    result = run(service, {"projects": [SHOP], "aliases": [www]}, prune=["projects"])
    assert "would now also delete the alias www.example.com" in result["msg"]
    assert names(service) == ["old", "shop"]


def test_a_project_that_the_list_lacks_is_found_by_its_name_and_not_pruned(service):
    service.seed(teams=[ACME], projects=[{"name": "old", "team": "acme"}])
    service.switch(lists_late_ms=60000, lists_late="projects")
    service.ask("POST", "projects", {"name": "shop", "teamId": "team_acme"})
    www = {"alias": "www.example.com", "project": "shop", "team": "acme"}
    result = run(service, {"projects": [], "aliases": [www]}, team="acme", prune=["projects"])
    assert "msg" not in result, result["msg"]
    assert rows(result, "kind", "name", "action") == [
        ("aliases", "www.example.com", "create"),
        ("projects", "old", "delete"),
    ]
    assert names(service) == ["shop"]


@pytest.mark.parametrize("scope", [{"team": "zeta"}, {}])
def test_a_project_of_another_scope_does_not_count(service, scope):
    service.seed(teams=[ACME, {"slug": "zeta"}], projects=[{"name": "shop", **scope}])
    www = {"alias": "www.example.com", "project": "shop", "team": "acme"}
    said = "shop is not declared and does not exist in team acme"
    assert said in run(service, {"aliases": [www]})["msg"]


def test_a_plan_does_for_the_run_after_one_that_made_the_team_alone(service):
    service.fault("PATCH /teams/{teamIdOrSlug}", "400")
    first = run(service, DESCRIBED)
    assert first["summary"]["failed"] == 1
    assert "description and email_domain could not be set" in first["msg"]
    assert "write_only_fields: always" in first["msg"]
    assert rows(first, "kind", "action", "reason") == [
        ("teams", "create", None),
        ("projects", "skip", "dependency"),
    ]
    (left,) = first["steps"]
    planned = run(service, DESCRIBED, check_mode=True)
    assert planned["steps"] == [left]
    second = run(service, DESCRIBED, approved=first["steps"])
    assert rows(second, "kind", "action", "changed") == [
        ("teams", "none", False),
        ("projects", "create", True),
    ]
    assert names(service) == ["shop"]


def test_a_team_that_was_not_made_is_left(service):
    service.fault("POST /teams", "400")
    first = run(service, DESCRIBED)
    assert first["steps"] == run(service, DESCRIBED, check_mode=True)["steps"]
    assert len(first["steps"]) == 2


@pytest.mark.parametrize(
    "switches",
    [
        {"lists_late_ms": 1500},
        {"lists_late_ms": 60000},
        {"young_ms": 1500},
        {"young_ms": 5000, "young_team": 404, "young_project": 403, "young_team_lists": 400},
        {"young_ms": 1500, "lists_late_ms": 1500, "patch_result": "empty"},
    ],
    ids=str,
)
def test_a_blueprint_that_makes_everything_passes(service, switches):
    service.switch(**switches)
    www = {"alias": "www.example.com", "project": "shop", "team": "acme"}
    result = run(service, {**DESCRIBED, "aliases": [www]})
    assert "msg" not in result, result["msg"]
    assert result["summary"]["create"] == 3
    service.set_clock(advance=100)
    assert run(service, {**DESCRIBED, "aliases": [www]})["changed"] is False
