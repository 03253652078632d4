# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is declared or protected is still there after nights of pruning, judged by what the service
stores.
"""

from typing import Any

import pytest
from acme import ACME, MEDIA
from blueprints import converge, converge_or_result, refusal_message, refusal_without_requests
from emulated import ControlledEmulator
from stored_objects import (
    NIGHTS,
    aliases,
    assert_guarded,
    count_reasons,
    projects,
    projects_of_acme,
)


class TestEmptyLists:
    def test_named_kind_of_the_modules_team_is_pruned_and_undeclared(
        self, emulator: ControlledEmulator
    ) -> None:
        emulator.seed(teams=[ACME], projects=projects_of_acme("shop", "blog"))
        drift = converge_or_result(
            emulator.base_url, {"projects": []}, True, team="acme", fail_on_undeclared=True
        )
        assert sorted(item["name"] for item in drift["undeclared"]) == ["blog", "shop"]
        converge(emulator.base_url, {"projects": []}, team="acme", prune=["projects"])
        assert projects(emulator) == {}

    @pytest.mark.parametrize("kind", ["projects", "aliases", "domains"])
    def test_kind_that_is_not_named_is_neither_pruned_nor_undeclared(
        self, emulator: ControlledEmulator, kind: str
    ) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            aliases=[{"alias": "www.example.com", "project": "shop", "team": "acme"}],
            domains=[{"name": "example.org", "team": "acme"}],
        )
        before = emulator.state()
        result = converge(emulator.base_url, {"teams": [ACME]}, prune=[kind])
        assert result["changed"] is False
        assert [item for item in result["undeclared"] if item["kind"] == kind] == []
        assert emulator.state() == before
        warning = (
            f"prune: the blueprint names no {kind}, so none are pruned. To prune all of them,"
            f" write {kind}: []"
        )
        assert [text for text in result["warnings"] if warning in text] != []

    @pytest.mark.parametrize("kind", ["aliases", "domains"])
    def test_empty_list_names_its_kind(self, emulator: ControlledEmulator, kind: str) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            aliases=[{"alias": "www.example.com", "project": "shop", "team": "acme"}],
            domains=[{"name": "example.org", "team": "acme"}],
        )
        blueprint = {"projects": projects_of_acme("shop"), kind: []}
        drift = converge_or_result(emulator.base_url, blueprint, True, fail_on_undeclared=True)
        assert kind in {item["kind"] for item in drift["undeclared"]}
        converge(emulator.base_url, blueprint, prune=[kind])
        left = {"aliases": "www.example.com", "domains": "example.org"}[kind]
        assert left not in [item.get("alias", item.get("name")) for item in emulator.state()[kind]]


class TestSelectorsAreText:
    @pytest.mark.parametrize(
        ("value", "what"),
        [
            (8, "number"),
            (1000, "number"),
            (True, "boolean"),
            ({"name": 8}, "number"),
            ({"team": 7}, "number"),
        ],
    )
    @pytest.mark.parametrize("option", ["protect", "ignore", "only"])
    def test_number_is_refused_before_the_first_request(
        self, emulator: ControlledEmulator, option: str, value: Any, what: str
    ) -> None:
        emulator.seed(teams=[ACME], projects=projects_of_acme("010", "1_000"))
        options: dict[str, Any] = {"prune": ["projects"], option: [value]}
        message = refusal_without_requests(
            emulator, {"projects": projects_of_acme("shop")}, **options
        )
        assert message.startswith(f"{option}[0]")
        assert f"must be text, and is a {what}. Quote it." in message
        assert projects(emulator).keys() == {"010", "1_000"}


class TestCreationsThatFail:
    @pytest.mark.parametrize("fault", ["500", "403"])
    def test_prune_of_the_same_kind_and_scope_waits(
        self, emulator: ControlledEmulator, fault: str
    ) -> None:
        olds = [f"old{number}" for number in range(5)]
        emulator.seed(
            teams=[ACME, MEDIA],
            projects=[*projects_of_acme(*olds, "gone"), {"name": "podcast", "team": "media"}],
        )
        emulator.fault("POST /projects", fault, count=None)
        gone = {"name": "gone", "team": "acme", "state": "absent"}
        blueprint = {"teams": [ACME, MEDIA], "projects": [*projects_of_acme("new0", "new1"), gone]}
        result = converge_or_result(emulator.base_url, blueprint, prune=["projects"])
        assert count_reasons(result)["projects", "skip", "dependency"] == 5
        assert sum(bool(row.get("failed")) for row in result["results"]) == 2
        assert projects(emulator).keys() == set(olds), (
            "absent does not wait, nor does another team's"
        )

    def test_one_of_many_that_fails_holds_all_back(self, emulator: ControlledEmulator) -> None:
        emulator.seed(teams=[ACME], projects=projects_of_acme("old"))
        emulator.fault("POST /projects", "400", skip=2)
        names = [f"new{number}" for number in range(5)]
        options: dict[str, Any] = {"prune": ["projects"], "workers": 1}
        result = converge_or_result(
            emulator.base_url, {"projects": projects_of_acme(*names)}, **options
        )
        assert result["results"][-1]["reason"] == "dependency"
        assert "old" in projects(emulator)
        converge(emulator.base_url, {"projects": projects_of_acme(*names)}, **options)
        assert projects(emulator).keys() == set(names), "the next night makes up for it"

    def test_pruned_domain_does_not_take_along_an_alias_that_waits(
        self, emulator: ControlledEmulator
    ) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            domains=[{"name": "example.com", "team": "acme"}],
            aliases=[{"alias": "old.example.com", "project": "shop", "team": "acme"}],
        )
        emulator.fault("POST /{projectName}/alias", "400")
        new = {"alias": "new.example.org", "project": "shop", "team": "acme"}
        blueprint = {"projects": projects_of_acme("shop"), "aliases": [new], "domains": []}
        result = converge_or_result(emulator.base_url, blueprint, prune=["aliases", "domains"])
        assert [row["reason"] for row in result["results"][-2:]] == ["dependency", "dependency"]
        assert "old.example.com" in aliases(emulator)
        assert len(emulator.state()["domains"]) == 1


class TestProtectedProjects:
    @pytest.fixture
    def acme(self, emulator: ControlledEmulator) -> ControlledEmulator:
        """An undeclared project that is protected, with an own alias and another."""
        prod = {**projects_of_acme("prod-shop")[0], "alias": "own.prod-shop.example"}
        www = {"alias": "www.prod-shop.example", "project": "prod-shop", "team": "acme"}
        emulator.seed(teams=[ACME], projects=[*projects_of_acme("shop"), prod], aliases=[www])
        return emulator

    def test_its_aliases_are_kept_with_it(self, acme: ControlledEmulator) -> None:
        before = acme.state()
        blueprint = {"projects": projects_of_acme("shop"), "aliases": []}
        options: dict[str, Any] = {"prune": ["projects", "aliases"], "protect": ["prod-*"]}
        for _night in range(NIGHTS):
            result = converge(acme.base_url, blueprint, **options)
            assert result["changed"] is False
            kept = [row for row in result["results"] if row["reason"] == "protected"]
            assert {row["name"] for row in kept} >= {"prod-shop", "www.prod-shop.example"}
        assert acme.state() == before

    def test_no_other_project_gets_one_and_no_domain_takes_one_along(
        self, acme: ControlledEmulator
    ) -> None:
        acme.seed(domains=[{"name": "prod-shop.example", "team": "acme"}])
        taken = {"alias": "www.prod-shop.example", "project": "shop", "team": "acme"}
        gone = {"name": "prod-shop.example", "team": "acme", "state": "absent"}
        for blueprint in ({"aliases": [taken]}, {"domains": [gone]}):
            result = converge_or_result(acme.base_url, blueprint, protect=["prod-*"])
            assert_guarded(result, "protect", "www.prod-shop.example")
        assert acme.writes == []

    def test_entry_may_want_one_absent(self, acme: ControlledEmulator) -> None:
        absent = {"alias": "www.prod-shop.example", "team": "acme", "state": "absent"}
        converge(acme.base_url, {"aliases": [absent]}, protect=["prod-*"])
        assert "www.prod-shop.example" not in aliases(acme)
        changed = {**projects_of_acme("prod-shop")[0], "alias": "new.prod-shop.example"}
        converge(acme.base_url, {"projects": [changed]}, protect=["prod-*"])
        assert "own.prod-shop.example" not in aliases(acme)


class TestEarlierNames:
    def test_misspelled_one_is_named_with_what_is_near(self, emulator: ControlledEmulator) -> None:
        emulator.seed(teams=[ACME], projects=projects_of_acme("long"))
        blueprint = {"projects": [{"name": "longer", "team": "acme", "previously": ["lnog"]}]}
        for is_check in (True, False):
            result = converge(emulator.base_url, blueprint, is_check)
            assert [
                text
                for text in result["warnings"]
                if "previously: lnog matches nothing. Did you mean long?" in text
            ]

    def test_one_of_a_slug_is_no_team_of_the_run(self, emulator: ControlledEmulator) -> None:
        """Else the first run would rename it and prune nothing, and the second would prune."""
        emulator.seed(teams=[{"slug": "bbb"}], projects=[{"name": "old", "team": "bbb"}])
        blueprint = {"teams": [{"slug": "aaa", "previously": ["bbb"]}], "projects": []}
        assert "bbb" in refusal_message(emulator, blueprint, prune=["projects"], team="bbb")


class TestOtherScopes:
    def test_absent_alias_of_the_own_scope_hides_none_of_a_team(
        self, emulator: ControlledEmulator
    ) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            aliases=[{"alias": "www.example.com", "project": "shop", "team": "acme"}],
        )
        absent = {"alias": "www.example.com", "own_scope": True, "state": "absent"}
        blueprint = {"projects": projects_of_acme("shop"), "aliases": [absent]}
        check = converge(emulator.base_url, blueprint, check_mode=True)
        assert "www.example.com" in [item["name"] for item in check["undeclared"]]
        converge(emulator.base_url, blueprint, prune=["aliases"])
        assert "www.example.com" not in aliases(emulator)

    @pytest.mark.parametrize("prune", [[], ["projects", "aliases"]])
    def test_own_object_is_told_from_one_of_a_team_in_the_own_list(
        self, emulator: ControlledEmulator, prune: list[str]
    ) -> None:
        """The second run of a blueprint that made both, with an alias of each."""
        emulator.switch(lists_span_teams=True, personal_team_id="unset")
        own = {"own_scope": True}
        blueprint = {
            "teams": [ACME],
            "projects": [*projects_of_acme("web"), {"name": "web", **own}],
            "aliases": [
                {"alias": "acme.example.com", "project": "web", "team": "acme"},
                {"alias": "own.example.com", "project": "web", **own},
            ],
        }
        assert converge(emulator.base_url, blueprint, prune=prune)["summary"]["create"] == 5
        made = emulator.state()
        for _night in range(1, NIGHTS):
            assert converge(emulator.base_url, blueprint, prune=prune)["changed"] is False
        assert emulator.state() == made
        holders = {alias["alias"]: alias["teamId"] for alias in made["aliases"]}
        assert holders["own.example.com"] != holders["acme.example.com"] == made["teams"][0]["id"]
