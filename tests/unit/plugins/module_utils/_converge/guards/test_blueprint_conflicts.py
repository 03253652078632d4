# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is certain to conflict is refused before the first write; a rename that nobody declared is
warned of.
"""

from typing import Any

import pytest
from acme import ACME, ZETA
from blueprints import actions, check_then_converge, converge, converge_or_result, refusal_message

WEB = {"name": "web", "team": "retail", "alias": "web.example.com"}
SHOP = {"name": "shop", "team": "retail", "alias": "shop.example.com"}
RETAIL: dict[str, Any] = {
    "teams": [{"slug": "retail"}],
    "projects": [WEB],
    "aliases": [{"alias": "www.example.com", "project": "web", "team": "retail"}],
}


NAMESAKE = {"name": "new", "alias": "web.example.com"}
NET = {"alias": "www.example.net", "project": "web", "team": "retail"}
ONE = {"name": "one", "team": "retail", "alias": "www.example.net"}
TWICE = "for different objects. Remove it from one of them."
# Beside this platform, there are the project shop of retail, which has an alias, too, and the team
# zeta.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another live project": (
        {"projects": [WEB, {**NAMESAKE, "team": "retail"}]},
        "projects[1] new would take the alias web.example.com from the project web of team retail",
    ),
    "a project that gives up another alias": (
        {
            "projects": [{**WEB, "alias": "new.example.com"}, {"name": "other", "team": "zeta"}],
            "aliases": [{"alias": "www.example.com", "project": "other", "team": "zeta"}],
        },
        "aliases[0] www.example.com would take the alias www.example.com from",
    ),
    # Each waits for the other to give its alias up.
    "projects that would exchange their aliases": (
        {"projects": [{**WEB, "alias": "shop.example.com"}, {**SHOP, "alias": "web.example.com"}]},
        "These steps depend on one another: projects[0] web, projects[1] shop.",
    ),
    # Each run would take it from one of them.
    "declared for two projects": ({"projects": [ONE, {**ONE, "name": "two"}]}, TWICE),
    "declared for a project and as an alias": (
        {"projects": [ONE], "aliases": [{**NET, "alias": "WWW.example.net"}]},
        TWICE,
    ),
    "declared in two teams": (
        {
            "projects": [{"name": "one", "team": "zeta"}],
            "aliases": [NET, {**NET, "project": "one", "team": "zeta"}],
        },
        TWICE,
    ),
}


@pytest.mark.parametrize(("blueprint", "words"), REFUSED.values(), ids=REFUSED)
def test_an_alias_that_something_else_has_or_gets_refuses_the_plan(emulator, blueprint, words):
    emulator.seed(
        **{**RETAIL, "teams": [*RETAIL["teams"], ZETA], "projects": [{**WEB, "id": "prj_1"}, SHOP]}
    )
    message = refusal_message(emulator, blueprint)
    assert words in message


def test_an_alias_that_its_project_gives_up_or_has_already_is_no_conflict(emulator):
    emulator.seed(teams=RETAIL["teams"], projects=[WEB])
    given_up = [{**WEB, "alias": "b.example.com"}, {**WEB, "name": "new"}]
    snapshot = emulator.snapshot()
    for workers, projects in ((1, given_up), (2, given_up[::-1])):
        run = check_then_converge(emulator.base_url, {"projects": projects}, workers=workers)
        assert sorted(actions(run)) == [
            ("projects", "new", "create"),
            ("projects", "web", "update"),
        ]
        emulator.restore(snapshot)
    same = [{**WEB, "alias": "WEB.example.com"}]
    assert actions(converge(emulator.base_url, {"projects": same}, check_mode=True)) == []


def test_an_alias_may_be_declared_by_its_project_and_by_itself(emulator):
    aliases = [{**NET, "alias": "WWW.example.net", "project": "one"}]
    check_then_converge(
        emulator.base_url, {"teams": RETAIL["teams"], "projects": [ONE], "aliases": aliases}
    )


@pytest.mark.parametrize("only", [None, [{"team": "retail"}], [{"name": "new"}]])
def test_object_is_not_both_absent_by_team_id_and_declared_by_team_slug(emulator, only):
    emulator.seed(teams=[{**RETAIL["teams"][0], "id": "team_1"}], projects=[{**WEB, "alias": ""}])
    renamed = {"name": "new", "team": "retail", "previously": ["web"]}
    absent = {"name": "new", "team": "team_1", "state": "absent"}
    message = refusal_message(emulator, {"projects": [renamed, absent]}, only=only)
    assert "projects[1] new: projects[0] new declares the same project." in message


def test_no_alias_is_sent_to_a_name_that_is_the_id_of_another_project(emulator):
    emulator.seed(teams=RETAIL["teams"], projects=[{**WEB, "id": "prj_1"}, {**SHOP, "id": "clean"}])
    renamed = {"id": "prj_1", "name": "clean", "team": "retail"}
    result = converge_or_result(
        emulator.base_url, {"projects": [renamed], "aliases": [{**NET, "project": "prj_1"}]}
    )
    assert "project: clean matches 2 objects" in result["msg"]
    assert emulator.writes == ["PATCH /projects/prj_1"]


def test_a_reference_that_is_the_id_of_one_and_the_name_of_another_is_ambiguous(emulator):
    twins = [{**WEB, "id": "prj_web"}, {**SHOP, "name": "prj_web", "id": "prj_twin"}]
    emulator.seed(teams=RETAIL["teams"], projects=twins)
    result = converge_or_result(emulator.base_url, {"aliases": [{**NET, "project": "prj_web"}]})
    assert "aliases[0] www.example.net: project: prj_web matches 2 objects" in result["msg"]
    assert "Use the id of one of them." in result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize("written", ["b\u00fccher.example.com", "B\u00fccher.Example.com."])
def test_refusal_names_an_alias_as_it_was_written(emulator, written):
    emulator.seed(
        teams=[ACME, ZETA],
        projects=[
            {"name": name, "team": team} for name, team in (("web", "acme"), ("site", "zeta"))
        ],
        aliases=[{"alias": "xn--bcher-kva.example.com", "project": "site", "team": "zeta"}],
    )
    entry = {"alias": written, "project": "web", "team": "acme"}
    message = refusal_message(emulator, {"aliases": [entry]})
    assert f"would take the alias {written} from the project site of team zeta." in message
    own = {"projects": [{"name": "web", "team": "acme", "alias": written}]}
    assert f"would take the alias {written} from the project" in refusal_message(emulator, own)
