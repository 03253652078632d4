# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that are no text, and that nobody can turn into what was written; values that the API
cannot take.
"""

import math
from typing import Any

import pytest
from blueprints import refusal_without_requests

from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption
from ansible_collections.hosting.platform.plugins.module_utils._model.options import (
    PAGE_OPTIONS,
    WrongType,
    check_values,
)
from ansible_collections.hosting.platform.plugins.modules.blueprint import MODULE

OPTIONS = {**MODULE.specification.options, **PAGE_OPTIONS.options}

WRONG: list[tuple[Any, str]] = [
    (True, "a boolean. Quote it."),
    (1.1, "a number with a fraction. Quote it."),
    (1.0, "a number with a fraction. Quote it."),
    (b"web", "binary data."),
    (["web"], "a list."),
    ({"web": 1}, "a dictionary."),
]


@pytest.mark.parametrize("value", [True, 1.1])
def test_a_selector_is_text_also_where_it_is_alone(value):
    """ansible-core makes a list of texts of it."""
    with pytest.raises(WrongType, match=r"^protect\[0\] must be text, and is a .* Quote it.$"):
        check_values({"protect": value}, OPTIONS)
    check_values({"protect": "prod-*", "only": ["prod-*", {"team": "acme"}], "ignore": 5}, OPTIONS)


@pytest.mark.parametrize("value", [True, False])
def test_a_boolean_is_no_number(value):
    """ansible-core takes it for 1 or 0, and a query would say True."""
    for option, given in (
        ("limit", value),
        ("timeout", value),
        ("limits.delete", {"delete": value}),
    ):
        with pytest.raises(
            WrongType, match=f"^{option} must be a (whole )?number, and is a boolean.$"
        ):
            check_values({option.partition(".")[0]: given}, OPTIONS)
    check_values({"limit": 3, "timeout": 0.5, "limits": {"delete": "3"}}, OPTIONS)


@pytest.mark.parametrize(("value", "words"), WRONG)
def test_text_is_text_in_an_entry_and_in_a_list_of_names(emulator, value, words):
    blueprint = {"projects": [{"name": value}, {"name": "shop", "previously": ["old", value]}]}
    message = refusal_without_requests(emulator, blueprint)
    assert f"name must be text, and is {words}" in message
    assert f"previously[1] must be text, and is {words}" in message


@pytest.mark.parametrize("option", ["name", "previously[0]", "alias", "team"])
def test_no_text_has_a_nul(emulator, option):
    entry = {"name": "web", option.partition("[")[0]: ["a\0b"] if "[" in option else "a\0b"}
    assert refusal_without_requests(emulator, {"projects": [entry]}).endswith(
        f"{option}: must not contain a NUL character. Remove it."
    )


@pytest.mark.parametrize(
    "option", ["team", "protect", "limits.delete", "ca_path", "timeout", "validate_certs"]
)
def test_no_option_has_a_nul(option):
    value = {"delete": "1\0"} if "." in option else "1\0"
    with pytest.raises(
        InvalidOption, match=f"^{option}: must not contain a NUL character. Remove it.$"
    ):
        check_values({option.partition(".")[0]: value}, OPTIONS)


@pytest.mark.parametrize("value", [math.nan, [math.inf], {"a": [-math.inf]}, "\0", {"\0": 1}])
def test_parameters_have_only_what_a_request_can_carry(emulator, value):
    entry = {"alias": "www.example.com", "project": "web", "parameters": {"more": value}}
    assert refusal_without_requests(emulator, {"aliases": [entry]}).endswith(
        "parameters: must not contain a NUL character, NaN or an infinite number."
    )


@pytest.mark.parametrize("host", [".", ".."])
def test_the_name_of_a_host_is_more_than_dots(emulator, host):
    blueprint = {
        "projects": [{"name": "..", "alias": host}],
        "aliases": [{"alias": host, "project": ".."}],
        "domains": [{"name": host, "state": "absent"}],
    }
    lines = refusal_without_requests(emulator, blueprint).split("\n")
    words = "must be a host name, and is only dots."
    options = ("alias", "alias", "name")
    assert [line.partition(": ")[2] for line in lines] == [
        f"{option}: {words}" for option in options
    ]


def test_everything_that_is_wrong_with_an_entry_is_said_once(emulator):
    entry = {
        "nam": "web",
        "name": True,
        "team": ["acme"],
        "previously": "old",
        "state": "gone",
        "framework": 1.5,
    }
    blueprint = {
        "projects": [entry, {"name": "x" * 101, "alias": "web.example.com", "state": ["absent"]}]
    }
    lines = refusal_without_requests(emulator, blueprint).split("\n")
    assert [line.partition(": ")[2] for line in lines] == [
        "unknown option nam. Did you mean name?",
        "name must be text, and is a boolean. Quote it.",
        "team must be text, and is a list.",
        "previously must be a list, and is text.",
        "state: must be one of present, absent, exists, not gone.",
        "framework must be text, and is a number with a fraction. Quote it.",
        "state must be text, and is a list.",
        "name: has 101 characters, but the API accepts at most 100. Shorten it.",
    ]
