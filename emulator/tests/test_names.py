# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms in which names are stored, what they are compared with, and whose aliases are shown and
taken.
"""

import pytest

from support import DEV_EMAIL, Api, assert_refused, under

DECOMPOSED = "Cafe\u0301 "
COMPOSED = "Caf\xe9 "
NAMES = {
    "as_sent": DECOMPOSED,
    "lowercase": "cafe\u0301 ",
    "trimmed": "Cafe\u0301",
    "nfc": COMPOSED,
}
GIVEN_HOST = "WWW.B\xfccher.example.com."
HOSTS = {
    "as_sent": GIVEN_HOST,
    "lowercase": "www.b\xfccher.example.com.",
    "idna": "www.xn--bcher-kva.example.com",
    "unicode": "www.b\xfccher.example.com",
}


@under("name_form")
def test_form_of_names_and_slugs(api: Api, switched: str) -> None:
    stored = NAMES[switched]
    api.new_project("web")
    api.new_team("acme")
    assert api.new_project(DECOMPOSED, alias="A.example.com")["name"] == stored
    assert api.new_team(DECOMPOSED, name=DECOMPOSED)["slug"] == stored
    assert sorted(api.names("/projects")) == sorted([stored, "web"])
    for path, body in (("/projects", {"name": stored}), ("/teams", {"slug": DECOMPOSED})):
        assert_refused(api.post(path, json=body), 409, stored)
    assert_refused(api.patch("/projects/web", json={"name": DECOMPOSED}), 409, stored)
    assert_refused(api.patch("/teams/acme", json={"slug": DECOMPOSED}), 409, stored)
    team = next(team for team in api.control.state()["teams"] if team["slug"] == stored)
    assert team["name"] == DECOMPOSED, "a team's name is no name that addresses it"
    assert "A.example.com" in api.names("/aliases")


@under("host_form")
def test_form_of_aliases(api: Api, switched: str) -> None:
    stored = HOSTS[switched]
    api.new_project("Web", alias="")
    assert api.post("/Web/alias", json={"alias": GIVEN_HOST}).json()["alias"] == stored
    assert api.names("/aliases") == [stored]
    assert_refused(api.post("/projects", json={"name": "new", "alias": GIVEN_HOST}), 409, stored)
    assert api.patch("/projects/Web", json={"alias": GIVEN_HOST}).json()["alias"] == stored
    assert api.post("/Web/alias", json={"alias": GIVEN_HOST}).is_success, "it is there already"
    assert api.names("/aliases") == [stored]


@pytest.mark.parametrize(
    "host", ["{{ 7 * 6 }}.x", "*.x", "_dmarc.x", "\u2603.x", f"{'a' * 64}.x", "xn--a.x", "x..x"]
)
@pytest.mark.parametrize("form", ["idna", "unicode"])
def test_label_without_an_ascii_form_stays(api: Api, form: str, host: str) -> None:
    api.control.switch(host_form=form, malformed_names="taken")
    assert api.new_project("web", alias=host)["alias"] == host


MALFORMED = [
    "https://www.example.com",
    "www.example.com/",
    "www.example.com:443",
    "me@example.com",
    "a#b",
    "a?b",
    "www example.com",
    " www.example.com",
    "www.example.com\n",
    "a\u00a0b",
    "a\u0000b",
    "a\u0085b",
    "a\u009fb",
    "www..example.com",
    ".example.com",
    "example.com..",
    ".",
    "a\u3002.b",
    "\uff0ea",
]
HOSTS_OF_OTHER_FORMS = [
    "localhost",
    "example.com.",
    "*.example.com",
    "_dmarc.x",
    "B\xfccher.x",
    "a\u3002b",
    "-a-.x",
]
NO_EMAILS = [
    "me",
    "@example.com",
    "me@",
    "me@you@example.com",
    "me @example.com",
    "me@example.com\n",
    "@",
]


@under("malformed_names")
@pytest.mark.parametrize("host", MALFORMED)
def test_alias_that_is_no_host_name(api: Api, switched: str, host: str) -> None:
    api.new_project("web", alias="")
    requests = {
        "POST /projects": {"name": "new", "alias": host},
        "PATCH /projects/web": {"alias": host},
    }
    requests["POST /web/alias"] = {"alias": host}
    before = api.control.state()
    for operation, body in requests.items():
        answer = api.ask(operation, json=body)
        if switched == "taken":
            assert answer.is_success
            assert api.delete("/projects/new").status_code in (200, 404)
        else:
            assert_refused(answer, 400, "`alias` is no host name")
    assert (api.control.state() == before) == (switched == "refused")


@pytest.mark.parametrize("host", HOSTS_OF_OTHER_FORMS)
def test_alias_that_is_a_host_name(api: Api, host: str) -> None:
    assert api.new_project("web", alias=host)["alias"] == host
    assert api.patch("/projects/web", json={"alias": ""}).json()["alias"] == ""


@under("malformed_names")
@pytest.mark.parametrize("email", NO_EMAILS)
def test_email_that_is_none(api: Api, switched: str, email: str) -> None:
    api.new_team("acme")
    answers = [
        api.post("/teams/acme/members", json={"email": email, "role": "MEMBER"}),
        api.post("/auth/signin", json={"email": email, "tokenName": "x"}),
    ]
    for answer in answers:
        if switched == "taken":
            assert answer.is_success
        else:
            assert_refused(answer, 400, "`email` is no email address")


def test_name_of_which_nothing_is_left_is_refused(api: Api) -> None:
    api.control.switch(name_form="trimmed", host_form="idna")
    assert_refused(api.post("/projects", json={"name": " "}), 400, "name")
    assert_refused(api.post("/teams", json={"slug": " "}), 400, "slug")
    assert_refused(api.post("/projects", json={"name": "web", "alias": "."}), 400, "alias")
    assert api.new_project("web", alias="")["alias"] == "", "no alias is none"


def test_seeds_are_stored_as_they_are(api: Api) -> None:
    api.control.switch(name_form="lowercase", host_form="lowercase")
    api.control.seed(
        teams=[{"slug": "Acme"}],
        projects=[{"name": "Web", "team": "Acme", "alias": "WWW.example.com"}],
    )
    assert (api.names("/teams"), api.names("/projects", teamId="Acme")) == (["Acme"], ["Web"])
    assert api.names("/aliases", teamId="Acme") == ["WWW.example.com"]


@under("name_comparison")
def test_a_name_means_what_the_switch_says(api: Api, switched: str) -> None:
    """Small letters are the stored form here, which a seeded name does not have."""
    api.control.switch(name_form="lowercase", host_form="lowercase")
    api.control.seed(
        teams=[{"slug": "Acme"}, {"slug": "zeta"}],
        projects=[
            {"name": "Old", "alias": "OLD.example.com"},
            {"name": "web", "alias": "web.example.com"},
        ],
        domains=[{"name": "example.org"}],
    )
    by_stored_form = switched != "exact"
    without_case = switched == "without_case"
    for path, is_found in (
        ("/projects/WEB", by_stored_form),
        ("/projects/old", without_case),
        ("/projects/Old", switched != "stored_form"),
        ("/teams/ZETA", by_stored_form),
        ("/teams/acme", without_case),
        ("/aliases/WEB.example.com", by_stored_form),
        ("/aliases/old.example.com", without_case),
    ):
        assert api.get(path).is_success == is_found, path
    assert api.get("/projects", params={"teamId": "ACME"}).is_success == without_case
    assert api.post("/projects", json={"name": "old"}).is_success != without_case
    assert api.post("/teams", json={"slug": "ACME"}).is_success != without_case
    assert api.post("/web/alias", json={"alias": "Old.example.com"}).json()["alias"] == (
        "OLD.example.com" if without_case else "old.example.com"
    )
    assert api.delete("/domains/Example.org").is_success == by_stored_form


def test_object_may_change_the_case_of_its_own_name(api: Api) -> None:
    api.control.switch(name_comparison="without_case")
    api.new_team("acme")
    api.new_project("web", alias="www.example.com")
    assert api.patch("/teams/acme", json={"slug": "ACME"}).json()["slug"] == "ACME"
    changed = api.patch("/projects/web", json={"name": "Web", "alias": "WWW.example.com"}).json()
    assert (changed["name"], changed["alias"]) == ("Web", "www.example.com"), (
        "the alias is there already"
    )
    assert api.names("/aliases") == ["www.example.com"]


@pytest.mark.parametrize("domain", ["Example.com", "example.com.", "EXAMPLE.COM"])
def test_domain_takes_its_aliases_without_case(api: Api, domain: str) -> None:
    api.control.seed(
        domains=[{"name": domain}],
        projects=[{"name": "web", "alias": "Www.Example.com"}],
        aliases=[
            {"alias": name, "project": "web"}
            for name in ("example.com", "notexample.com", "a.b.EXAMPLE.com.")
        ],
    )
    named = {item["alias"]: item["domain"] for item in api.page("/aliases")[0]}
    assert named.pop("notexample.com") == "notexample.com"
    assert set(named.values()) == {domain}
    assert api.delete(f"/domains/{domain}").status_code == 204
    assert api.names("/aliases") == ["notexample.com"]
    assert api.get("/projects/web").json()["alias"] == ""


@pytest.mark.parametrize(
    "domain", ["b\xfccher.example", "xn--bcher-kva.example", "BU\u0308cher.example"]
)
def test_domain_takes_its_aliases_in_either_form(api: Api, domain: str) -> None:
    hosts = (
        "www.b\xfccher.example",
        "www.xn--bcher-kva.example",
        "xn--bcher-kva.example",
        "bucher.example",
    )
    api.control.seed(
        domains=[{"name": domain}],
        projects=[{"name": "web", "alias": ""}],
        aliases=[{"alias": name, "project": "web"} for name in hosts],
    )
    assert api.delete(f"/domains/{domain}").status_code == 204
    assert api.names("/aliases") == ["bucher.example"]


@pytest.mark.usefixtures("dev")
@under("alias_on_get")
def test_whose_aliases_are_shown_by_their_name(api: Api, switched: str) -> None:
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


def seed_aliases(api: Api) -> None:
    """An alias of a project beside `mine`, of a team of the caller's, of one where they only read,
    and of strangers.
    """
    roles = {"acme": "MEMBER", "readers": "VIEWER", "strangers": None}
    teams = [
        {
            "slug": slug,
            "owner": DEV_EMAIL,
            "members": [{"email": "owner@example.com", "role": role}] if role else [],
        }
        for slug, role in roles.items()
    ]
    projects = [{"name": "web", "alias": f"{slug}.example.com", "team": slug} for slug in roles]
    own = [
        {"name": "mine", "alias": "mine.example.com"},
        {"name": "beside", "alias": "beside.example.com"},
    ]
    api.control.seed(teams=teams, projects=[*projects, *own])


def holders(api: Api) -> dict[str, str]:
    """The project of each alias by its label; a project of the own scope by its name alone."""
    state = api.control.state()
    slugs = {team["id"]: f"{team['slug']}/" for team in state["teams"]}
    names = {
        project["id"]: slugs.get(project["teamId"], "") + project["name"]
        for project in state["projects"]
    }
    teams = {project["id"]: project["teamId"] for project in state["projects"]}
    for kind in ("aliases", "project_domains"):
        held = {item["alias"].partition(".")[0]: names[item["projectId"]] for item in state[kind]}
        assert all(item["teamId"] == teams[item["projectId"]] for item in state[kind])
    return held


BEFORE = {
    "mine": "mine",
    "beside": "beside",
    "acme": "acme/web",
    "readers": "readers/web",
    "strangers": "strangers/web",
}
TAKEN = {"nothing": [], "of_its_scope": ["beside"], "everywhere": ["beside", "acme"]}


@pytest.mark.usefixtures("dev")
@under("assignment_takes")
def test_whose_aliases_an_assignment_takes(api: Api, switched: str) -> None:
    seed_aliases(api)
    taken = TAKEN[switched]
    for label in BEFORE:
        answer = api.post("/mine/alias", json={"alias": f"{label}.example.com"})
        if label in ["mine", *taken]:
            assert answer.json()["alias"] == f"{label}.example.com"
        else:
            assert_refused(answer, 409, f"{label}.example.com")
    assert holders(api) == {**BEFORE, **dict.fromkeys(taken, "mine")}
    assert api.get("/projects/beside").json()["alias"] == (
        "" if "beside" in taken else "beside.example.com"
    )


@pytest.mark.usefixtures("dev")
@under("own_alias_takes")
def test_whose_aliases_a_new_own_alias_takes(api: Api, switched: str) -> None:
    seed_aliases(api)
    taken = TAKEN[switched]
    for label in list(BEFORE)[1:]:
        answer = api.post(
            "/projects", json={"name": f"new {label}", "alias": f"{label}.example.com"}
        )
        if label in taken:
            assert answer.json()["alias"] == f"{label}.example.com"
        else:
            assert_refused(answer, 409, f"{label}.example.com")
    assert holders(api) == {**BEFORE, **{label: f"new {label}" for label in taken}}
    assert api.get("/projects/beside").json()["alias"] == (
        "" if "beside" in taken else "beside.example.com"
    )


@pytest.mark.usefixtures("dev")
def test_changed_own_alias_takes_one_and_drops_its_old_one(api: Api) -> None:
    seed_aliases(api)
    api.control.switch(own_alias_takes="everywhere")
    assert_refused(
        api.patch("/projects/mine", json={"alias": "readers.example.com"}),
        409,
        "readers.example.com",
    )
    assert (
        api.patch("/projects/mine", json={"alias": "acme.example.com"}).json()["alias"]
        == "acme.example.com"
    )
    expected = {**BEFORE, "acme": "mine"}
    del expected["mine"]
    assert holders(api) == expected
