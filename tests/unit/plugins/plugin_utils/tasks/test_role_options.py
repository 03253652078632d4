# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables that look like options of a role, and options in messages as the reader of a role sets
them.
"""

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    InvalidOption,
    MissingOption,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.options import WrongType
from ansible_collections.hosting.platform.plugins.modules import (
    blueprint,
    blueprint_info,
    blueprint_validate,
    login_request,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.tasks._options import (
    option_names,
    role_name,
    unknown_role_variables,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.tasks._task_run import TaskRun

MODULES = {
    "converge": blueprint.MODULE,
    "export": blueprint_info.MODULE,
    "login": login_request.MODULE,
}


def test_an_option_has_the_name_under_which_the_role_takes_it():
    several = PlatformError(
        "text\nline",
        InvalidOption("only[0].kind", "unknown"),
        "plan.json: no YAML",
        PlatformError(WrongType("plan", "text", 1), MissingOption("team", "is not set.")),
    )
    assert str(several).split("\n") == [
        "text\\u000aline",
        "only[0].kind: unknown",
        "plan.json: no YAML",
        "plan must be text, and is a number. Quote it.",
        "team: is not set.",
    ]
    assert several.text(option_names("converge")).split("\n") == [
        "text\\u000aline",
        "converge_only[0].kind: unknown",
        "plan.json: no YAML",
        "converge_plan must be text, and is a number. Quote it.",
        "team: is not set.",
    ]


def test_a_sentence_that_is_added_leaves_the_option_its_name():
    error = InvalidOption("only", "is wrong.")
    error.add_sentence("Correct it.")
    assert error.text({"only": "converge_only"}) == "converge_only: is wrong. Correct it."


def test_a_task_that_failed_without_a_call_has_no_failure():
    assert TaskRun({}, "converge", [], "").failure(InvalidOption("only", "is wrong.")) == {
        "failed": True,
        "msg": "converge_only: is wrong.",
    }


def test_warnings_of_an_action_plugin_are_escaped():
    assert TaskRun({}, "", ["a\x1b[31m"], "").with_warnings({}) == {"warnings": ["a\\u001b[31m"]}


def test_only_a_role_of_this_collection_prefixes_options():
    names = (
        "hosting.platform.converge",
        "hosting.platform.nope",
        "converge",
        "hosting.platform.",
        "../converge",
    )
    assert [role_name({"ansible_role_name": name}) for name in names] == [
        "converge",
        "",
        "",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("variable", "advice"),
    [
        ("converge_dir", "Known names: converge_directory,"),
        ("converge_igonre", "Did you mean converge_ignore?"),
        ("export_kind", "Did you mean export_kinds?"),
        ("login_mail", "Did you mean login_email?"),
        ("export_zzz", "Known names: export_directory, export_teams,"),
        (
            "converge_base_url",
            "Set the environment variable HOSTING_PLATFORM_BASE_URL, or base_url in"
            " module_defaults",
        ),
        (
            "export_timeout",
            "Set the environment variable HOSTING_PLATFORM_TIMEOUT, or timeout in module_defaults",
        ),
        (
            "converge_team",
            "Set the environment variable HOSTING_PLATFORM_TEAM, or team in module_defaults of the"
            " group hosting.platform.team_scoped.",
        ),
        ("export_team", "Did you mean export_teams?"),
        (
            "login_ca_path",
            "Set the environment variable HOSTING_PLATFORM_CA_PATH, or ca_path in module_defaults",
        ),
    ],
)
def test_the_prefix_has_no_part_in_what_is_near(variable, advice):
    role = variable.partition("_")[0]
    given = {variable, "other", "converge_summary"}
    (message,) = unknown_role_variables(role, given, MODULES[role].specification.options)
    assert message.startswith(f"{variable} is not an option of the role {role}. {advice}")


def test_a_module_without_a_connection_says_what_sets_one_too():
    """As the playbook validate does."""
    options = blueprint_validate.OPTIONS
    (message,) = unknown_role_variables("converge", ["converge_base_url"], options)
    assert "Set the environment variable HOSTING_PLATFORM_BASE_URL, or base_url in" in message


@pytest.mark.parametrize(
    "variable",
    ["login_user", "login_shell", "login_host", "login_password", "login_team", "login_"],
)
def test_variables_of_others_are_nothing_to_the_role_login(variable):
    options = MODULES["login"].specification.options
    assert list(unknown_role_variables("login", [variable], options)) == []
