# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What others manage: ``ignore`` keeps it out of pruning, of drift and of an export."""

from typing import Any

from acme import ACME, WEB, WWW, ZETA
from blueprints import actions, converge, export, refusal_message, refusal_without_requests


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
    entries: list[dict[str, Any]] = [
        {"name": "legacy"},
        {"name": "web", "previously": ["legacy"]},
        {"name": "web", "previously": ["leg-gone"]},
    ]
    for entry in entries:
        blueprint = {"projects": [{**entry, "team": "acme", "framework": "x"}]}
        message = refusal_without_requests(emulator, blueprint, ignore=["leg*"])
        assert message.endswith("matches a selector of ignore. Remove the entry or the selector.")
    by_id = {"projects": [{"id": "prj_1", "name": "web", "team": "acme"}]}
    message = refusal_message(emulator, by_id, ignore=["leg*"])
    assert "declares the project legacy of acme, which is ignored." in message


def test_an_id_is_no_name_that_ignore_matches(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "web", "team": "acme", "id": "prj_1"}])
    by_id = {"projects": [{"id": "prj_1", "team": "acme"}]}
    assert converge(emulator.base_url, by_id, ignore=["prj_*"])["changed"] is False
    absent = {"projects": [{"id": "prj_1", "team": "acme", "state": "absent"}]}
    runs = [converge(emulator.base_url, absent, ignore=["prj_*"]) for _run in range(2)]
    assert [run["changed"] for run in runs] == [True, False]


def test_a_member_who_has_no_other_name_is_ignored_by_the_user_id(emulator):
    emulator.seed(teams=[ACME])
    blueprint = {"team_members": [{"team": "acme", "user_id": "usr_9"}]}
    message = refusal_without_requests(emulator, blueprint, ignore=["usr_9"])
    assert message.startswith("team_members[0] usr_9 matches a selector of ignore.")
