# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Guards on every route by which an object can be deleted: refused before the first write, by name, with the plan."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import actions, converge, converge_or_fail

from ansible_collections.hosting.platform.plugins.module_utils._kinds.registry import KINDS

ACME, WEB, KEEP = {"slug": "acme"}, {"name": "web", "team": "acme"}, {"name": "keep", "team": "acme"}
DOMAIN = {"name": "example.com", "team": "acme"}
WWW = {"alias": "www.example.com", "team": "acme"}
PLATFORM: dict[str, Any] = {
    "teams": [ACME],
    "projects": [WEB, KEEP],
    "domains": [DOMAIN],
    "aliases": [{**WWW, "project": "web"}],
}
GONE = {"state": "absent"}

# The route, the blueprint and the options that take it, and what is deleted by it.
ROUTES: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "a pruned project": ({"projects": [KEEP]}, {"prune": ["projects"]}, ["web", "www.example.com"]),
    "a pruned alias": ({"teams": [ACME]}, {"prune": ["aliases"]}, ["www.example.com"]),
    "a pruned domain": ({"teams": [ACME]}, {"prune": ["domains"]}, ["example.com", "www.example.com"]),
    "an absent team": (
        {"teams": [{**ACME, **GONE}]},
        {},
        ["acme", "web", "keep", "example.com", "www.example.com"],
    ),
    "an absent project": ({"projects": [{**WEB, **GONE}]}, {}, ["web", "www.example.com"]),
    "an absent domain": ({"domains": [{**DOMAIN, **GONE}]}, {}, ["example.com", "www.example.com"]),
    "an absent alias": ({"aliases": [{**WWW, **GONE}]}, {}, ["www.example.com"]),
}
EACH_DELETION = pytest.mark.parametrize(
    ("route", "name"), [(route, name) for route, (_b, _o, deleted) in ROUTES.items() for name in deleted]
)
EACH_ROUTE = pytest.mark.parametrize("route", ROUTES)
IN_BOTH_MODES = pytest.mark.parametrize("check_mode", [True, False], ids=["check", "run"])
PRUNED_ALONE = {("a pruned project", "web"), ("a pruned alias", "www.example.com"), ("a pruned domain", "example.com")}


def refused(emulator: Any, route: str, check_mode: bool, **options: Any) -> dict[str, Any]:
    blueprint, given, _deleted = ROUTES[route]
    plan = converge(emulator.base_url, blueprint, check_mode=True, **given)
    result = converge_or_fail(emulator.base_url, blueprint, check_mode, **given, **options)
    assert emulator.writes == []
    assert result["msg"].endswith("Nothing was written.")
    for key in ("results", "undeclared"):
        assert [{**row, "protected": None} for row in result[key]] == [{**row, "protected": None} for row in plan[key]]
    assert result["summary"]["delete"] == plan["summary"]["delete"]
    assert result["steps"] == plan["steps"]
    assert result["changed"] is False
    return result


@IN_BOTH_MODES
@EACH_DELETION
def test_what_is_protected_is_deleted_by_no_route(emulator, route, name, check_mode):
    emulator.seed(**PLATFORM)
    if (route, name) in PRUNED_ALONE:
        blueprint, given, _deleted = ROUTES[route]
        result = converge(emulator.base_url, blueprint, check_mode, **given, protect=[name])
        rows = [(entry["name"], entry["action"], entry["reason"], entry["step"]) for entry in result["results"]]
        assert (name, "skip", "protected", None) in rows
        assert [row["protected"] for row in result["undeclared"] if row["name"] == name] in ([], [True])
        assert emulator.writes == []
    else:
        result = refused(emulator, route, check_mode, protect=[name])
        assert result["msg"].startswith("protect: ")
        assert name in result["msg"]


def selectors_of(kind: str, name: str) -> list[Any]:
    """Selectors of all forms that match an object."""
    pattern = f"{name[:2]}*{name[-1]}"
    team = {"team": "ac*"}
    return [
        name,
        pattern,
        {"name": name},
        {"kind": kind, **team},
        {"kind": [kind, "team_members"], "name": pattern, **team},
    ]


@pytest.mark.parametrize("option", ["protect", "ignore"])
@EACH_DELETION
def test_no_route_leads_to_what_a_selector_of_any_form_protects_or_ignores(emulator, route, name, option):
    blueprint, given, _deleted = ROUTES[route]
    emulator.seed(**PLATFORM)

    def stored() -> list[tuple[str, Any]]:
        items = ((kind, item) for kind in PLATFORM for item in emulator.state()[kind])
        return [(kind, item) for kind, item in items if item[KINDS[kind].name_field] == name]

    ((kind, _item),) = before = stored()
    start = emulator.snapshot()
    for selector in selectors_of(kind, name):
        converge_or_fail(emulator.base_url, blueprint, **{**given, option: [selector]})
        assert stored() == before, selector
    emulator.restore(start)
    converge(emulator.base_url, blueprint, **given)
    assert stored() == [], "the route leads nowhere"


@EACH_ROUTE
@IN_BOTH_MODES
def test_everything_that_goes_counts_against_the_limit(emulator, route, check_mode):
    emulator.seed(**PLATFORM)
    deleted = ROUTES[route][2]
    own = [alias["alias"] for alias in emulator.state()["aliases"] if alias["alias"] != "www.example.com"]
    result = refused(emulator, route, check_mode, limits={"delete": 0})
    assert result["msg"].startswith("limits: ")
    assert all(name in result["msg"] for name in deleted)
    count = int(result["msg"].split()[1])
    assert len(deleted) <= count <= len(deleted) + len(own)
    blueprint, given, _deleted = ROUTES[route]
    refused(emulator, route, check_mode, limits={"delete": count - 1})
    allowed = converge(emulator.base_url, blueprint, check_mode, **given, limits={"delete": count})
    assert allowed["summary"]["delete"] > 0


@EACH_ROUTE
@IN_BOTH_MODES
def test_a_deletion_that_was_not_approved_is_refused(emulator, route, check_mode):
    emulator.seed(**PLATFORM)
    result = refused(emulator, route, check_mode, approved=[])
    assert result["msg"].startswith("approved: ")
    assert result["steps"]


@IN_BOTH_MODES
@pytest.mark.parametrize(("action", "most", "names"), [("create", 1, ["one", "two"]), ("update", 0, ["web"])])
def test_creations_and_changes_have_limits_too(emulator, action, most, names, check_mode):
    emulator.seed(**PLATFORM)
    projects = [{"name": "web", "framework": "astro"}, {"name": "one"}, {"name": "two"}]
    blueprint = {"projects": [{**project, "team": "acme"} for project in projects]}
    result = converge_or_fail(emulator.base_url, blueprint, check_mode, limits={action: most})
    assert f"limits: {len(names)} would be" in result["msg"]
    assert all(f"project {name} of acme" in result["msg"] for name in names)
    assert emulator.writes == []
    assert actions(converge(emulator.base_url, blueprint, check_mode, limits={action: most + 1}))


@IN_BOTH_MODES
def test_invitations_have_a_limit_too(emulator, check_mode):
    emulator.seed(**PLATFORM)
    emails = ["one@example.com", "two@example.com"]
    members = [{"team": "acme", "email": email, "role": "VIEWER"} for email in emails]
    given: dict[str, Any] = {"invite": True, "limits": {"invite": 1}}
    result = converge_or_fail(emulator.base_url, {"team_members": members}, check_mode, **given)
    assert "limits: 2 would be invited (2 team members), but limits.invite allows 1." in result["msg"]
    assert all(f"team member {email} of acme" in result["msg"] for email in emails)
    assert emulator.writes == []
    given["limits"] = {"invite": 2}
    assert converge(emulator.base_url, {"team_members": members}, check_mode, **given)["summary"]["invite"] == 2


@pytest.mark.parametrize("action", ["delete", "invite"])
def test_limits_that_are_none_are_refused_before_the_first_request(emulator, action):
    refused = converge_or_fail(emulator.base_url, {}, limits={action: -1})
    assert f"limits: {action} must be a whole number" in refused["msg"]
    assert emulator.requests() == []


def test_an_alias_that_is_moved_away_does_not_go_with_its_project(emulator):
    emulator.seed(**PLATFORM)
    blueprint = {
        "projects": [{**WEB, **GONE}, KEEP],
        "aliases": [{**WWW, "project": "keep"}],
    }
    result = converge(emulator.base_url, blueprint, protect=["www.*"], limits={"delete": 2})
    assert actions(result) == [("projects", "web", "delete"), ("aliases", "www.example.com", "update")]
    assert "www.example.com" in [alias["alias"] for alias in emulator.state()["aliases"]]


def test_every_guard_says_what_it_refuses_at_once(emulator):
    emulator.seed(**PLATFORM)
    options: dict[str, Any] = {
        "prune": ["projects"],
        "protect": ["www.*"],
        "limits": {"delete": 0, "create": 0},
        "approved": [],
    }
    blueprint = {"projects": [KEEP, {"name": "new", "team": "acme"}]}
    lines = converge_or_fail(emulator.base_url, blueprint, **options)["msg"].split("\n")
    assert [line.split(":")[0] for line in lines] == ["protect", "limits", "limits", "approved"]
    assert emulator.writes == []


PATTERNS = [
    "b\u00fcch*.example.com",
    "b?cher.example.com",
    "b[u\u00fc]cher.*",
    "*\u00fc*",
    "B\u00dcCHER.example.com.",
    "xn--b*",
]


@pytest.mark.parametrize("stored", ["b\u00fccher.example.com", "xn--bcher-kva.example.com"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_protects_a_host_in_either_spelling(emulator, pattern, stored):
    emulator.seed(**{**PLATFORM, "aliases": [{"alias": stored, "project": "web", "team": "acme"}]})
    blueprint = {"aliases": [{"alias": stored, "team": "acme", "state": "absent"}]}
    assert converge_or_fail(emulator.base_url, blueprint, protect=[pattern])["msg"].startswith("protect: ")
    assert converge(emulator.base_url, blueprint, protect=["b?her.*", "[!bx]*"], check_mode=True)["changed"] is True


@IN_BOTH_MODES
@pytest.mark.parametrize("project", ["web", "new"])
def test_a_project_is_not_given_an_alias_that_would_go_with_a_domain(emulator, project, check_mode):
    """The alias would be made, deleted again, and wanted in each further run."""
    emulator.seed(**PLATFORM)
    blueprint = {
        "projects": [{"name": project, "team": "acme", "alias": "shop.example.com"}],
        "domains": [{**DOMAIN, **GONE}],
    }
    result = converge_or_fail(emulator.base_url, blueprint, check_mode)
    words = f"deleting the domain example.com of acme would also delete what projects[0] {project} declares."
    assert words in result["msg"]
    assert emulator.writes == []


def test_a_team_that_was_renamed_stays_protected_by_its_earlier_slug(emulator):
    emulator.seed(**PLATFORM)
    blueprint = {"teams": [{"slug": "apex", "previously": ["acme"]}]}
    options: dict[str, Any] = {"prune": ["projects", "aliases"], "protect": [{"team": "acme"}]}
    for changed in (True, False):
        result = converge(emulator.base_url, blueprint, **options)
        assert (result["changed"], result["summary"]["skip"]) == (changed, 3)


OWN_ALIAS = {**WEB, "alias": "own.example.com"}
WHAT_TAKES_IT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "an entry": ({"aliases": [{"alias": "OWN.example.com", "team": "acme", **GONE}]}, {}),
    "a domain": ({"domains": [{**DOMAIN, **GONE}]}, {}),
    "prune": ({}, {"prune": ["domains"]}),
}


@IN_BOTH_MODES
@pytest.mark.parametrize(("more", "options"), WHAT_TAKES_IT.values(), ids=WHAT_TAKES_IT)
def test_the_alias_that_a_project_declares_as_its_own_is_not_deleted(emulator, more, options, check_mode):
    emulator.seed(teams=[ACME], domains=[DOMAIN], projects=[OWN_ALIAS])
    result = converge_or_fail(emulator.base_url, {"projects": [OWN_ALIAS], **more}, check_mode, **options)
    assert "which is declared by projects[0] web." in result["msg"]
    assert emulator.writes == []


@IN_BOTH_MODES
@pytest.mark.parametrize("project", ["web", "new"])
def test_an_alias_declared_absent_does_not_become_a_projects_own(emulator, project, check_mode):
    """The next run would delete it, and each further one would want it again."""
    emulator.seed(**PLATFORM)
    blueprint = {
        "projects": [{"name": project, "team": "acme", "alias": "new.example.com"}],
        "aliases": [{"alias": "NEW.example.com", "team": "acme", **GONE}],
    }
    result = converge_or_fail(emulator.base_url, blueprint, check_mode)
    assert f"aliases[0] NEW.example.com would be deleted, which is declared by projects[0] {project}." in result["msg"]
    assert emulator.writes == []


def test_an_alias_declared_absent_in_one_team_may_become_the_own_one_of_a_project_of_another(emulator):
    emulator.seed(teams=[ACME, {"slug": "zeta"}], projects=[WEB])
    gone = {"alias": "new.example.com", "team": "zeta", **GONE}
    blueprint = {"projects": [{**WEB, "alias": "new.example.com"}], "aliases": [gone]}
    assert actions(converge(emulator.base_url, blueprint)) == [("projects", "web", "update")]
    assert converge(emulator.base_url, blueprint)["changed"] is False


@IN_BOTH_MODES
def test_an_alias_that_becomes_a_projects_own_is_not_pruned(emulator, check_mode):
    emulator.seed(**PLATFORM)
    web = {**WEB, "alias": "www.example.com"}
    result = converge_or_fail(emulator.base_url, {"projects": [web, KEEP]}, check_mode, prune=["aliases"])
    assert "aliases www.example.com would be deleted, which is declared by projects[0] web." in result["msg"]
    assert emulator.writes == []
