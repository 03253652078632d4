# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms in which names are stored, what they are compared with, and names that are taken."""

import pytest

from support import Api, assert_refused, under

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


@under("duplicate_names")
def test_duplicate_names(api: Api, switched: int | str) -> None:
    team = api.new_team("acme")
    first = api.new_project("web")
    api.new_team("other")
    api.new_project("shop")
    assert api.new_project("web", teamId=team["id"])["name"] == "web", (
        "another scope has names of its own"
    )
    assert api.get("/projects/web").json() == first, "the own scope comes before teams"
    refusal = 409 if switched == "allowed" else int(switched)
    before = api.control.state()
    for path, body in (
        ("/teams/other", {"slug": "acme"}),
        ("/projects/shop", {"alias": first["alias"]}),
    ):
        (taken,) = body.values()
        assert_refused(api.patch(path, json=body), refusal, taken)
        assert_refused(
            api.post(path.rpartition("/")[0], json={"name": "new", **body}), refusal, taken
        )
    assert api.control.state() == before
    renamed = api.patch("/projects/shop", json={"name": "web", "framework": "vite"})
    answer = api.post("/projects", json={"name": "web"})
    if switched == "allowed":
        assert renamed.json()["framework"] == "vite"
        assert answer.json()["id"] != first["id"]
        assert api.get("/projects/web").json() == answer.json(), (
            "of equal names the newest is meant"
        )
    else:
        assert_refused(renamed, refusal, "web")
        assert_refused(answer, refusal, "web")
        assert api.control.state() == before
