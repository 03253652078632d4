# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong options of modules: refused before the first request, by name."""

import importlib
from typing import Any

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from client import CONNECTION

from ansible_collections.hosting.platform.plugins.module_utils._run.invocation import Invocation

SHORTEST = {option: CONNECTION[option] for option in ("base_url", "access_token")}
INVITATION = {"team": "acme", "email": "a@example.com", "role": "VIEWER"}
TWO_SCOPES = {"own_scope": True, "team": "acme"}
SCOPED: list[tuple[str, dict[str, Any]]] = [
    *(
        ("alias", {"alias": "new.example.com", "project": "web"}),
        ("alias_info", {}),
        ("domain_info", {}),
    ),
    *(
        ("blueprint", {"blueprint": {}}),
        ("domain", {"name": "example.com"}),
        ("project", {"name": "web"}),
    ),
    *(("project_info", {}), ("project_domain_info", {"project": "web"})),
]
WRONG: list[tuple[str, dict[str, Any], list[str]]] = [
    ("project", {"name": "x" * 101}, ["name", "101", "at most 100"]),
    ("project", {"name": ""}, ["name", "empty"]),
    ("project", {"id": "", "name": "web"}, ["id", "empty"]),
    ("project", {"framework": "astro"}, ["one of the following is required: name, id"]),
    ("project", {"name": "web", "state": "gone"}, ["state", "present", "absent"]),
    ("project", {"name": "web", "unlisted_fields": "drop"}, ["unlisted_fields", "keep", "clear"]),
    ("project_info", {"name": "web", "id": "prj_1"}, ["mutually exclusive", "name", "id"]),
    ("project_info", {"limit": 0}, ["limit", "1 or more"]),
    ("team", {"slug": ""}, ["slug", "empty"]),
    ("team", {"name": "Acme"}, ["one of the following is required: slug, id"]),
    ("team", {"slug": "acme", "description": "x" * 141}, ["description", "141", "at most 140"]),
    ("team_member", {**INVITATION, "user_id": "usr_1"}, ["mutually exclusive: email|user_id"]),
    ("team_member", {"team": "acme"}, ["one of the following is required: email, user_id"]),
    ("team_member", {"email": "a@example.com"}, ["missing required arguments: team"]),
    ("blueprint", {"blueprint": {}, "limits": {"delete": -1}}, ["limits", "delete", "0 or more"]),
    *(
        (
            module,
            {**options, **TWO_SCOPES},
            ["own_scope: cannot be true while team is set. Set only one of them."],
        )
        for module, options in SCOPED
    ),
    (
        "project_info",
        {"own_scope": True, "team": 0},
        ["own_scope: cannot be true while team is set. Set only one of them."],
    ),
    ("blueprint_info", {"teams": [""]}, ["teams[0]: must not be empty."]),
    ("user_info", {"ca_path": "/nowhere/ca.pem"}, ["ca_path", "/nowhere/ca.pem"]),
    (
        "user_info",
        {"request_log": "/nowhere/log"},
        ["request_log: ", "/nowhere/log", "cannot be written"],
    ),
    (
        "user_info",
        {"access_token": None, "access_token_path": "/nowhere/token"},
        ["/nowhere/token cannot be read"],
    ),
    ("user_info", {"access_token_path": "/x"}, ["access_token_path are both set"]),
]


@pytest.mark.parametrize(("name", "options", "words"), WRONG)
def test_wrong_option_is_refused_by_name(name, options, words):
    module = importlib.import_module(
        f"ansible_collections.hosting.platform.plugins.modules.{name}"
    ).MODULE
    given = {
        option: value for option, value in {**CONNECTION, **options}.items() if value is not None
    }
    checked = ArgumentSpecValidator(
        module.specification.options, **module.specification.rules
    ).validate(given)
    result = {"msg": " ".join(checked.error_messages)}
    if not result["msg"]:
        result = module.perform(Invocation(given, checked.validated_parameters, check_mode=False))
        assert "failure" not in result
    assert [word for word in words if word not in result["msg"]] == []


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("TIMEOUT", "0", ": must be a number of seconds greater than 0 and up to 86400 (one day)."),
        (
            "CA_PATH",
            "ca.pem",
            ": ca.pem is a relative path where the module runs. Write the whole path.",
        ),
    ],
)
def test_a_wrong_value_of_a_variable_names_the_variable(monkeypatch, variable, value, message):
    monkeypatch.setenv(f"HOSTING_PLATFORM_{variable}", value)
    module = importlib.import_module(
        "ansible_collections.hosting.platform.plugins.modules.user_info"
    ).MODULE
    checked = ArgumentSpecValidator(module.specification.options).validate(SHORTEST)
    invocation = Invocation(SHORTEST, checked.validated_parameters, check_mode=False)
    result = module.perform(invocation)
    assert result["msg"] == f"HOSTING_PLATFORM_{variable}{message}"


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("timeout", "soon", "a number"),
        ("validate_certs", "maybe", "true or false"),
        ("max_retries", "1.5", "a whole number"),
    ],
)
def test_a_variable_of_another_type_is_named(monkeypatch, option, value, expected):
    variable = f"HOSTING_PLATFORM_{option.upper()}"
    monkeypatch.setenv(variable, value)
    module = importlib.import_module(
        "ansible_collections.hosting.platform.plugins.modules.user_info"
    ).MODULE
    checked = ArgumentSpecValidator(module.specification.options).validate(SHORTEST)
    invocation = Invocation(SHORTEST, checked.validated_parameters, check_mode=False)
    result = module.rejection(invocation, checked.errors.msg)
    assert result["msg"] == f"{variable} must be {expected}, and is text."


def test_an_option_that_the_task_sets_is_named_beside_its_variable(monkeypatch):
    monkeypatch.setenv("HOSTING_PLATFORM_TIMEOUT", "30")
    module = importlib.import_module(
        "ansible_collections.hosting.platform.plugins.modules.user_info"
    ).MODULE
    given = {**CONNECTION, "timeout": 0.0}
    checked = ArgumentSpecValidator(module.specification.options).validate(given)
    result = module.perform(Invocation(given, checked.validated_parameters, check_mode=False))
    assert result["msg"].startswith("timeout: must be a number of seconds")
