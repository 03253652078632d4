# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the options of the task, before any file is read."""

from typing import Any

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._converge.guards.table import (
    BLUEPRINT_GUARD,
    GUARDS,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.modules.blueprint import MODULE
from ansible_collections.hosting.platform.plugins.plugin_utils.tasks._options import read_options
from ansible_collections.hosting.platform.plugins.plugin_utils.tasks._text_values import converted

NAMES = ("directory", "report", "markdown", "plan", "invite", "confirm", "fail_on_drift")


def read(is_async: bool = False, **args: Any) -> dict[str, Any]:
    options = MODULE.specification.options
    return read_options(converted(args, options, ""), options, NAMES, is_async)


def problems(is_async: bool = False, **args: Any) -> list[str]:
    with pytest.raises(PlatformError) as refused:
        read(is_async, **args)
    return str(refused.value).split("\n")


def test_paths_that_are_empty_are_none():
    found = read(directory="d", report="", plan="p.json", markdown=None)
    assert [found[name] for name in ("directory", "report", "plan", "markdown")] == [
        ["d"],
        "",
        "p.json",
        "",
    ]


def test_flags_may_be_text():
    found = read(directory="d", invite="yes", confirm="False", fail_on_drift=1)
    assert [found[name] for name in ("invite", "confirm", "fail_on_drift")] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "guard", sorted({name.partition(".")[0] for name in GUARDS} - {BLUEPRINT_GUARD})
)
@pytest.mark.parametrize("value", [None, ""])
def test_no_guard_is_gone_in_silence(guard, value):
    assert problems(directory="d", **{guard: value}) == [
        f"{guard} is null or empty. To disable it, omit it."
    ]


def test_no_limit_is_gone_in_silence():
    assert problems(directory="d", limits={"create": None, "delete": 3}) == [
        "limits.create is null or empty. To disable it, omit it."
    ]


def test_all_that_is_wrong_is_said_at_once():
    wrong: dict[str, Any] = {"limit": {}, "report": ["a"], "invite": "maybe", "workers": 1.5}
    wrong["unlisted_fields"] = "cleared"
    assert problems(
        directory=" ", limits={"delete": "zero"}, prune=["projects", "project"], **wrong
    ) == [
        "directory: must be a path, and is empty. Name a directory, such as blueprint.",
        "limits.delete must be a whole number, and is text.",
        "prune[1]: must be one of projects, aliases, domains, not project. Did you mean projects?",
        "limit is not an option. Did you mean limits?",
        "report must be text, and is a list.",
        "invite must be true or false, and is text.",
        "workers must be a whole number, and is a number with a fraction.",
        "unlisted_fields: must be one of keep, clear, not cleared. Did you mean clear?",
    ]
    assert problems(directory="d", limits=True, only={"name": "a"}, prune_limit=None) == [
        "limits must be a dictionary, and is a boolean.",
        "only must be a list, and is a dictionary.",
        "prune_limit is null or empty. To disable it, omit it.",
    ]


@pytest.mark.parametrize(
    ("prune", "found"),
    [(True, "a boolean"), (1.5, "a number with a fraction"), ({"projects": True}, "a dictionary")],
)
def test_a_list_of_kinds_is_said_to_be_one(prune, found):
    assert problems(directory="d", prune=prune) == [
        f"prune must be a list of projects, aliases, domains, and is {found}."
    ]
    assert problems(directory="d", prune=[prune]) == [
        f"prune[0] must be one of projects, aliases, domains, and is {found}."
    ]


def test_no_directory_is_empty(monkeypatch):
    monkeypatch.setenv("NONE", "")
    empty = "directory: must be a path, and is empty. Name a directory, such as blueprint."
    assert problems(directory="") == problems(directory=" ") == problems(directory=[]) == [empty]
    assert problems(directory="$NONE") == [empty]
    assert problems(directory=["common", "", None]) == problems(directory=[None, 5]) == [empty]
    assert read(directory=[5])["directory"] == ["5"]


@pytest.mark.parametrize("option", ["directory", "report", "markdown", "plan", "approved"])
def test_asynchronous_task_has_no_files(option):
    args = {"blueprint": {}, option: "path"} if option != "directory" else {option: "path"}
    assert problems(True, **args) == [
        f"{option} cannot be used with async, because the task would end before its result is"
        " known. Remove async."
    ]


def test_asynchronous_task_asks_nothing_and_may_be_held_to_a_list():
    assert "confirm" in problems(True, blueprint={}, confirm=True)[0]
    assert not read(True, blueprint={}, approved=["a"], confirm=False)["confirm"]


@pytest.mark.parametrize("value", [["a\0b"], [["a", "\0"]]])
def test_items_of_any_type_have_no_nul_character(value):
    assert problems(directory="d", approved=value) == [
        "approved: must not contain a NUL character. Remove it."
    ]
    (problem,) = problems(directory="d", protect=[{"name": "a\0"}])
    assert problem == "protect[0]: must not contain a NUL character. Remove it."
