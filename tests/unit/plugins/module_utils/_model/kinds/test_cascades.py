# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service deletes with the object of a single task is read, returned and, in check mode,
said.
"""

from collections import Counter

import pytest
from acme import ACME, WEB, ZETA
from client import check_then_run, converge_on, make_platform, run_module
from hypothesis import given
from hypothesis import strategies as st
from modules import perform
from platforms import NAMES, SCOPES, host, platforms, presentations, scope_options
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team

DOCS = {"name": "docs", "team": "acme"}
HOSTS = [f"{label}.example.com" for label in ("www", "m", "cdn")]
OPTIONS = {Team: {"slug": "acme"}, Project: WEB, Domain: {"name": "example.com", "team": "acme"}}
LISTS = ("GET /projects", "GET /aliases", "GET /domains")
REMOVED = {
    Team: ("removed_projects", "removed_aliases", "removed_domains"),
    Project: ("removed_aliases",),
    Domain: ("removed_aliases",),
}


@pytest.fixture
def acme(emulator):
    """A platform with a team of two projects, three aliases besides their own, and a domain."""
    aliases = [{"alias": name, "project": "web", "team": "acme"} for name in HOSTS]
    emulator.seed(
        teams=[ACME, ZETA],
        projects=[WEB, DOCS, {"name": "web", "team": "zeta"}],
        aliases=aliases,
        domains=[{"name": "example.com", "team": "acme"}],
    )
    return emulator


@pytest.mark.parametrize(
    ("kind", "removed", "warning"),
    [
        (
            Team,
            {
                "removed_projects": ["docs", "web"],
                "removed_aliases": sorted([*HOSTS, "docs.hosting.example", "web.hosting.example"]),
                "removed_domains": ["example.com"],
            },
            "deleting the team acme would also delete 2 projects (docs, web), 5 aliases"
            " (cdn.example.com, docs.hosting.example, m.example.com and 2 more) and 1 domain"
            " (example.com).",
        ),
        (
            Project,
            {"removed_aliases": sorted([*HOSTS, "web.hosting.example"])},
            "deleting the project web would also delete 4 aliases (cdn.example.com, m.example.com,"
            " web.hosting.example and 1 more).",
        ),
        (
            Domain,
            {"removed_aliases": sorted(HOSTS)},
            "deleting the domain example.com would also delete 3 aliases (cdn.example.com,"
            " m.example.com, www.example.com).",
        ),
    ],
)
def test_a_deletion_returns_the_objects_that_go_along_and_check_mode_warns_of_them(
    acme, kind, removed, warning
):
    checked, done = check_then_run(kind, acme.base_url, **OPTIONS[kind], state="absent")
    assert [checked.pop("warnings"), done.pop("warnings")] == [[warning], []]
    assert checked == done
    assert removed.items() <= done.items()
    assert removed.items() <= done["diff"]["before"].items()
    assert done["diff"]["after"] == {}


@pytest.mark.parametrize("kind", [Team, Project, Domain])
def test_an_object_that_exists_keeps_what_it_holds(acme, kind):
    for there in check_then_run(kind, acme.base_url, **OPTIONS[kind]):
        assert [there[option] for option in REMOVED[kind]] == [[]] * len(REMOVED[kind])


@pytest.mark.parametrize("kind", [Team, Project, Domain])
def test_an_absent_object_takes_nothing_along_and_reads_nothing_more(acme, kind):
    run_module(kind, acme.base_url, **OPTIONS[kind], state="absent")
    acme.forget_requests()
    for gone in check_then_run(kind, acme.base_url, **OPTIONS[kind], state="absent"):
        assert [gone[option] for option in REMOVED[kind]] == [[]] * len(REMOVED[kind])
    lists = [operation for operation in acme.operations if operation in LISTS]
    assert lists == [f"GET /{kind.plural}"] * 2 * (kind is not Team)


def test_a_list_that_is_refused_is_null_and_check_mode_says_so(acme):
    for check_mode, warnings in (
        (
            True,
            [
                "deleting the team acme would also delete 2 projects (docs, web) and 1 domain"
                " (example.com).",
                "deleting the team acme may also delete aliases: the service refuses their list,"
                " so it is unknown which.",
            ],
        ),
        (False, []),
    ):
        acme.plan_fault("GET /aliases", "403", count=4)  # the team is young
        result = run_module(Team, acme.base_url, check_mode, slug="acme", state="absent")
        assert result["warnings"] == warnings
        assert (result["removed_aliases"], result["removed_domains"]) == (None, ["example.com"])
        assert "removed_aliases" not in result["diff"]["before"]


@pytest.mark.parametrize("fault", ["401", "500"])
def test_a_list_that_fails_otherwise_fails_the_task_before_the_deletion(acme, fault):
    acme.plan_fault("GET /aliases", fault, count=10)
    with pytest.raises(ApiError, match="GET /aliases"):
        run_module(Project, acme.base_url, **WEB, state="absent")
    assert acme.writes == []


def test_a_loop_reads_each_list_once_and_what_went_along_does_not_go_twice(acme):
    acme.seed(domains=[{"name": name, "team": "acme"} for name in ("www.example.com", "old.test")])
    platform = make_platform(acme.base_url)
    names = ["example.com", "www.example.com", "old.test"]
    domains = [
        converge_on(platform, Domain, name=name, team="acme", state="absent") for name in names
    ]
    assert [domain["removed_aliases"] for domain in domains] == [sorted(HOSTS), [], []]
    projects = [
        converge_on(platform, Project, name=name, team="acme", state="absent")
        for name in ("web", "docs")
    ]
    assert [project["removed_aliases"] for project in projects] == [
        ["web.hosting.example"],
        ["docs.hosting.example"],
    ]
    assert [acme.operations.count(operation) for operation in LISTS] == [1, 1, 1]


@given(platforms(), presentations, st.sampled_from(SCOPES), st.data())
@examples(150)
def test_exactly_what_is_returned_is_gone_from_the_platform(
    in_process, platform, presentation, scope, data
):
    in_process.reset()
    in_process.switch(**presentation)
    in_process.seed(**platform)
    choices = [
        ("project", {"name": data.draw(st.sampled_from(NAMES)), **scope_options(scope)}),
        ("domain", {"name": host("old", scope), **scope_options(scope)}),
        *([("team", {"slug": scope})] if scope else []),
    ]
    module, options = data.draw(st.sampled_from(choices))
    before = names_of(in_process.state())
    checked = perform(module, in_process.base_url, check_mode=True, **options, state="absent")
    done = perform(module, in_process.base_url, **options, state="absent")
    after = names_of(in_process.state())
    removed = {plural: Counter(done.get(f"removed_{plural}", [])) for plural in before}
    removed[f"{module}s"] += Counter([options.get("slug") or options["name"]] * done["changed"])
    assert removed == {plural: before[plural] - after[plural] for plural in before}
    assert [checked.get(f"removed_{plural}") for plural in before] == [
        done.get(f"removed_{plural}") for plural in before
    ]


def names_of(state):
    """How many objects of a platform have a name, by kind."""
    fields = {"teams": "slug", "projects": "name", "aliases": "alias", "domains": "name"}
    return {
        plural: Counter(record[field] for record in state[plural])
        for plural, field in fields.items()
    }
