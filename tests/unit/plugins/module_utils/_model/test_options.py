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
from modules import perform

from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption
from ansible_collections.hosting.platform.plugins.module_utils._model.options import (
    PAGE_OPTIONS,
    WrongType,
    validate_values,
)
from ansible_collections.hosting.platform.plugins.modules.blueprint import MODULE

OPTIONS = {**MODULE.specification.options, **PAGE_OPTIONS}


def check_values(given: dict[str, Any]) -> None:
    for problem in validate_values(given, OPTIONS):
        raise problem


WRONG: list[tuple[Any, str]] = [
    (True, "a boolean. Quote it."),
    (1.1, "a number with a fraction. Quote it."),
    (1.0, "a number with a fraction. Quote it."),
    (b"web", "binary data."),
    (["web"], "a list."),
    ({"web": 1}, "a dictionary."),
]


@pytest.mark.parametrize("value", [True, 1.1, "prod-*", {"team": "acme"}])
def test_a_list_is_a_list(value):
    """ansible-core makes lists of texts."""
    with pytest.raises(WrongType, match=r"^protect must be a list, and is "):
        check_values({"protect": value})
    check_values({"protect": [], "only": ["prod-*", {"team": "acme"}]})


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
            check_values({option.partition(".")[0]: given})
    check_values({"limit": 3, "timeout": 0.5, "limits": {"delete": "3"}})


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
        check_values({option.partition(".")[0]: value})


@pytest.mark.parametrize("value", [math.nan, [math.inf], {"a": [-math.inf]}, "\0", {"\0": 1}])
def test_parameters_have_only_what_a_request_can_carry(emulator, value):
    entry = {"alias": "www.example.com", "project": "web", "parameters": {"more": value}}
    assert refusal_without_requests(emulator, {"aliases": [entry]}).endswith(
        "parameters must not contain a NUL character, NaN or an infinite number."
    )


MOMENT = 1_700_000_000
LISTS = ("project_info", "team_info", "domain_info", "alias_info", "project_domain_info")


@pytest.mark.parametrize("module", LISTS)
def test_a_time_in_seconds_draws_a_warning(emulator, module):
    emulator.seed(projects=[{"name": "web"}])
    project = {"project": "web"} if module == "project_domain_info" else {}
    result = perform(module, emulator.base_url, since=1, until=MOMENT, **project)
    assert result["warnings"] == [
        "since: 1 is a time in seconds, by its size, but the API counts milliseconds. Write 1000.",
        f"until: {MOMENT} is a time in seconds, by its size, but the API counts milliseconds."
        f" Write {MOMENT}000.",
    ]


@pytest.mark.parametrize("moment", [None, 0, -1, 10**11, MOMENT * 1000])
def test_a_time_in_milliseconds_draws_none(emulator, moment):
    result = perform("project_info", emulator.base_url, since=moment, until=moment)
    assert result["warnings"] == []


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
        "state must be one of present, absent, exists, and is a list.",
        "name: has 101 characters, but the API accepts at most 100. Shorten it.",
    ]
