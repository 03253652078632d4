# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text that stands for a list or a dictionary, as on a command line or in a survey."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.selectors import (
    read_selectors,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    InvalidOption,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.modules import blueprint, project
from ansible_collections.hosting.platform.plugins.plugin_utils.tasks import _text_values

OPTIONS = blueprint.MODULE.specification.options
EMPTY_ITEM = (
    "protect has an empty item before or behind a comma. On a command line, write no space after a"
    " comma: -e protect=one,two"
)


def converted(**args: Any) -> dict[str, Any]:
    return _text_values.converted(args, OPTIONS, "")


def problem_of(text: str) -> str:
    with pytest.raises(InvalidOption) as refused:
        converted(protect=text)
    return str(refused.value)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("prune", "projects,aliases", ["projects", "aliases"]),
        ("prune", "projects", ["projects"]),
        ("prune", ' ["projects", "aliases"]', ["projects", "aliases"]),
        ("protect", '[{"team": "acme"}, "prod-*"]', [{"team": "acme"}, "prod-*"]),
        ("protect", '\n[\n"prod-*",\n"a\\nb"\n]\n', ["prod-*", "a\nb"]),
        ("protect", "[]", []),
        ("limits", "create=3,delete=0", {"create": "3", "delete": "0"}),
        ("limits", "delete=5, create=10", {"delete": "5", "create": "10"}),
        ("limits", "{}", {}),
        ("limits", '{"create": 3}', {"create": 3}),
        ("blueprint", '{"projects": [{"name": "a,b"}]}', {"projects": [{"name": "a,b"}]}),
        ("directory", "common,staging", ["common", "staging"]),
        ("directory", '["a,b"]', ["a,b"]),
        ("directory", 5, [5]),
        ("approved", "plan.json", "plan.json"),
        ("approved", "a,b\n", "a,b\n"),
        ("report", "[a,b]", "[a,b]"),
        ("report", "a\nb", "a\nb"),
        ("nothing", "a,b", "a,b"),
        ("prune", "", ""),
        ("prune", " \r\n", ""),
        ("limits", "\n", ""),
        ("prune", None, None),
    ],
)
def test_text_stands_for_a_list_or_a_dictionary_as_on_a_command_line(option, text, value):
    assert converted(**{option: text}) == {option: value}


@pytest.mark.parametrize("name", ["common,staging", "[x]", "a\nb"])
def test_text_that_exists_is_one_directory(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    for text in (name, f"{tmp_path}/{name}"):
        assert converted(directory=text) == {"directory": [text]}


@pytest.mark.parametrize(
    "text",
    [
        "prod-api\nblog",
        "prod-api\nblog\n",
        "prod-api\r\nblog\r\n",
        "prod-api\rblog",
        "prod-api,blog",
        "prod-api, blog",
        "prod-api ,\tblog",
        "prod-api,\nblog",
        "prod-api , \r\n\r\n  blog  ",
        "\n\nprod-api\n \n\nblog\n\n",
    ],
)
def test_items_stand_between_commas_and_line_ends(text):
    assert converted(protect=text) == {"protect": ["prod-api", "blog"]}


@pytest.mark.parametrize("character", ["\u2028", "\x85", "\x0b", "\x1c"])
def test_a_character_that_is_no_line_end_separates_nothing(character):
    text = f"prod{character}api"
    assert converted(protect=text) == {"protect": [text]}


def test_an_item_with_much_white_space_in_it_is_read_at_once():
    text = f"a{' ' * 100_000}b"
    assert converted(protect=f"{text} , {text}") == {"protect": [text, text]}


@pytest.mark.parametrize(
    "text",
    [
        "prod-api,",
        "prod-api, ",
        "prod-api,\nblog,",
        "prod-api,,blog",
        "prod-api, ,blog",
        ",blog",
        ",",
        "a\n,b",
        "a,,\nb",
        "a\n,\nb",
        "a,\n",
    ],
)
def test_an_empty_item_is_refused(text):
    assert problem_of(text) == EMPTY_ITEM


@pytest.mark.parametrize("text", ["- prod-api\n- blog", "- prod-api", "a,- b", "  - prod-api\n"])
def test_yaml_is_no_list(text):
    assert problem_of(text) == (
        'protect has an item that begins with "- ", as in YAML. Write one item a line without it,'
        " or JSON."
    )


@pytest.mark.parametrize("text", ["-prod", "prod - api", "a-,-b", "-"])
def test_a_hyphen_is_a_character_like_others(text):
    assert converted(protect=text)["protect"] == text.split(",")


@pytest.mark.parametrize("text", ["[prod-*]", '["a"', "[" * 100_000, "[ab]*\nblog"])
def test_text_that_begins_like_json_and_is_none_is_refused(text):
    assert problem_of(text) == "protect: begins with [ and is not JSON. Quote each text in it."


def test_a_role_names_its_variable():
    with pytest.raises(InvalidOption) as refused:
        _text_values.converted({"prune": "projects,"}, OPTIONS, "converge_")
    assert "-e converge_prune=one,two" in str(refused.value)


@pytest.mark.parametrize(
    ("number", "what"), [(8, "a number"), (1.5, "a number with a fraction"), (True, "a boolean")]
)
def test_a_number_is_no_selector(number, what):
    """YAML reads 010 as 8."""
    with pytest.raises(PlatformError) as refused:
        read_selectors(converted(protect=number))
    assert str(refused.value) == f"protect[0] must be text, and is {what}. Quote it."


def test_text_that_is_no_dictionary_is_refused():
    with pytest.raises(PlatformError) as refused:
        _text_values.converted({"limits": "{delete: 0}"}, OPTIONS, "converge_")
    assert str(refused.value) == (
        "limits must be a dictionary, and is text. On a command line, write JSON:"
        " -e '{\"converge_limits\": {...}}'."
    )


def test_earlier_names_may_be_text_too():
    options = project.MODULE.specification.options
    assert _text_values.converted({"previously": "a\nb"}, options, "") == {"previously": ["a", "b"]}


ITEMS = st.lists(
    st.text(st.characters(exclude_characters=",\r\n", exclude_categories=["C", "Z"]), min_size=1),
    min_size=1,
).filter(lambda items: not items[0].startswith("["))


@given(items=ITEMS, separator=st.sampled_from([",", "\n", "\r\n", " , ", ",\n", "\n\n"]))
def test_whatever_separates_them_no_item_is_lost(items, separator):
    assert converted(protect=separator.join(items))["protect"] == items


@given(st.text(st.sampled_from("a- ,\n\r[")))
def test_every_text_is_a_list_of_items_or_refused(text):
    try:
        found = converted(protect=text)["protect"]
    except InvalidOption:
        return
    assert found == "" or all(found)
