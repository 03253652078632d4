# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An entry is judged as ansible-core would judge the options of its module."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from hypothesis import example, given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.entry_reader import (
    CONVERSIONS,
    EntryReader,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.module_utils._model.options import (
    NEVER_EMPTY,
    empty_options,
    without_unused_team,
)

TEXTS = st.sampled_from(["", "a", "a@b", "www.example.com", "present", "absent", "exists", "keep"])
BOOLEANS = st.sampled_from([True, False, "yes", "no", "True", 0, 1])
NUMBERS = st.sampled_from([0, 7, 1000])
LISTS = st.lists(st.one_of(TEXTS, NUMBERS), max_size=2)
PARAMETERS = st.dictionaries(
    st.sampled_from(["ttl", "zone"]), st.one_of(TEXTS, NUMBERS, LISTS), max_size=2
)


def values(definition: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that are right for an option, or null: core reads others by guessing, and this
    collection refuses them.
    """
    if "choices" in definition:
        return st.sampled_from([*definition["choices"], None])
    right = {"str": st.one_of(TEXTS, NUMBERS), "bool": BOOLEANS, "list": LISTS, "dict": PARAMETERS}
    return st.one_of(right[definition["type"]], st.none())


def entries(plural: str) -> st.SearchStrategy[dict[str, Any]]:
    options = KINDS[plural].entry_options()
    return st.fixed_dictionaries(
        {}, optional={option: values(dict(spec)) for option, spec in options.items()}
    )


def validated(plural: str, entry: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The options by core's own validator, and its messages."""
    spec = dict(KINDS[plural].entry_options())
    rules = KINDS[plural].argument_spec.rules
    # What is refused as null or empty counts as given.
    given_options = {
        option: value
        for option, value in without_unused_team(entry).items()
        if value is not None or option in NEVER_EMPTY
    }
    result = ArgumentSpecValidator(spec, **rules).validate(given_options)
    return result.validated_parameters, [f"{message}." for message in result.error_messages]


@pytest.mark.parametrize("plural", KINDS)
@given(data=st.data())
def test_options_are_those_of_core_and_so_are_the_broken_rules(
    plural: str, data: st.DataObject
) -> None:
    entry = data.draw(entries(plural))
    options, messages = validated(plural, entry)
    empty = empty_options(without_unused_team(entry), KINDS[plural].entry_options())
    try:
        desired = EntryReader(KINDS[plural], {}).read(entry)
    except PlatformError as error:
        own = [str(str(problem)) for problem in error.args]
        assert [message for message in own if message in messages] == messages
        assert [message.split()[0] for message in own if "is empty: a template" in message] == empty
        return
    assert messages == empty == []
    if options.get("own_scope"):
        options["team"] = None
    assert desired.options == options
    assert {name: type(value) for name, value in desired.options.items()} == {
        name: type(value) for name, value in options.items()
    }


@pytest.mark.parametrize("plural", KINDS)
def test_every_type_of_an_option_can_be_converted(plural: str) -> None:
    types = {definition["type"] for definition in KINDS[plural].entry_options().values()}
    assert types <= CONVERSIONS.keys()


@pytest.mark.parametrize("plural", KINDS)
def test_every_rule_is_one_that_entries_know(plural: str) -> None:
    known = {"mutually_exclusive", "required_one_of", "required_if"}
    assert KINDS[plural].argument_spec.rules.keys() <= known


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


@pytest.mark.parametrize("plural", KINDS)
@given(data=st.data())
@example(data=None)
def test_no_entry_is_a_crash(plural: str, data: st.DataObject | None) -> None:
    options = [*KINDS[plural].argument_spec.options, "source", "unknown"]
    item = (
        data.draw(st.one_of(ANYTHING, st.dictionaries(st.sampled_from(options), ANYTHING)))
        if data
        else {}
    )
    try:
        read_blueprint({plural: [item]}, {"team": "acme"})
        problems: Sequence[object] = ()
    except PlatformError as error:
        problems = error.args
    assert all(re.match(rf"{plural}\[0\]|previously: ", str(problem)) for problem in problems)


def test_a_refused_option_is_not_among_the_known_names() -> None:
    with pytest.raises(
        PlatformError, match=r"unknown option xyz\. Known names: name, state, team, own_scope\."
    ):
        read_blueprint({"domains": [{"name": "example.com", "xyz": 1, "source": "domains.yml:1"}]})


def test_a_kind_without_a_value_says_so() -> None:
    with pytest.raises(PlatformError) as failure:
        read_blueprint({"projects": None, "aliases": "", "teams": []})
    assert str(failure.value).split("\n") == [
        "blueprint: projects has no value. If it declares none, write an empty list: projects: []",
        "blueprint: aliases must be a list of entries, and is text.",
    ]


def test_a_source_is_text() -> None:
    items = [
        {"name": "a", "source": ["x"]},
        {"name": "b", "source": True},
        {"name": "c", "source": "a\0b"},
        {"name": "d", "aliases": [{"alias": "www.example.com", "source": {"a": 1}}]},
    ]
    with pytest.raises(PlatformError) as failure:
        read_blueprint({"projects": items})
    assert str(failure.value).split("\n") == [
        "projects[0] a: source must be text, and is a list.",
        "projects[1] b: source must be text, and is a boolean. Quote it.",
        "projects[2] c: source: must not contain a NUL character. Remove it.",
        "projects[3].aliases[0] www.example.com: source must be text, and is a dictionary.",
    ]


def test_a_name_alone_says_how_to_write_the_entry() -> None:
    with pytest.raises(PlatformError) as failure:
        read_blueprint({"projects": ["www2", 5], "aliases": ["*.example.com"], "teams": [" "]})
    assert str(failure.value).split("\n") == [
        "teams[0]: must be a dictionary of options, and is text.",
        "projects[0]: must be a dictionary of options, and is text. Write it as: - name: www2",
        "projects[1]: must be a dictionary of options, and is a number.",
        "aliases[0]: must be a dictionary of options, and is text. Write it as: - alias:"
        ' "*.example.com"',
    ]


def test_a_blueprint_names_the_kinds_whose_keys_it_has() -> None:
    blueprint = read_blueprint({"projects": [], "domains": [{"name": "example.com"}]})
    assert blueprint.kinds == {"projects", "domains"}
    assert [entry.place for entry in blueprint.entries] == ["domains[0]"]


def test_scopes_of_files_are_those_of_the_blueprint() -> None:
    scopes = [{"team": "acme", "source": "acme.yml:1"}, {"own_scope": True, "source": "mine.yml:2"}]
    blueprint = read_blueprint({"projects": [], "_scopes": scopes})
    assert [(scope.team, scope.source) for scope in blueprint.scopes] == [
        ("acme", "acme.yml:1"),
        ("", "mine.yml:2"),
    ]


def test_a_problem_is_said_where_its_option_stands() -> None:
    entry = {"alias": "a.example.com", "project": "web", "parameters": {"domain": "b.example.com"}}
    places = {"parameters": "defaults.yml:3"}
    items = [
        {**entry, "source": "aliases.yml:1", "_places": places},
        {**entry, "source": "aliases.yml:2"},
    ]
    with pytest.raises(PlatformError) as failure:
        read_blueprint({"aliases": items, "_scopes": []})
    starts = [str(problem).partition(": ")[0] for problem in failure.value.args]
    assert starts[:2] == ["defaults.yml:3", "aliases[1] a.example.com (aliases.yml:2)"]
