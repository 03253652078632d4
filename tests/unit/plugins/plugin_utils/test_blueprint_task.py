# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the options of the task, before any file is read."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.modules.blueprint import MODULE
from ansible_collections.hosting.platform.plugins.plugin_utils._blueprint_task import GUARDS, BlueprintTask


def task(is_async: bool = False, **args: Any) -> BlueprintTask:
    return BlueprintTask.of(args, MODULE.specification.options, "converge_", is_async)


def problems(is_async: bool = False, **args: Any) -> list[str]:
    with pytest.raises(PlatformError) as refused:
        task(is_async, **args)
    return str(refused.value).split("\n")


def test_paths_that_are_empty_are_no_outputs():
    found = task(directory="d", report="", plan="p.json", markdown=None)
    assert (found.directory, found.outputs, found.templates) == ("d", {"plan": "p.json"}, False)


def test_flags_may_be_text():
    assert task(directory="d", templates="yes", confirm="False", fail_on_drift=1).templates
    assert not task(directory="d", confirm="False").confirm


def test_one_of_directory_and_blueprint_is_needed():
    options = "converge_directory and converge_blueprint"
    assert problems() == [f"None of {options} is set. Set one."]
    assert problems(directory="d", blueprint={}) == [f"{options} are both set. Remove one."]
    assert task(blueprint={}).directory == ""


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("value", [None, ""])
def test_no_guard_is_gone_in_silence(guard, value):
    assert problems(directory="d", **{guard: value}) == [f"{guard} is null or empty. To do without, leave it out."]


def test_no_limit_is_gone_in_silence():
    assert problems(directory="d", limits={"create": None, "delete": 3}) == [
        "limits.create is null or empty. To do without, leave it out."
    ]


def test_wrong_values_in_lists_and_suboptions_are_named():
    assert problems(directory="d", limits={"delete": "zero"}, prune=["projects", "project"]) == [
        "limits.delete must be a whole number, and is text.",
        "prune[1] must be one of projects, aliases, domains. Did you mean projects?",
    ]


@pytest.mark.parametrize("option", ["directory", "report", "markdown", "plan", "approved"])
def test_asynchronous_task_has_no_files(option):
    args = {"blueprint": {}, option: "path"} if option != "directory" else {option: "path"}
    assert problems(True, **args) == [
        f"{option}: not possible with async, as such a task ends before there is a result. Remove async."
    ]


def test_asynchronous_task_asks_nothing_and_may_be_held_to_a_list():
    assert "confirm" in problems(True, blueprint={}, confirm=True)[0]
    assert task(True, blueprint={}, approved=["a"], confirm=False).approved == ["a"]
