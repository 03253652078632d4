# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a GET of one object shows."""

import pytest

from support import DEV_EMAIL, Api, under


@under("project_on_get")
def test_a_project_is_shown_by_its_name_to_whom_the_switch_says(
    acme: Api, dev: Api, switched: str
) -> None:
    acme.new_project("mine", alias="")
    dev.new_project("theirs", alias="")

    def statuses(**query: str) -> list[int]:
        names = ("mine", "old", "theirs")
        return [acme.get(f"/projects/{name}", params=query).status_code for name in names]

    shown_of = {
        "of_callers_teams": [200, 200, 404],
        "of_its_scope": [200, 404, 404],
        "of_everybody": [200, 200, 200],
    }
    assert statuses() == statuses(teamId="acme") == shown_of[switched]
    acme.control.switch(team_id_on_get="honoured")
    if switched == "of_its_scope":
        assert statuses(teamId="acme") == [404, 200, 404]


@pytest.mark.usefixtures("dev")
@under("alias_on_get")
def test_an_alias_is_shown_by_its_name_to_whom_the_switch_says(api: Api, switched: str) -> None:
    api.control.seed(
        teams=[{"slug": "acme"}, {"slug": "strangers", "owner": DEV_EMAIL}],
        projects=[
            {"name": "own", "alias": "own.example.com"},
            {"name": "web", "alias": "acme.example.com", "team": "acme"},
            {"name": "web", "alias": "strangers.example.com", "team": "strangers"},
        ],
    )

    def shown(**query: str) -> list[str]:
        names = ("own", "acme", "strangers")
        return [
            name
            for name in names
            if api.get(f"/aliases/{name}.example.com", params=query).is_success
        ]

    everything = {
        "of_callers_teams": ["own", "acme"],
        "of_its_scope": ["own"],
        "of_everybody": ["own", "acme", "strangers"],
    }
    assert shown() == shown(teamId="acme") == everything[switched]
    api.control.switch(team_id_on_get="honoured")
    of_acme = everything[switched] if switched == "of_everybody" else ["acme"]
    assert shown(teamId="acme") == of_acme


@under("team_id_on_get")
def test_team_id_on_get(api: Api, switched: str) -> None:
    team = api.new_team("acme")
    api.new_project("web", alias="www.example.com")
    api.new_project("shared", teamId=team["id"])
    assert api.get("/projects/shared").is_success, "without the parameter all is found"
    for path in ("/projects/web", "/aliases/www.example.com"):
        answer = api.get(path, params={"teamId": "acme"})
        assert answer.status_code == {"ignored": 200, "honoured": 404, "refused": 400}[switched]
    assert api.get("/projects/shared", params={"teamId": "acme"}).is_success == (
        switched != "refused"
    )


@under("id_or_name_precedence")
def test_id_or_name_precedence(api: Api, switched: str) -> None:
    api.control.seed(
        teams=[{"id": "shared", "slug": "first"}, {"id": "second", "slug": "shared"}],
        projects=[{"id": "shared", "name": "first"}, {"id": "second", "name": "shared"}],
        aliases=[
            {"id": 7001, "alias": "first.example.com", "project": "first"},
            {"id": 7002, "alias": "7001", "project": "first"},
        ],
    )
    expected = "shared" if switched == "id" else "second"
    assert api.get("/projects/shared").json()["id"] == expected
    assert api.get("/teams/shared").json()["id"] == expected
    assert api.get("/aliases/7001").json()["id"] == (7001 if switched == "id" else 7002)
