# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no selector is refused before the first request."""

from __future__ import annotations

from typing import Any

import pytest
from acme import WEB
from blueprints import converge, early_refusal


@pytest.mark.parametrize("option", ["only", "ignore", "protect"])
@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ({}, "[0]: is empty, and would match everything"),
        ({"teams": "acme"}, "[0]: unknown key teams. Did you mean team?"),
        ({"kind": "project"}, "[0].kind: unknown kind project. Did you mean projects?"),
        ({"kind": ["projects", "x"]}, "[0].kind: unknown kind x"),
        ({"kind": []}, "[0].kind: may not be empty"),
        ({"kind": {}}, "[0].kind: unknown kind {}"),
        ({"name": ""}, "[0].name: may not be empty"),
        ({"name": None}, "[0].name must be text, and is null"),
        ({"team": None}, "[0].team must be text, and is null"),
        ({"team": ["acme"]}, "[0].team must be text, and is a list"),
        ("", "[0]: may not be empty"),
        (None, "[0] must be text, and is null"),
        (True, "[0] must be text, and is a boolean. Quote it."),
        (1.5, "[0] must be text, and is a number with a fraction. Quote it."),
        (["web"], "[0] must be text, and is a list"),
        ('["prod-*"', "[0]: is a list or dictionary as text. With -e, write JSON"),
        ("[ 'prod-*']", "[0]: is a list or dictionary as text."),
        ('{"kind": "projects"', "[0]: is a list or dictionary as text."),
        ("[prod-*]", "[0]: is a list or dictionary as text."),
        ("[prod-*", "[0]: is a list or dictionary as text."),
        ("[web, api]", "[0]: is a list or dictionary as text."),
        ("{kind: projects}", "[0]: is a list or dictionary as text."),
        ({"team": "['acme']"}, "[0].team: is a list or dictionary as text."),
    ],
)
def test_what_is_no_selector_fails_before_the_first_request(emulator, option, selector, words):
    given: dict[str, Any] = {option: [selector]}
    message = early_refusal(emulator, {"projects": [WEB]}, **given)
    assert message.startswith(option)
    assert words in message


def test_patterns_that_contain_brackets_are_patterns(emulator):
    patterns = ["[ps]rod-*", "web[0-9]", "[[]web", "[ab]", "[!a-z]", "[a-z]?", "{{ web }}"]
    assert converge(emulator.base_url, {}, protect=patterns)["changed"] is False


def test_only_entries_have_a_source(emulator):
    source = [{"source": "projects/*"}]
    assert "unknown key source" in early_refusal(emulator, {}, ignore=source)
    assert "unknown key source" in early_refusal(emulator, {}, protect=source)
    assert converge(emulator.base_url, {}, only=source)["changed"] is False
