# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of a task: what is in the way is known before anything is written, and nothing is written
through a link.
"""

from pathlib import Path
from typing import Any

import pytest
from results import make_result, make_view

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.plugin_utils.blueprint._outputs import (
    RENDERERS,
    prepare_outputs,
    write_outputs,
)


def options(**given: Any) -> dict[str, Any]:
    return {**dict.fromkeys(RENDERERS, ""), "directory": [], **given}


def problems(folder: Path, others: Any = None, approved: str = "", **given: Any) -> list[str]:
    with pytest.raises(PlatformError) as refused:
        prepare_outputs(
            options(**given), {**(others or {}), "converge_approved": approved}, "converge_"
        )
    return str(refused.value).replace(f"{folder}/", "").split("\n")


def test_no_two_paths_name_one_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").symlink_to(".")
    given = {"report": "a", "markdown": "folder/a", "plan": "token"}
    assert problems(tmp_path, {"access_token_path": str(tmp_path / "token")}, **given) == [
        "converge_markdown and converge_report name the same file, folder/a.",
        "converge_plan and access_token_path name the same file, token.",
    ]
    (problem,) = problems(tmp_path, approved=str(tmp_path / "a"), report="a")
    assert problem == "converge_report and converge_approved name the same file, a."


def test_plan_may_name_the_approved_file_and_is_not_written(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("approved")
    outputs = prepare_outputs(options(plan=str(path)), {"approved": str(path)}, "")
    assert outputs == {}
    assert list(write_outputs(outputs, make_view(make_result([])))) == []
    assert path.read_text() == "approved"


def test_output_in_the_directory_of_the_blueprint_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blueprint").mkdir()
    (tmp_path / "link").symlink_to("blueprint")
    given = {
        "report": "blueprint/report.html",
        "plan": "blueprint2/plan.json",
        "markdown": "link/x/README.md",
    }
    assert problems(tmp_path, directory=["other", "./blueprint"], **given) == [
        "converge_report is inside the blueprint directory (blueprint/report.html), so the next"
        " run would read it."
        " Choose another path.",
        "converge_markdown is inside the blueprint directory (link/x/README.md), so the next run"
        " would read it."
        " Choose another path.",
    ]


def test_write_outputs_returns_write_errors(tmp_path):
    outputs = prepare_outputs(options(report=str(tmp_path / "report.html")), {}, "converge_")
    (tmp_path / "report.html").mkdir()
    assert list(write_outputs(outputs, make_view(make_result([])))) == [
        f"converge_report cannot be written to {tmp_path}/report.html: is a directory."
    ]
