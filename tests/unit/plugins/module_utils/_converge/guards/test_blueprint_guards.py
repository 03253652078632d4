# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Guards on every route by which an object can be deleted: refused before the first write, by name,
with the plan.
"""

from typing import Any

import pytest
from acme import ACME, WEB, WWW
from blueprints import check_then_converge, converge, converge_or_result, refusal_message

KEEP = {"name": "keep", "team": "acme"}
DOMAIN = {"name": "example.com", "team": "acme"}
PLATFORM: dict[str, Any] = {
    "teams": [ACME],
    "projects": [WEB, KEEP],
    "domains": [DOMAIN],
    "aliases": [WWW],
}
GONE = {"state": "absent"}

# The route, the blueprint and the options that take it, and what is deleted by it.
ROUTES: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "a pruned project": ({"projects": [KEEP]}, {"prune": ["projects"]}, ["web", "www.example.com"]),
    "a pruned alias": (
        {"teams": [ACME], "aliases": []},
        {"prune": ["aliases"]},
        ["www.example.com"],
    ),
    "a pruned domain": (
        {"teams": [ACME], "domains": []},
        {"prune": ["domains"]},
        ["example.com", "www.example.com"],
    ),
    "an absent team": (
        {"teams": [{**ACME, **GONE}]},
        {},
        ["acme", "web", "keep", "example.com", "www.example.com"],
    ),
    "an absent project": ({"projects": [{**WEB, **GONE}]}, {}, ["web", "www.example.com"]),
    "an absent domain": ({"domains": [{**DOMAIN, **GONE}]}, {}, ["example.com", "www.example.com"]),
    "an absent alias": (
        {"aliases": [{"alias": "www.example.com", "team": "acme", **GONE}]},
        {},
        ["www.example.com"],
    ),
}
DELETIONS: list[tuple[str, str]] = []
for each_route, (_blueprint, _options, each_deleted) in ROUTES.items():
    DELETIONS += [(each_route, name) for name in each_deleted]
EACH_DELETION = pytest.mark.parametrize(("route", "name"), DELETIONS)
EACH_ROUTE = pytest.mark.parametrize("route", ROUTES)
PRUNED_ALONE = {
    ("a pruned project", "web"),
    ("a pruned alias", "www.example.com"),
    ("a pruned domain", "example.com"),
}


def refused(emulator: Any, route: str, **options: Any) -> str:
    """The message of a refusal that shows the plan as it would be without these options."""
    blueprint, given, _deleted = ROUTES[route]
    plan = converge(emulator.base_url, blueprint, check_mode=True, **given)
    message = refusal_message(emulator, blueprint, **given, **options)
    for check_mode in (True, False):
        result = converge_or_result(emulator.base_url, blueprint, check_mode, **given, **options)
        for key in ("results", "undeclared"):
            unmarked = [
                [{**row, "protected": None} for row in shown[key]] for shown in (result, plan)
            ]
            assert unmarked[0] == unmarked[1]
        assert result["summary"]["delete"] == plan["summary"]["delete"]
        assert (result["steps"], result["changed"]) == (plan["steps"], False)
    return message


@EACH_DELETION
def test_protect_refuses_every_kind_of_deletion(emulator, route, name):
    emulator.seed(**PLATFORM)
    if (route, name) in PRUNED_ALONE:
        blueprint, given, _deleted = ROUTES[route]
        result = check_then_converge(emulator.base_url, blueprint, **given, protect=[name])
        rows = [
            (entry["name"], entry["action"], entry["reason"], entry["step"])
            for entry in result["results"]
        ]
        assert (name, "skip", "protected", None) in rows
        assert [row["protected"] for row in result["undeclared"] if row["name"] == name] == [True]
        assert emulator.writes == []
    else:
        message = refused(emulator, route, protect=[name])
        assert message.startswith("protect: ")
        assert name in message


@EACH_ROUTE
def test_cascades_count_against_limits(emulator, route):
    emulator.seed(**PLATFORM)
    blueprint, given, deleted = ROUTES[route]
    own = [
        alias["alias"]
        for alias in emulator.state()["aliases"]
        if alias["alias"] != "www.example.com"
    ]
    message = refused(emulator, route, limits={"delete": 0})
    assert message.startswith("limits.delete: ")
    assert all(name in message for name in deleted)
    count = int(message.split()[1])
    assert len(deleted) <= count <= len(deleted) + len(own)
    refused(emulator, route, limits={"delete": count - 1})
    allowed = check_then_converge(emulator.base_url, blueprint, **given, limits={"delete": count})
    assert allowed["summary"]["delete"] > 0


@EACH_ROUTE
def test_a_deletion_that_was_not_approved_is_refused(emulator, route):
    emulator.seed(**PLATFORM)
    assert refused(emulator, route, approved=[]).startswith("approved: ")


EMAILS = ["one@example.com", "two@example.com"]
LIMITED: dict[str, tuple[int, str, list[str]]] = {
    "create": (1, "limits.create: 2 would be", ["project one of acme", "project two of acme"]),
    "update": (0, "limits.update: 1 would be", ["project web of acme"]),
    "invite": (
        1,
        "limits.invite: 2 would be invited, but the limit is 1:",
        [f"team member {email} of acme" for email in EMAILS],
    ),
}


@pytest.mark.parametrize("action", LIMITED)
def test_creations_changes_and_invitations_have_limits_too(emulator, action):
    emulator.seed(**PLATFORM)
    most, words, named = LIMITED[action]
    projects = [{"name": "web", "framework": "astro"}, {"name": "one"}, {"name": "two"}]
    blueprint = {
        "team_members": [{"team": "acme", "email": email, "role": "VIEWER"} for email in EMAILS],
        "projects": [{**project, "team": "acme"} for project in projects],
    }
    message = refusal_message(emulator, blueprint, invite=True, limits={action: most})
    assert [word for word in (words, *named) if word not in message] == []
    for check_mode in (True, False):
        result = converge(
            emulator.base_url, blueprint, check_mode, invite=True, limits={action: most + 1}
        )
        assert result["summary"][action] == most + 1


def test_every_guard_says_what_it_refuses_at_once(emulator):
    emulator.seed(**PLATFORM)
    guards: dict[str, Any] = {
        "protect": ["www.*"],
        "limits": {"delete": 0, "create": 0},
        "approved": [],
    }
    blueprint = {"projects": [KEEP, {"name": "new", "team": "acme"}]}
    lines = refusal_message(emulator, blueprint, prune=["projects"], **guards).split("\n")
    assert [line.split(":")[0] for line in lines] == [
        "protect",
        "limits.create",
        "limits.delete",
        "approved",
    ]


@pytest.mark.parametrize(
    ("blueprint", "protect", "message"),
    [
        (
            {"teams": [{**ACME, **GONE}]},
            ["www.*", {"kind": "projects", "name": "w*"}],
            "deleting the team acme would also delete the project web, which is protected by"
            ' {"kind": "projects", "name": "w*"}. Keep the team acme as it is, or change the'
            " selector first.",
        ),
        (
            {"domains": [{**DOMAIN, **GONE}]},
            ["web"],
            "deleting the domain example.com of acme would also delete the alias www.example.com,"
            " which is protected with the project web of acme, by web. Keep the domain example.com"
            " as it is, or change the selector first.",
        ),
        (
            {"projects": [{**WEB, **GONE}]},
            ["w*"],
            "projects[0] web is protected by w*, but would be deleted. Remove the entry, or change"
            " the selector first.",
        ),
    ],
)
def test_protection_says_by_what_and_what_to_do_first(emulator, blueprint, protect, message):
    emulator.seed(**PLATFORM)
    assert message in refusal_message(emulator, blueprint, protect=protect)


def test_a_space_at_the_end_of_a_name_is_seen(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "web ", "team": "acme"}])
    guards = {"protect": [{"kind": "projects"}], "approved": []}
    message = refusal_message(emulator, {"teams": [{**ACME, **GONE}]}, **guards)
    assert 'would also delete the project "web ", which' in message
    assert ', with project "web ", ' in message


def test_a_team_that_is_renamed_is_protected_by_its_new_slug(emulator):
    emulator.seed(**PLATFORM)
    blueprint = {"teams": [{"slug": "apex", "previously": ["acme"]}], "projects": [], "aliases": []}
    options: dict[str, Any] = {"prune": ["projects", "aliases"], "protect": [{"team": "apex"}]}
    for changed in (True, False):
        result = converge(emulator.base_url, blueprint, **options)
        assert (result["changed"], result["summary"]["skip"]) == (changed, 3)


PROJECTS_OF_ACME = {"kind": "projects", "team": "acme"}


@pytest.mark.parametrize(
    "protect", [[{"team": "acme"}], [PROJECTS_OF_ACME], ["a*", PROJECTS_OF_ACME]]
)
def test_a_team_is_not_renamed_out_of_the_reach_of_what_protects_it(emulator, protect):
    emulator.seed(**PLATFORM)
    blueprint = {"teams": [{"slug": "apex", "previously": ["acme"]}]}
    assert refusal_message(emulator, blueprint, protect=protect).startswith(
        "protect: teams[0] apex: "
    )
    both = [*protect, {**PROJECTS_OF_ACME, "team": "apex"}, {"team": "apex"}]
    assert converge(emulator.base_url, blueprint, protect=both)["summary"]["update"] == 1


DOMAIN_TAKES_IT = "deleting the domain example.com of acme would also delete "
# The alias that a project declares as its own, what would take it, and how the refusal begins.
TAKEN: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "an absent alias": (
        "own.example.com",
        # Where both name the team alike, the entries contradict each other before the first
        # request.
        {"aliases": [{"alias": "OWN.example.com", "team": "team_acme", **GONE}]},
        {},
        "aliases[0] OWN.example.com would be deleted, but projects[0] web declares it.",
    ),
    "an absent domain": ("own.example.com", {"domains": [{**DOMAIN, **GONE}]}, {}, DOMAIN_TAKES_IT),
    "a pruned domain": (
        "own.example.com",
        {"domains": []},
        {"prune": ["domains"]},
        DOMAIN_TAKES_IT,
    ),
}


@pytest.mark.parametrize(("alias", "more", "options", "words"), TAKEN.values(), ids=TAKEN)
def test_the_alias_that_a_project_declares_as_its_own_is_not_deleted(
    emulator, alias, more, options, words
):
    """Else it would be deleted in this run, and wanted in the next."""
    teams = [{**ACME, "id": "team_acme"}]
    emulator.seed(
        **{**PLATFORM, "teams": teams, "projects": [{**WEB, "alias": "own.example.com"}, KEEP]}
    )
    blueprint = {"projects": [{"name": "web", "team": "acme", "alias": alias}, KEEP], **more}
    message = refusal_message(emulator, blueprint, **options)
    assert message.startswith(words)
    assert "projects[0] web" in message
