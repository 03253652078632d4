# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What others manage, what must never go, who is invited, and what is told of what nobody declares
or can compare.
"""

import json
from dataclasses import replace
from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import actions, converge, export, refusal_message, refusal_without_requests
from stub_server import forward, stub_server


def test_ignored_objects_are_neither_undeclared_nor_pruned_nor_exported(emulator):
    projects = [WEB, {"name": "legacy", "team": "acme"}]
    domains = [{"name": "example.com", "team": "acme"}]
    emulator.seed(teams=[ACME, ZETA], projects=projects, aliases=[WWW], domains=domains)
    ignore = [
        {"kind": "projects", "name": "leg*"},
        {"kind": "domains"},
        {"kind": "aliases", "team": "acme"},
        "zeta",
    ]
    options: dict[str, Any] = {"prune": ["projects", "aliases", "domains"], "ignore": ignore}
    state = emulator.state()
    result = converge(emulator.base_url, {"teams": [ACME], "projects": [WEB]}, **options)
    assert (result["undeclared"], actions(result), emulator.state()) == ([], [], state)
    exported = export(emulator.base_url, ignore=ignore)
    assert [team["slug"] for team in exported["teams"]] == ["acme"]
    assert [project["name"] for project in exported["projects"]] == ["web"]
    assert (exported["aliases"], exported["domains"]) == ([], [])
    again = converge(emulator.base_url, exported, **options)
    assert (again["changed"], again["undeclared"]) == (False, [])


def test_an_entry_of_an_ignored_object_fails(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "legacy", "team": "acme", "id": "prj_1"}])
    for entry in ({"name": "legacy"}, {"name": "web", "previously": ["legacy"]}):
        blueprint = {"projects": [{**entry, "team": "acme", "framework": "x"}]}
        assert "matches a selector of ignore" in refusal_without_requests(
            emulator, blueprint, ignore=["legacy"]
        )
    by_id = {"projects": [{"id": "prj_1", "name": "web", "team": "acme"}]}
    assert "ignored" in refusal_message(emulator, by_id, ignore=["legacy"])


MEMBERS = {
    "teams": [ACME],
    "team_members": [
        {"team": "acme", "email": f"{name}@example.com", "role": "DEVELOPER"}
        for name in ("ann", "bob", "eve")
    ],
}


def test_member_declared_by_slug_and_id_is_a_duplicate(emulator):
    emulator.seed(teams=[{**ACME, "id": "team_1"}, ZETA])
    member = {"email": "dev@example.com", "role": "DEVELOPER"}
    twice = [{**member, "team": team} for team in ("acme", "zeta", "team_1")]
    message = refusal_message(emulator, {"team_members": twice}, invite=True)
    assert (
        "team_members[2] dev@example.com: team_members[0] dev@example.com declares the same"
        in message
    )
    assert (
        converge(emulator.base_url, {"team_members": twice[:2]}, invite=True)["summary"]["invite"]
        == 2
    )


def invitations(emulator) -> int:
    return sum(1 for write in emulator.writes if write.endswith("/members"))


def test_invitations_are_skipped_unless_invite_is_set(emulator):
    emulator.seed(teams=[ACME])
    first = converge(emulator.base_url, MEMBERS)
    assert [entry["reason"] for entry in first["results"]] == [None, *["invite"] * 3]
    assert (first["summary"]["invite"], first["summary"]["skip"], invitations(emulator)) == (
        0,
        3,
        0,
    )
    assert all("invit" not in warning for warning in first["warnings"])
    assert converge(emulator.base_url, MEMBERS, invite=True)["summary"]["invite"] == 3
    for check_mode in (True, False):
        assert converge(emulator.base_url, MEMBERS, check_mode)["changed"] is False
    assert invitations(emulator) == 3
    emulator.set_clock(advance=86_400)
    again = converge(emulator.base_url, MEMBERS, invite=True)
    assert (again["changed"], invitations(emulator)) == (False, 6)
    assert (
        len([member for member in emulator.state()["members"] if member["role"] == "DEVELOPER"])
        == 3
    )


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


def with_changed_projects(emulator: Any, asked: Any, **changes: Any) -> Any:
    """The emulator's answer, in whose lists each project has these values."""
    answer = forward(emulator, asked)
    if not asked.target.startswith("/projects"):
        return answer
    document = json.loads(answer.body)
    for project in document["projects"]:
        project.update(changes)
    return replace(answer, body=json.dumps(document).encode())


@pytest.mark.parametrize("value", [{"x": "{{ 7 * 6 }}"}, [["{{ 7 * 6 }}"]], 1.5])
def test_export_leaves_out_a_field_that_is_no_text(emulator, value):
    """In a file, text inside it would be a template to whoever reads that with templates."""
    emulator.seed(teams=[ACME], projects=[WEB])
    with stub_server(
        lambda asked: with_changed_projects(emulator, asked, framework=value)
    ) as server:
        (project,) = export(server.base_url)["projects"]
    assert "framework" not in project


def test_an_object_without_a_name_has_none_in_a_result(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    with stub_server(lambda asked: with_changed_projects(emulator, asked, name=None)) as server:
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
