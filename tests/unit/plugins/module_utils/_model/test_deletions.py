# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Right before a deletion, the object is looked at; and what a refused deletion means."""

from contextlib import contextmanager
from itertools import chain, repeat

import pytest
from client import converge_on, make_platform
from stub_server import StubResponse, json_response, list_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team

ACME = {"id": "team_acme", "slug": "acme"}
ZETA = {"id": "team_zeta", "slug": "zeta"}
SHOP = {"id": "prj_1", "name": "shop", "teamId": "team_acme"}
BLOG = {"id": "prj_2", "name": "blog", "teamId": "team_acme"}
WWW = {"id": 1001, "alias": "www.example.com", "projectId": "prj_1", "teamId": "team_acme"}
DOMAIN = {"id": "1", "name": "example.com", "teamId": "team_acme"}
NOTHING = json_response({"code": 404, "message": "not found"}, 404)
DONE = StubResponse(204)
LISTS = ("teams", "projects", "aliases", "domains")


@contextmanager
def service(*shown, deletions=(DONE,), **lists):
    """A service that answers each GET of one object, and each DELETE, with the next of these, and
    then with the last one again; so each list, by its kind.
    """
    defaults = {"teams": [[ACME, ZETA]], "projects": [[SHOP, BLOG]], "aliases": [[WWW]]}
    defaults["domains"] = [[DOMAIN]]
    answers = {kind: endless(states) for kind, states in {**defaults, **lists}.items()}
    gets = endless(shown or [NOTHING])
    deletes = endless(deletions)

    def reply(request):
        path = request.target.split("?")[0].strip("/")
        if request.method == "DELETE":
            return next(deletes)
        if path in LISTS:
            return list_response(**{path: next(answers[path])})
        answer = next(gets)
        return answer if isinstance(answer, StubResponse) else json_response(answer)

    with stub_server(reply) as server:
        yield server


def endless(values):
    return chain(values, repeat(list(values)[-1]))


def sent(server):
    """What was sent but lists."""
    lists = tuple(f"/{kind}?" for kind in LISTS)
    return [
        f"{request.method} {request.target.split('?')[0]}"
        for request in server.requests
        if not request.target.startswith(lists)
    ]


def delete(server, clock, kind=Project, **options):
    given = {"team": "acme", **options} if kind is not Team else options
    return converge_on(make_platform(server.base_url, clock), kind, state="absent", **given)


def message_of(server, clock, **options):
    """Why it was not deleted; None if it was."""
    try:
        delete(server, clock, **options)
    except PlatformError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("shown", "now"),
    [
        ({**SHOP, "name": "storefront"}, "is called storefront"),
        ({**SHOP, "teamId": "team_zeta"}, "is in the team zeta"),
        ({**SHOP, "id": "prj_9"}, "has the id prj_9"),
        (
            {**SHOP, "name": "storefront", "teamId": "team_zeta"},
            "is called storefront and is in the team zeta",
        ),
    ],
)
def test_an_object_that_is_another_one_by_now_is_not_deleted(clock, shown, now):
    with service(shown, ZETA) as server:
        with pytest.raises(PlatformError) as failure:
            delete(server, clock, name="shop")
        assert str(failure.value) == f"The project shop {now} now. Nothing was deleted."
        assert not any(request.method == "DELETE" for request in server.requests)


@pytest.mark.parametrize(
    "shown",
    [
        SHOP,
        {"id": "prj_1"},
        {"name": "shop"},
        {},
        NOTHING,
        *(StubResponse(status) for status in (400, 403, 410, 418)),
    ],
)
def test_an_object_that_is_shown_as_planned_or_not_at_all_is_deleted(clock, shown):
    with service(shown) as server:
        assert delete(server, clock, name="shop")["changed"] is True
        assert sent(server) == ["GET /projects/prj_1", "DELETE /projects/prj_1"]


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_a_get_that_fails_otherwise_lets_nothing_be_deleted(clock, status):
    with service(StubResponse(status)) as server, pytest.raises(ApiError, match=str(status)):
        delete(server, clock, name="shop")
    assert "DELETE /projects/prj_1" not in sent(server)


def test_the_name_is_free_for_a_module_that_was_given_the_id_alone(clock):
    with service({**SHOP, "name": "storefront"}) as server:
        assert delete(server, clock, id="prj_1")["changed"] is True


@pytest.mark.parametrize(("given", "is_free"), [({}, True), ({"project": "shop"}, False)])
def test_the_project_of_an_alias_counts_if_it_was_given(clock, given, is_free):
    with service({**WWW, "projectId": "prj_2"}, BLOG) as server:
        if is_free:
            assert delete(server, clock, Alias, alias="www.example.com")["changed"] is True
            return
        with pytest.raises(PlatformError) as failure:
            delete(server, clock, Alias, alias="www.example.com", **given)
        assert str(failure.value) == (
            "The alias www.example.com belongs to the project blog now. Nothing was deleted."
        )
        assert "DELETE /aliases/1001" not in sent(server)


@pytest.mark.parametrize(
    ("kind", "record", "name", "path"),
    [
        (Team, {"id": "7", "slug": "acme"}, {"slug": "acme"}, "/teams/acme"),
        (Alias, {**WWW, "id": 7}, {"alias": "www.example.com"}, "/aliases/www.example.com"),
        (Alias, {**WWW, "id": 7, "alias": "a."}, {"alias": "a"}, None),
        (Domain, DOMAIN, {"name": "example.com"}, None),
    ],
)
def test_an_object_with_a_short_id_is_asked_for_by_its_name(clock, kind, record, name, path):
    lists = {"teams": [[ACME]], kind.plural: [[record]]}
    with service({}, **lists) as server:
        assert delete(server, clock, kind, **name)["changed"] is True
        assert sent(server)[:-1] == ([f"GET {path}"] if path else [])


@pytest.mark.parametrize("status", [404, 410])
def test_twice_not_found_is_gone_whatever_the_list_shows(clock, status):
    with service(SHOP, StubResponse(status), deletions=[StubResponse(status)]) as server:
        assert delete(server, clock, name="shop")["changed"] is True
        assert sent(server) == [
            "GET /projects/prj_1",
            "DELETE /projects/prj_1",
            "GET /projects/prj_1",
        ]
    assert sum(clock.slept) == 0


@pytest.mark.parametrize(("late", "waited"), [(1, 0), (2, 1), (3, 3), (4, 7)])
def test_else_the_list_decides_which_may_be_late(clock, late, waited):
    lists = [[SHOP]] * late + [[]]
    with service(NOTHING, deletions=[NOTHING], projects=lists) as server:
        result = delete(server, clock, name="shop")
    assert (result["changed"], result["project"]) == (False, {})
    assert result["diff"]["before"] == result["diff"]["after"] == {}
    assert sum(clock.slept) == waited


def test_a_failure_says_that_the_list_still_shows_the_object(clock):
    still_there = r"The list still shows the project shop\.$"
    with (
        service(NOTHING, deletions=[NOTHING]) as server,
        pytest.raises(ApiError, match=still_there),
    ):
        delete(server, clock, name="shop")
    assert sum(clock.slept) == 7


@pytest.mark.parametrize("is_listed", [True, False])
def test_after_any_other_refusal_the_list_decides_once(clock, is_listed):
    refusal = StubResponse(403)
    lists = [[SHOP], [SHOP] if is_listed else []]
    with service(SHOP, deletions=[refusal], projects=lists) as server:
        if is_listed:
            with pytest.raises(ApiError, match="403"):
                delete(server, clock, name="shop")
        else:
            assert delete(server, clock, name="shop")["changed"] is True
        assert sent(server).count("GET /projects/prj_1") == 1
    assert sum(clock.slept) == 0


def test_it_is_a_change_where_a_try_had_no_answer(clock):
    deletions = [b"", NOTHING]
    with service(NOTHING, deletions=deletions, projects=[[SHOP], []]) as server:
        assert delete(server, clock, name="shop")["changed"] is True
        assert sent(server) == ["GET /projects/prj_1", *["DELETE /projects/prj_1"] * 2]


def test_a_domain_that_is_not_found_was_deleted(clock):
    lists = {"domains": [[DOMAIN], []]}
    with service(deletions=[NOTHING], **lists) as server:
        assert delete(server, clock, Domain, name="example.com")["changed"] is True


@pytest.mark.parametrize(
    ("team_id", "message"),
    [
        ("team_zeta", "The project shop is in the team zeta now. Nothing was deleted."),
        ("somebody", None),
        (None, None),
    ],
)
@pytest.mark.parametrize("own_scope", [False, True])
def test_an_object_that_belonged_to_no_team_is_not_deleted_in_a_team(
    clock, own_scope, team_id, message
):
    own = {"id": "prj_1", "name": "shop"}
    with service({**own, "teamId": team_id}, ZETA, projects=[[own]]) as server:
        assert message_of(server, clock, name="shop", team=None, own_scope=own_scope) == message
        assert ("DELETE /projects/prj_1" in sent(server)) is (message is None)


def test_a_loop_says_what_an_object_is_by_now(clock):
    with service(SHOP, {**BLOG, "name": "keep"}, projects=[[SHOP, BLOG], []]) as server:
        platform = make_platform(server.base_url, clock)
        gone = converge_on(platform, Project, name="shop", team="acme", state="absent")
        with pytest.raises(PlatformError, match="called keep now"):
            converge_on(platform, Project, name="blog", team="acme", state="absent")
    assert gone["changed"] is True
    assert sent(server)[-1] == "GET /projects/prj_2"


def test_an_alias_is_deleted_with_a_project_that_is_gone_unless_another_one_has_it(clock):
    lost = {**WWW, "projectId": "prj_9"}
    wanted = {"alias": "www.example.com", "project": "gone"}
    with service(NOTHING, aliases=[[lost]]) as server:
        assert delete(server, clock, Alias, **wanted)["changed"] is True
    with service(NOTHING) as server:
        assert message_of(server, clock, kind=Alias, **wanted) == (
            "project: the alias www.example.com belongs to shop, not to gone. Nothing was deleted."
            " Correct project, or omit it."
        )
