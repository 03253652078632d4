# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example pipelines: plan on a request, apply what was approved on the merge, and drift at night."""

from __future__ import annotations

import pytest
from github_forge import GitHub
from gitlab_forge import GitLab
from playing import Player

NOTHING = {"README.md": "Nothing new\n"}
PLAN, DRIFT = "<!-- hosting.platform plan -->\n", "<!-- hosting.platform drift -->\n"
Forge = GitHub | GitLab


def project(name: str) -> dict[str, str]:
    return {f"blueprint/projects/{name}.yml": f"- name: {name}\n  team: acme\n"}


def names(player: Player) -> list[str]:
    return sorted(found["name"] for found in player.emulator.state()["projects"])


def test_request_is_planned_merged_and_watched(player: Player, forge: Forge) -> None:
    request = forge.open(NOTHING)
    planned = forge.plan(request)
    assert set(planned.results.values()) == {"success"}, planned.output
    assert player.emulator.writes == []
    (comment,) = forge.comments_on(request)
    assert comment.startswith(PLAN)
    assert "**2 of 2 entries differ from the platform.**" in comment
    assert "| project | `shop-web` | `acme` |" in comment
    assert set(forge.runner.installed.read_text(encoding="utf-8").splitlines()) == {
        "pip install --requirement requirements.txt",
        "pip install --requirement rules/requirements.txt",
        "ansible-galaxy collection install --requirements-file requirements.yml",
    }

    forge.merge(request)
    applied = forge.apply()
    assert not applied.failed, applied.output
    assert names(player) == ["shop-web"]

    token = player.environment["HOSTING_PLATFORM_ACCESS_TOKEN"]
    holders = [set(given) for given in forge.environment_of_steps if token in given.values()]
    assert {"ACCESS_TOKEN"} not in holders or all(given == {"ACCESS_TOKEN"} for given in holders)
    assert sum("HOSTING_PLATFORM_ACCESS_TOKEN_PATH" in given for given in forge.environment_of_steps) == 2


def test_drift_has_one_issue_until_the_platform_is_as_declared(player: Player, forge: Forge) -> None:
    player.emulator.seed(teams=[{"slug": "acme", "name": "Acme"}])
    player.emulator.seed(projects=[{"name": "shop-web", "team": "acme", "framework": "nextjs"}])
    forge.write(forge.issues, f"{DRIFT}A stranger's", title="Mine")
    for number in range(3):
        forge.write(forge.issues, f"Something else {number}", title="Other")
    quiet = forge.drift()
    assert not quiet.failed, quiet.output
    assert len(forge.issues) == 4

    as_declared = player.emulator.snapshot()
    player.emulator.seed(projects=[{"name": "by-hand", "team": "acme"}])
    player.emulator.forget_requests()
    for expected in ("`by-hand`", "`by-hand-too`"):
        drifted = forge.drift()
        assert drifted.failed, "it fails, and shows the report all the same"
        assert "<title>Drift report" in forge.drift_report
        *_others, issue = forge.issues
        assert len(forge.issues) == 5
        assert expected in (issue.get("description") or issue["body"])
        assert issue["title"] == "The platform is not as declared"
        assert player.emulator.writes == []
        player.emulator.seed(projects=[{"name": "by-hand-too", "team": "acme"}])

    player.emulator.restore(as_declared)
    assert not forge.drift().failed
    assert [issue["state"].startswith("open") for issue in forge.issues] == [True] * 4 + [False]
    assert "A stranger's" in str(forge.issues[0])


@pytest.mark.thorough
def test_request_has_one_comment_that_each_push_updates(forge: Forge) -> None:
    request = forge.open(NOTHING)
    for number in range(3):
        forge.write(forge.comments, f"{PLAN}A stranger's {number}", on=request.number)
    forge.plan(request)
    request.sha = forge.runner.repository.propose(request.number, project("shop-new"))
    forge.plan(request)

    *strangers, comment = forge.comments_on(request)
    assert len(strangers) == 3
    assert all("A stranger's" in text for text in strangers)
    assert comment.startswith(PLAN)
    assert "`shop-new`" in comment


def test_wrong_files_are_not_planned(player: Player, forge: Forge) -> None:
    request = forge.open({"blueprint/projects.yml": "- {nme: web}\n"})

    planned = forge.plan(request)

    assert planned.results["validate"] == "failure"
    assert planned.results["plan"] == "skipped"
    assert "unknown option nme. Did you mean name?" in planned.output
    assert player.emulator.requests() == []
    assert forge.comments_on(request) == []


def test_rules_of_ones_own_are_checked(player: Player, forge: Forge) -> None:
    request = forge.open({**project("web"), "blueprint/media/projects.yml": "projects: [{name: media-wiki}]\n"})

    planned = forge.plan(request)

    assert planned.results["validate"] == "failure"
    assert "web.yml::$[0].name: 'web' does not match" in planned.output
    assert "projects.yml::$.projects[0]: 'team' is a required property" in planned.output
    assert player.emulator.requests() == []


def test_request_of_a_stranger_is_planned_and_runs_nothing(player: Player, forge: Forge) -> None:
    canary = player.folder / "canary"
    lookup = f"{{{{ lookup('pipe', 'touch {canary}') }}}}"
    stranger = {
        "blueprint/projects.yml": f'- name: shop-web\n  team: acme\n  build_command: "{lookup}"\n',
        "settings.yml": f'converge_directory: blueprint\nconverge_templates: true\nconverge_limits: "{lookup}"\n',
        "ansible.cfg": "[defaults]\nfilter_plugins = plugins\ncallback_plugins = plugins\n",
        "plugins/canary.py": f"open({str(canary)!r}, 'w').close()\n",
        "requirements.txt": "of-a-stranger==1\n",
        "show.py": f"open({str(canary)!r}, 'w').close()\n",
        ".gitattributes": "* filter=canary\n",
    }
    request = forge.open(stranger, is_fork=True)

    planned = forge.plan(request)

    assert set(planned.results.values()) == {"success"}, planned.output
    (comment,) = forge.comments_on(request)
    assert "lookup('pipe', 'touch" in comment, "as text"
    assert not canary.exists()
    assert "of-a-stranger" not in forge.runner.installed.read_text(encoding="utf-8")
    assert player.emulator.writes == []
    if isinstance(forge, GitHub):
        assert forge.environments == ["plan-forks"], "which a maintainer allows"


def test_directory_of_a_stranger_that_is_a_link_is_refused(player: Player, forge: Forge) -> None:
    request = forge.open({}, is_fork=True)
    request.sha = forge.runner.repository.propose_link(request.number, "blueprint", "/etc")

    planned = forge.plan(request)

    assert planned.results["validate"] == "failure"
    assert player.emulator.requests() == []


def test_dependabot_has_no_plan_and_may_be_merged(player: Player, github: GitHub) -> None:
    request = github.open({"requirements.txt": "requests==9.9.9\n"}, author="dependabot[bot]")

    planned = github.plan(request)

    assert planned.results == {"validate": "success", "plan": "skipped", "comment": "skipped"}
    assert player.emulator.requests() == []
    github.merge(request)
    assert github.apply().failed, "even if it changes the blueprint"
    assert player.emulator.requests() == []


def test_merge_queue_is_validated(player: Player, github: GitHub) -> None:
    right, wrong = github.open(NOTHING), github.open({"blueprint/projects.yml": "- {nme: web}\n"})

    assert github.queue(right).results == {"validate": "success", "plan": "skipped", "comment": "skipped"}
    assert github.queue(wrong).results["validate"] == "failure"
    assert player.emulator.requests() == []
