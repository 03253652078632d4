# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that a service stores or shows otherwise: what is declared is made once, and is still there
after nights.
"""

import pytest
from acme import ACME, MEDIA
from blueprints import converge, converge_or_result
from emulated import ControlledEmulator
from stored_objects import NIGHTS, aliases, assert_guarded, projects, projects_of_acme

# The declared name, and the name that the service stores.
STORED_NAMES = {
    "lowercase": ("Shop", "shop"),
    "trimmed": ("shop ", "shop"),
    "nfc": ("cafe\u0301", "caf\xe9"),
}
UNICODE = "b\xfccher.example.com"
ASCII = "xn--bcher-kva.example.com"
each_comparison = pytest.mark.parametrize("comparison", ["exact", "stored_form", "without_case"])
each_form = pytest.mark.parametrize("form", STORED_NAMES)


class TestNamesThatTheServiceStoresOtherwise:
    @each_comparison
    @each_form
    def test_look_alike_is_refused_in_each_night_after_the_first(
        self, emulator: ControlledEmulator, form: str, comparison: str
    ) -> None:
        declared, stored = STORED_NAMES[form]
        emulator.seed(teams=[ACME], projects=projects_of_acme("blog", "old"))
        emulator.switch(name_form=form, name_comparison=comparison)
        blueprint = {"teams": [ACME], "projects": projects_of_acme(declared, "blog")}
        first = converge_or_result(emulator.base_url, blueprint, prune=["projects"])
        row = first["results"][1]
        assert (row["action"], row.get("failed")) == ("create", True)
        assert stored in row["msg"]
        assert first["results"][-1]["reason"] == "dependency", (
            "what is pruned waits for what was created otherwise"
        )
        made = projects(emulator)
        assert made.keys() == {stored, "blog", "old"}
        for _night in range(1, NIGHTS):
            emulator.forget_requests()
            for is_check in (True, False):
                result = converge_or_result(
                    emulator.base_url, blueprint, is_check, prune=["projects"]
                )
                assert_guarded(result, "blueprint", stored)
            assert emulator.writes == []
        assert projects(emulator) == made
        stored_names = {"teams": [ACME], "projects": projects_of_acme(stored, "blog")}
        assert converge(emulator.base_url, stored_names)["changed"] is False, (
            "the name as it is stored is right"
        )

    @each_form
    def test_steps_that_are_left_are_those_of_a_new_plan(
        self, emulator: ControlledEmulator, form: str
    ) -> None:
        """The creation, though an object was made, and what needs it."""
        declared, _stored = STORED_NAMES[form]
        emulator.seed(teams=[ACME])
        emulator.switch(name_form=form)
        alias = {"alias": "www.example.com", "project": declared, "team": "acme"}
        blueprint = {"projects": projects_of_acme(declared), "aliases": [alias]}
        run = converge_or_result(emulator.base_url, blueprint)
        assert len(run["steps"]) == 2
        planned = converge_or_result(emulator.base_url, blueprint, check_mode=True)
        assert planned["steps"] == run["steps"]

    @each_comparison
    @each_form
    def test_rename_to_what_is_stored_otherwise(
        self, emulator: ControlledEmulator, form: str, comparison: str
    ) -> None:
        declared, stored = STORED_NAMES[form]
        emulator.seed(teams=[ACME], projects=projects_of_acme("web", "old"))
        emulator.switch(name_form=form, name_comparison=comparison)
        blueprint = {"projects": [{**projects_of_acme(declared)[0], "previously": ["web"]}]}
        first = converge_or_result(emulator.base_url, blueprint, prune=["projects"])
        assert (first["results"][0]["action"], first["results"][0].get("failed")) == (
            "update",
            True,
        )
        renamed = projects(emulator)
        assert renamed.keys() == {stored, "old"}
        for _night in range(1, NIGHTS):
            emulator.forget_requests()
            assert_guarded(
                converge_or_result(emulator.base_url, blueprint, prune=["projects"]),
                "blueprint",
                stored,
            )
            assert emulator.writes == []
        assert projects(emulator) == renamed

    @each_form
    def test_slug_of_a_team(self, emulator: ControlledEmulator, form: str) -> None:
        declared, stored = STORED_NAMES[form]
        emulator.switch(name_form=form)
        blueprint = {"teams": [{"slug": declared}], "projects": [{"name": "web", "team": declared}]}
        first = converge_or_result(emulator.base_url, blueprint, prune=["projects"])
        assert first["results"][0].get("failed") is True
        made = emulator.state()
        assert [team["slug"] for team in made["teams"]] == [stored]
        for _night in range(1, NIGHTS):
            assert_guarded(
                converge_or_result(emulator.base_url, blueprint, prune=["projects"]),
                "blueprint",
                stored,
            )
        assert emulator.state() == made

    @each_form
    def test_both_entries_and_an_earlier_name_are_taken_at_their_word(
        self, emulator: ControlledEmulator, form: str
    ) -> None:
        """A service that stores what it is sent: nothing is a look-alike that is declared, or
        renamed.
        """
        declared, stored = STORED_NAMES[form]
        emulator.seed(teams=[ACME], projects=projects_of_acme(stored))
        both = {"projects": projects_of_acme(declared, stored)}
        assert_guarded(
            converge_or_result(emulator.base_url, {"projects": projects_of_acme(declared)}, True),
            "blueprint",
            stored,
        )
        renaming = {"projects": [{**projects_of_acme(declared)[0], "previously": [stored]}]}
        assert converge(emulator.base_url, renaming, check_mode=True)["summary"]["update"] == 1
        assert converge(emulator.base_url, both)["summary"]["create"] == 1
        assert converge(emulator.base_url, both, prune=["projects"])["changed"] is False

    def test_look_alike_of_another_scope_is_none(self, emulator: ControlledEmulator) -> None:
        emulator.seed(
            teams=[ACME, MEDIA], projects=[{"name": "shop", "team": "media"}, {"name": "shop"}]
        )
        assert (
            converge(emulator.base_url, {"projects": projects_of_acme("Shop")})["summary"]["create"]
            == 1
        )


class TestHostNames:
    @each_comparison
    @pytest.mark.parametrize(
        ("declared", "live"), [(UNICODE, ASCII), (ASCII, UNICODE), (UNICODE.upper(), ASCII)]
    )
    def test_alias_is_the_same_in_either_form(
        self, emulator: ControlledEmulator, declared: str, live: str, comparison: str
    ) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            aliases=[{"alias": live, "project": "shop", "team": "acme"}],
        )
        emulator.switch(name_comparison=comparison, host_form="idna")
        before = emulator.state()
        blueprint = {
            "projects": projects_of_acme("shop"),
            "aliases": [{"alias": declared, "project": "shop", "team": "acme"}],
        }
        for _night in range(NIGHTS):
            result = converge(
                emulator.base_url, blueprint, prune=["aliases"], fail_on_undeclared=True
            )
            assert result["changed"] is False
        assert emulator.state() == before
        assert emulator.writes == []

    @each_comparison
    @pytest.mark.parametrize("form", ["as_sent", "lowercase", "idna", "unicode"])
    @pytest.mark.parametrize("declared", [UNICODE, ASCII, "WWW.Example.com."])
    def test_alias_is_made_once_however_it_is_stored(
        self, emulator: ControlledEmulator, declared: str, form: str, comparison: str
    ) -> None:
        emulator.seed(
            teams=[ACME],
            projects=[{**project, "alias": ""} for project in projects_of_acme("shop")],
        )
        emulator.switch(host_form=form, name_comparison=comparison)
        blueprint = {
            "projects": projects_of_acme("shop"),
            "aliases": [{"alias": declared, "project": "shop", "team": "acme"}],
        }
        assert converge(emulator.base_url, blueprint, prune=["aliases"])["summary"]["create"] == 1
        made = aliases(emulator)
        assert len(made) == 1
        for _night in range(1, NIGHTS):
            assert converge(emulator.base_url, blueprint, prune=["aliases"])["changed"] is False
        assert aliases(emulator) == made

    @pytest.mark.parametrize(("declared", "live"), [(UNICODE, ASCII), (ASCII, UNICODE)])
    def test_absent_alias_and_domain_are_found_in_either_form(
        self, emulator: ControlledEmulator, declared: str, live: str
    ) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            domains=[{"name": live, "team": "acme"}],
            aliases=[{"alias": f"www.{live}", "project": "shop", "team": "acme"}],
        )
        gone = {"team": "acme", "state": "absent"}
        assert (
            converge(emulator.base_url, {"aliases": [{"alias": f"www.{declared}", **gone}]})[
                "changed"
            ]
            is True
        )
        assert f"www.{live}" not in aliases(emulator)
        assert (
            converge(emulator.base_url, {"domains": [{"name": declared, **gone}]})["changed"]
            is True
        )
        assert emulator.state()["domains"] == []

    def test_protected_pattern_holds_both_forms(self, emulator: ControlledEmulator) -> None:
        emulator.seed(
            teams=[ACME],
            projects=projects_of_acme("shop"),
            aliases=[{"alias": ASCII, "project": "shop", "team": "acme"}],
        )
        blueprint = {"projects": projects_of_acme("shop"), "aliases": []}
        converge(emulator.base_url, blueprint, prune=["aliases"], protect=["b\xfc*.example.com"])
        assert ASCII in aliases(emulator)
