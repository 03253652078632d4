# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A mask is not a value: what hides a secret is never sent in its place."""

from typing import Any

import pytest
from acme import ACME, WEB
from client import TOKEN
from modules import perform

MASKED = ["********", "echo ********", "a********b", "x VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"]
TEXTS = ["*********", "*******", "*" * 16, "no_log", "**** ****"]
PROBLEM = (
    "holds a mask, such as ********, which hides a secret and is not the value itself."
    " Write the value, or leave it out."
)
ALIAS: dict[str, Any] = {"team": "acme", "alias": "www.example.com", "project": "web"}
PROJECT = {"team": "acme", "name": "web"}


@pytest.fixture
def platform(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    return emulator


def with_value(value: Any) -> list[tuple[str, dict[str, Any], str]]:
    """Modules, options with the value in one of them, and that one."""
    return [
        ("project", {**PROJECT, "build_command": value}, "build_command"),
        ("project", {**PROJECT, "name": value}, "name"),
        ("project", {**PROJECT, "state": "exists", "dev_command": value}, "dev_command"),
        ("team", {"slug": value}, "slug"),
        ("team", {"slug": "acme", "description": value}, "description"),
        ("team_member", {"team": "acme", "user_id": value}, "user_id"),
        ("alias", {**ALIAS, "project": value}, "project"),
        ("alias", {**ALIAS, "parameters": {"ttl": 5, "headers": [value]}}, "parameters"),
        ("alias", {**ALIAS, "parameters": {value: "x"}}, "parameters"),
        ("project", {**PROJECT, "name": value, "state": "absent"}, "name"),
        ("login_request", {"email": "a@example.com", "token_name": value}, "token_name"),
        (
            "login_verification",
            {"email": "a@example.com", "verification_token": value, "wait": False},
            "verification_token",
        ),
        ("project", {**PROJECT, "team": value}, "team"),
        ("project", {**PROJECT, "team": value, "state": "absent"}, "team"),
        ("project", {"team": "acme", "id": value}, "id"),
        ("project", {**PROJECT, "previously": ["old", value]}, "previously"),
        ("project", {**PROJECT, "previous_team": value}, "previous_team"),
        ("team_join", {"team": value}, "team"),
        ("team_join", {"team": "web-team", "invite_code": value}, "invite_code"),
        ("project_info", {"team": value}, "team"),
        ("project_info", {"name": value}, "name"),
        ("project_info", {"id": value}, "id"),
        ("project_domain_info", {"project": value}, "project"),
        ("alias_info", {"project": value}, "project"),
        ("team_info", {"team": value}, "team"),
    ]


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize("value", MASKED)
def test_a_value_with_a_mask_is_refused_before_the_first_request(platform, value, check_mode):
    platform.forget_requests()
    for module, options, option in with_value(value):
        result = perform(module, platform.base_url, check_mode, **options)
        assert result["failed"] is True, (module, options)
        assert result["msg"] == f"{option} {PROBLEM}"
    assert platform.requests() == []


@pytest.mark.parametrize("value", TEXTS)
def test_other_asterisks_are_text(platform, value):
    result = perform("project", platform.base_url, **PROJECT, build_command=value)
    assert (result["changed"], result["project"]["build_command"]) == (True, value)


def test_a_field_of_what_is_to_be_absent_is_not_sent(platform):
    options = {**PROJECT, "build_command": "********", "state": "absent"}
    assert perform("project", platform.base_url, **options)["changed"] is True


@pytest.mark.parametrize("value", MASKED)
def test_an_entry_with_a_mask_fails_by_its_place(platform, value):
    platform.forget_requests()
    blueprint = {
        "teams": [{"slug": "acme", "name": value}],
        "projects": [
            {**PROJECT, "framework": value, "source": "projects.yml:3"},
            {"team": "acme", "name": "blog", "previously": [value]},
            {"team": value, "name": "docs"},
        ],
        "aliases": [{**ALIAS, "parameters": {"a": {"b": value}}}],
    }
    result = perform("blueprint", platform.base_url, blueprint=blueprint)
    assert result["msg"].split("\n") == [
        f"teams[0] acme: name {PROBLEM}",
        f"projects[0] web (projects.yml:3): framework {PROBLEM}",
        f"projects[1] blog: previously {PROBLEM}",
        f"projects[2] docs: team {PROBLEM}",
        f"aliases[0] www.example.com: parameters {PROBLEM}",
    ]
    assert platform.requests() == []


def test_a_masked_value_of_an_info_module_is_not_sent_back(emulator):
    command = f"deploy --token {TOKEN}"
    emulator.seed(teams=[ACME], projects=[{**WEB, "buildCommand": command}])
    (shown,) = perform("project_info", emulator.base_url, team="acme")["projects"]
    given_back = {"name": shown["name"], "build_command": shown["build_command"]}
    result = perform("project", emulator.base_url, team="acme", **given_back)
    assert result["msg"] == f"build_command {PROBLEM}"
    assert emulator.state()["projects"][0]["buildCommand"] == command
