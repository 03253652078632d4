# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases in the entry of their project: the same as if they stood under ``aliases``."""

from typing import Any

import pytest
from blueprints import check_then_converge, converge_or_result
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    InvalidOption,
    PlatformError,
)

Entries = list[dict[str, Any]]

HOSTS = [f"h{number}.example.com" for number in range(6)]
SCOPES: list[dict[str, Any]] = [{"team": "acme"}, {"team": "media"}, {"own_scope": True}, {}]


def aliases() -> st.SearchStrategy[list[Any]]:
    """Names, and entries with options; each name once."""
    states = st.sampled_from(
        [{}, {"state": "absent"}, {"state": "present"}, {"parameters": {"ttl": 5}}]
    )
    items = st.builds(
        lambda host, more, is_name: host if is_name and not more else {"alias": host, **more},
        st.sampled_from(HOSTS),
        states,
        st.booleans(),
    )
    return st.lists(
        items, max_size=3, unique_by=lambda item: item if isinstance(item, str) else item["alias"]
    )


PROJECTS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(SCOPES),
        st.sampled_from([{}, {"state": "absent"}, {"state": "exists"}]),
        aliases(),
    ),
    max_size=4,
    unique_by=lambda project: project[0],
)


def nested_and_flat(projects: list[Any]) -> tuple[dict[str, Entries], dict[str, Entries]]:
    nested: Entries = []
    flat: Entries = []
    for name, scope, state, items in projects:
        nested.append({"name": name, **scope, **state, "aliases": items})
        if state.get("state") == "absent":
            continue
        for item in items:
            entry = {"alias": item} if isinstance(item, str) else item
            flat.append({**entry, "project": name, **scope})
    bare = [{key: value for key, value in entry.items() if key != "aliases"} for entry in nested]
    return {"projects": nested}, {"projects": bare, "aliases": flat}


def outcome(blueprint: dict[str, Entries]) -> Any:
    try:
        entries = read_blueprint(blueprint).entries
    except PlatformError as error:
        return len(error.args)
    return [(entry.kind, entry.desired) for entry in entries]


@given(PROJECTS)
def test_nested_and_flat_declare_the_same(projects: list[Any]) -> None:
    nested, flat = nested_and_flat(projects)
    found = outcome(nested)
    expected = outcome(flat)
    if isinstance(expected, int):
        assert found == expected
        return
    assert [kind for kind, _desired in found] == [kind for kind, _desired in expected]
    for (_key, one), (_other_key, other) in zip(found, expected, strict=True):
        assert (one.options, one.values, one.name) == (other.options, other.values, other.name)


@examples(100)
@given(projects=PROJECTS)
def test_nested_and_flat_plan_the_same_steps(in_process: Any, projects: list[Any]) -> None:
    in_process.reset()
    in_process.seed(
        teams=[{"slug": "acme"}, {"slug": "media"}],
        projects=[{"name": "a", "team": "acme"}, {"name": "b"}],
    )
    in_process.seed(
        aliases=[
            {"alias": HOSTS[0], "project": "a", "team": "acme"},
            {"alias": HOSTS[1], "project": "b"},
        ]
    )
    nested, flat = nested_and_flat(projects)
    if isinstance(outcome(flat), int):
        return
    plans = [
        converge_or_result(in_process.base_url, blueprint, check_mode=True)
        for blueprint in (nested, flat)
    ]
    if "results" not in plans[1]:
        assert plans[0]["msg"].count("\n") == plans[1]["msg"].count("\n")
        return
    rows = [[{**row, "source": None} for row in plan["results"]] for plan in plans]
    assert rows[0] == rows[1]
    assert plans[0]["steps"] == plans[1]["steps"]


def test_nested_aliases_are_made_and_deleted_with_their_own_source(emulator):
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "shop", "team": "acme"}])
    emulator.seed(aliases=[{"alias": "old.example.com", "project": "shop", "team": "acme"}])
    items = [
        {"alias": "www.example.com", "source": "acme.yml:3"},
        {"alias": "old.example.com", "state": "absent", "source": "acme.yml:4"},
    ]
    project = {"name": "shop", "team": "acme", "source": "acme.yml:1", "aliases": items}
    flat = {"alias": "first.example.com", "project": "shop", "team": "acme", "source": "acme.yml:9"}
    done = check_then_converge(emulator.base_url, {"projects": [project], "aliases": [flat]})
    rows = [(row["kind"], row["name"], row["action"], row["source"]) for row in done["results"]]
    assert rows == [
        ("projects", "shop", "none", "acme.yml:1"),
        ("aliases", "first.example.com", "create", "acme.yml:9"),
        ("aliases", "www.example.com", "create", "acme.yml:3"),
        ("aliases", "old.example.com", "delete", "acme.yml:4"),
    ]


@pytest.mark.parametrize(
    ("project", "problems"),
    [
        (
            {"name": "shop", "aliases": "www.example.com"},
            ["projects[0] shop: aliases must be a list, and is text."],
        ),
        (
            {"name": "shop", "aliases": [["a"], None]},
            [
                "projects[0].aliases[0]: must be a dictionary of options, and is a list.",
                "projects[0].aliases[1]: must be a dictionary of options, and is null.",
            ],
        ),
        (
            {
                "name": "shop",
                "aliases": [{"alias": "a.example.com", "project": "shop", "team": "acme"}],
            },
            [
                "projects[0].aliases[0] a.example.com: project is that of the entry around it."
                " Remove it.",
                "projects[0].aliases[0] a.example.com: team is that of the entry around it."
                " Remove it.",
            ],
        ),
        (
            {"name": "shop", "own_scope": True, "aliases": [{"alias": "a.b", "team": "acme"}]},
            ["projects[0].aliases[0] a.b: team is that of the entry around it. Remove it."],
        ),
        (
            {"name": "shop", "own_scope": "maybe", "aliases": ["a.example.com", "b.example.com"]},
            ["projects[0] shop: own_scope must be true or false, and is text."],
        ),
        (
            {"name": "shop", "own_scope": True, "team": "acme", "aliases": ["a.example.com"]},
            [
                "projects[0] shop: own_scope: cannot be true while team is set. Set only one of"
                " them."
            ],
        ),
        (
            {"nme": "shop", "aliases": [{"alias": "a.example.com", "sate": "absent"}]},
            [
                "projects[0]: unknown option nme. Did you mean name?",
                "projects[0]: one of the following is required: name, id.",
                "projects[0].aliases[0] a.example.com: unknown option sate. Did you mean state?",
            ],
        ),
        (
            {"name": "shop", "aliases": [True, "https://a.example.com"]},
            [
                "projects[0].aliases[0] True: alias must be text, and is a boolean. Quote it.",
                "projects[0].aliases[1] https://a.example.com: alias must be a host name. Write"
                " a.example.com.",
            ],
        ),
        (
            {"name": "shop", "state": "absent", "aliases": [{"aliass": "a"}]},
            [
                "projects[0].aliases[0]: unknown option aliass. Did you mean alias?",
                "projects[0].aliases[0]: missing required arguments: alias.",
            ],
        ),
        (
            {"name": "shop", "aliases": ["a.example.com", "A.example.com."]},
            [
                "projects[0].aliases[1] A.example.com. is already declared by"
                " projects[0].aliases[0] a.example.com.",
            ],
        ),
    ],
)
def test_a_problem_of_a_nested_alias_names_its_place(
    project: dict[str, Any], problems: list[str]
) -> None:
    with pytest.raises(PlatformError) as failure:
        read_blueprint({"projects": [project]})
    assert list(failure.value.args) == problems


@pytest.mark.parametrize(
    ("project", "kinds"),
    [
        ({"name": "shop", "aliases": []}, {"projects"}),
        ({"name": "shop", "aliases": None}, {"projects"}),
        ({"name": "shop", "state": "absent", "aliases": ["a.example.com"]}, {"projects"}),
        ({"name": "shop", "aliases": ["a.example.com"]}, {"projects", "aliases"}),
    ],
)
def test_an_empty_list_in_a_project_names_no_kind(project: dict[str, Any], kinds: set[str]) -> None:
    assert read_blueprint({"projects": [project]}).kinds == kinds


def test_a_project_without_a_name_is_referred_to_by_its_id() -> None:
    entries = read_blueprint({"projects": [{"id": "prj_1", "aliases": ["a.example.com"]}]}).entries
    assert entries[1].desired.values == {"alias": "a.example.com", "project": "prj_1"}


def test_the_team_of_a_file_is_the_place_of_a_problem_of_a_nested_alias() -> None:
    project = {
        "name": "shop",
        "team": "acme",
        "_places": {"team": "acme.yml:1"},
        "aliases": ["a.example.com"],
    }
    entries = read_blueprint({"projects": [project], "_scopes": []}).entries
    found = [entry.locate(InvalidOption("team", "does not exist.")) for entry in entries]
    assert found == [("acme.yml", "acme.yml:1", "team: does not exist.")] * 2


def test_a_misspelled_list_of_aliases_is_recognized() -> None:
    with pytest.raises(PlatformError, match=r"unknown option aliasses\. Did you mean aliases\?"):
        read_blueprint({"projects": [{"name": "shop", "aliasses": []}]})


@pytest.mark.parametrize("kind", ["teams", "domains", "aliases"])
def test_only_projects_hold_aliases(kind: str) -> None:
    with pytest.raises(PlatformError, match="unknown option aliases"):
        read_blueprint({kind: [{"aliases": []}]})
