# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An approval: which plan file approves what, and that invitations are taken out of it once."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from results import make_view, result

from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption
from ansible_collections.hosting.platform.plugins.plugin_utils.blueprint._approval import Approval
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._plan_file import (
    UNFINISHED,
    plan_file,
)

ROWS = [
    result("projects", "shop", "acme", "create", step="a"),
    result("team_members", "dev@example.com", "acme", "invite", step="b"),
    result("projects", "blog", "acme", "none"),
]
RESULT: dict[str, Any] = {
    "changed": True,
    "refused": False,
    "base_url": "https://a",
    "results": ROWS,
    "steps": [*"ab"],
}


def put(folder: Path, content: Any) -> str:
    path = folder / "plan.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def changed(**values: Any) -> dict[str, Any]:
    return {**json.loads(plan_file(make_view(RESULT))), **values}


def test_plan_is_what_it_approves(tmp_path):
    approval = Approval(put(tmp_path, plan_file(make_view(RESULT))))
    assert (approval.steps, approval.invitations) == (["a", "b"], {"b"})
    assert approval.option == {"base_url": "https://a", "steps": ["a", "b"]}
    assert Approval(["a"]).steps == Approval(["a"]).option == ["a"]
    assert Approval([]).steps == []
    assert Approval(None).steps is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            plan_file(make_view(UNFINISHED)),
            "belongs to a run that has not finished, or that failed before it made a plan."
            " Plan again.",
        ),
        (changed(refused=True), "belongs to a run that was refused. Plan again."),
        (changed(format=2), "is not a plan file of format 1"),
        (changed(steps="all"), "is not a plan file of format 1"),
        (changed(steps=[1]), "is not a plan file of format 1"),
        (changed(results=[1]), "is not a plan file of format 1"),
        ({"format": 1, "steps": ["a"]}, "is not a plan file of format 1"),
        ([], "is not a plan file of format 1"),
        ("[" * 100_000, "is not a plan file of format 1"),
        ("$ANSIBLE_VAULT;1.1;AES256\n6162\n", "is not a plan file of format 1"),
    ],
)
def test_invalid_plan_files_are_rejected(tmp_path, content, words):
    path = put(tmp_path, content)
    with pytest.raises(InvalidOption) as refused:
        Approval(path)
    assert str(refused.value).startswith(f"approved: {path} {words}")


@pytest.mark.parametrize(
    "make", [lambda _path: None, os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/null", path)]
)
def test_approved_path_without_a_regular_file_is_rejected(tmp_path, make):
    make(tmp_path / "plan.json")
    with pytest.raises(InvalidOption, match=r"plan\.json cannot be used as a plan: it"):
        Approval(str(tmp_path / "plan.json"))


def test_text_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for given in ("", " ", "[]", "x" * 300):
        with pytest.raises(InvalidOption, match=r"approved: /.*cannot be used as a plan: it "):
            Approval(given)


@pytest.mark.parametrize("given", [{"a": 1}, 5, True, [5], [None], [["a"]]])
def test_approved_value_other_than_a_list_of_steps_is_rejected(given):
    with pytest.raises(InvalidOption, match="approved: must be a list of step ids"):
        Approval(given)


def test_rows_that_somebody_has_cut_explain_nothing(tmp_path):
    cut = [{"kind": "projects", "team": "acme", "name": "web", "step": "a"}]
    approval = Approval(put(tmp_path, changed(results=cut, base_url=None)))
    assert approval.describe_changes([{**cut[0], "action": "update", "step": "c"}]) == []
    assert approval.option == ["a", "b"]


def test_invitations_are_taken_out_of_the_file_and_the_rest_stays(tmp_path):
    path = put(tmp_path, changed(more="kept"))
    approval = Approval(path)
    approval.consume({"b", "of another plan"})
    left = json.loads(Path(path).read_text())
    assert left == changed(more="kept", steps=["a"])
    assert approval.steps == ["a", "b"], "this run may still send them"


def test_two_runs_never_take_the_same_invitation(tmp_path):
    path = put(tmp_path, changed())
    first = Approval(path)
    second = Approval(path)
    first.consume({"b"})
    with pytest.raises(
        InvalidOption, match="no longer contains these invitations: another run has used them"
    ):
        second.consume({"b"})


def test_file_is_not_written_where_nothing_is_taken_out(tmp_path):
    path = put(tmp_path, json.dumps(changed()))
    Approval(path).consume({"c"})
    assert json.loads(Path(path).read_text()) == changed()
    assert "\n" not in Path(path).read_text()


def test_step_that_no_result_explains_may_be_an_invitation(tmp_path):
    assert Approval(put(tmp_path, changed(steps=["a", "b", "c"]))).invitations == {"b", "c"}


@pytest.mark.parametrize(("kind", "hidden"), [("aliases", {"b"}), ("team_members", {"b", "c"})])
def test_a_step_that_was_not_tried_is_an_invitation_where_one_was_not(tmp_path, kind, hidden):
    untried = {**ROWS[2], "kind": kind, "action": "skip", "reason": "dependency"}
    plan = changed(steps=["a", "b", "c"], results=[*ROWS, untried])
    assert Approval(put(tmp_path, plan)).invitations == hidden


def test_a_plan_of_any_size_can_be_approved(tmp_path):
    """What is written can be read: 55,000 unchanged entries make a file of 17 MiB."""
    rows = [result("projects", "x" * 300, "acme", "none")] * 60_000
    path = put(tmp_path, plan_file(make_view({**RESULT, "results": rows})))
    assert os.path.getsize(path) > 17 * 1024**2
    assert Approval(path).steps == ["a", "b"]


def project(name: str, step: str | None, after: dict[str, Any]) -> dict[str, Any]:
    before = {"framework": "hugo"}
    return result("projects", name, "acme", "update", before=before, after=after, step=step)


def test_steps_that_were_approved_otherwise_are_said_with_both(tmp_path):
    approved = [
        project("blog", "1", {"framework": "astro"}),
        project("shop", "2", {"framework": "astro"}),
        project("same", "3", {"framework": "astro"}),
        project("wiki", None, {}),
    ]
    plan = plan_file(make_view({**RESULT, "results": approved, "steps": ["1"]}))
    now = [
        project("blog", "4", {"framework": "vite"}),
        project("shop", "5", {"framework": "astro"}),
        project("same", "3", {"framework": "astro"}),
        project("wiki", "6", {"framework": "vite"}),
        project("new", "7", {"framework": "vite"}),
    ]
    assert Approval(put(tmp_path, plan)).describe_changes(now) == [
        "~ project acme/blog, framework: hugo -> vite was approved as"
        " ~ project acme/blog, framework: hugo -> astro.",
        "~ project acme/shop, framework: hugo -> astro was approved as the same,"
        " but it, or what it belongs to, has changed since, or is another object by now.",
    ]
