# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the example pipelines apply: the plan of the request that was merged, and nothing else."""

from __future__ import annotations

import pytest
from github_forge import GitHub
from gitlab_forge import GitLab
from pipelines import EXAMPLES
from playing import Player

pytestmark = pytest.mark.thorough

NOTHING = {"README.md": "Nothing new\n"}
NEW = {"blueprint/projects/shop-new.yml": "- name: shop-new\n  team: acme\n"}
# Plans that are found, and then refused for their versions.
KEPT = {"plan.json": b"kept", "versions.txt": b"other versions\n"}
FORGED = {**KEPT, "plan.json": b"forged"}
VERSIONS = b"".join((EXAMPLES / name).read_bytes() for name in ("requirements.txt", "requirements.yml"))
UNPLANNED = ("The request that was merged has no plan", "The commit that was reviewed has no")
UNREQUESTED = ("No pull request was merged into main as this commit", "No merge request brought this commit")

Forge = GitHub | GitLab


def approved(forge: Forge) -> bytes | None:
    """The plan that the applying job has found."""
    file = forge.runner.workspace / "approved/plan.json"
    return file.read_bytes() if file.exists() else None


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
def test_each_way_to_merge_finds_the_plan(forge: Forge, how: str) -> None:
    request = forge.open(NEW)
    forge.keep(request, KEPT)
    # Main goes on meanwhile, so that none of them is the same commit.
    forge.runner.repository.push({"README.md": "Meanwhile\n"})
    forge.merge(request, how)

    applied = forge.apply()

    assert approved(forge) == KEPT["plan.json"], applied.output
    assert "other versions" in applied.output


def test_what_nobody_approved_is_not_done(player: Player, forge: Forge) -> None:
    request = forge.open(NOTHING)
    planned = forge.plan(request)
    assert not planned.failed, planned.output
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "meanwhile", "team": "acme"}])

    forge.merge(request)
    applied = forge.apply()

    assert applied.failed
    assert "meanwhile" in applied.output
    assert player.emulator.writes == []


def test_merge_without_a_plan_does_nothing(player: Player, forge: Forge) -> None:
    forge.keep(forge.open(NOTHING), KEPT)
    request = forge.open({"README.md": "Something else\n"})
    forge.keep(request, FORGED, conclusion="failed")
    forge.merge(request)

    applied = forge.apply()

    assert applied.failed
    assert any(text in applied.output for text in UNPLANNED), applied.output
    assert player.emulator.requests() == []


def test_direct_push_does_nothing(player: Player, forge: Forge) -> None:
    forge.runner.repository.push(NEW)

    applied = forge.apply()

    assert applied.failed
    assert any(text in applied.output for text in UNREQUESTED), applied.output
    assert player.emulator.requests() == []


def test_request_that_is_open_or_for_another_branch_approves_nothing(player: Player, forge: Forge) -> None:
    request = forge.open(NOTHING)
    other = forge.open(NOTHING, base="other")
    other.sha = other.merged = request.sha
    forge.keep(request, FORGED)
    forge.keep(other, FORGED)
    # The very commit of both, pushed to main.
    forge.runner.repository.fast_forward(request.sha)

    applied = forge.apply()

    assert any(text in applied.output for text in UNREQUESTED), applied.output
    assert approved(forge) is None
    assert player.emulator.requests() == []


def test_plan_that_something_else_has_made_of_the_same_commit_is_not_taken(forge: Forge) -> None:
    request = forge.open(NOTHING)
    forge.keep(request, KEPT)
    for event in ("pull_request", "push", "workflow_dispatch", "feature", "refs/merge-requests/99/head"):
        forge.keep(request, FORGED, event)
    other = forge.open(NOTHING)
    other.sha = request.sha
    forge.keep(other, FORGED)
    forge.merge(request)

    forge.apply()

    assert approved(forge) == KEPT["plan.json"]


@pytest.mark.parametrize(
    ("file", "old", "new"), [("requirements.yml", "1.0.0", "1.0.1"), ("requirements.txt", "==", "===")]
)
def test_plan_of_other_versions_is_not_applied(player: Player, forge: Forge, file: str, old: str, new: str) -> None:
    request = forge.open(NOTHING)
    forge.keep(request, {**KEPT, "versions.txt": VERSIONS})
    forge.runner.repository.push({file: (EXAMPLES / file).read_text(encoding="utf-8").replace(old, new)})
    forge.merge(request)

    applied = forge.apply()

    assert applied.failed
    assert "\n> " in applied.output
    assert new in applied.output
    assert player.emulator.requests() == []


def test_refused_plan_is_shown_and_no_plan_to_apply(player: Player, forge: Forge) -> None:
    many = [{"name": f"old-{number}", "team": "acme"} for number in range(6)]
    player.emulator.seed(teams=[{"slug": "acme", "name": "Acme"}], projects=many)
    request = forge.open(NOTHING)

    planned = forge.plan(request)

    assert planned.results["plan"] == "failure"
    (comment,) = forge.comments_on(request)
    assert "limits" in comment
    forge.merge(request)
    applied = forge.apply()
    assert applied.failed
    assert any(text in applied.output for text in UNPLANNED), applied.output
    assert player.emulator.writes == []
