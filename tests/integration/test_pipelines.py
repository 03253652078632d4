# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the pipelines, as they stand: plan a request, apply what was approved, compare at
night.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from forges import LATER, Forge
from player import Player
from sampling import sampled
from stub_server import ReceivedRequest, StubResponse, stub_server

pytestmark = pytest.mark.skipif(
    not ((which("curl") and which("jq")) or os.environ.get("CI")), reason="no curl or jq"
)

PLAN = "<!-- hosting.platform plan production -->\n"
DRIFT = "<!-- hosting.platform drift production -->\n"
NEW = {"blueprint/projects/shop-new.yml": "- name: shop-new\n  team: acme\n"}
MERGE = "Once this request is approved, merging it applies this plan, and nothing else."


@pytest.fixture(params=sampled([True, False], 2), ids=["github", "gitlab"])
def forge(player: Player, request: pytest.FixtureRequest) -> Iterator[Forge]:
    def reply(asked: ReceivedRequest) -> StubResponse:
        return found.reply(asked)

    # A short path, for the sockets of Ansible.
    with tempfile.TemporaryDirectory() as folder, stub_server(reply) as server:
        found = Forge(player, server.base_url, Path(folder), request.param)
        yield found


def checksum(plan: bytes) -> str:
    command = "jq --raw-output '.steps[]' | sort | sha256sum"
    done = subprocess.run(["bash", "-c", command], input=plan, check=True, capture_output=True)
    return done.stdout.decode().split()[0]


# The rules are those of main, and hold for a file of several kinds, too.
FORBIDDEN = [
    ("blueprint/aliases", "-> /etc", "aliases"),
    ("blueprint/all.yml", "projects: [{name: web, team: acme}]\n", "'web' does not match"),
]


def test_request_is_validated_planned_approved_and_applied(player: Player, forge: Forge) -> None:
    if forge.is_github:
        forge.environment["GITHUB_EVENT_NAME"] = "pull_request"
        refused = forge.run_for_request("validate", forge.propose(NEW))
        assert refused.stdout == "Call this workflow on pull_request_target, not on pull_request.\n"
        forge.environment["GITHUB_EVENT_NAME"] = "pull_request_target"
    for name, content, words in FORBIDDEN:
        refused = forge.run_for_request("validate", forge.propose({name: content}))
        assert (refused.returncode != 0, words in refused.stdout) == (True, True)
    head, (plan, markdown, versions) = forge.plan(NEW)
    assert player.emulator.writes == []
    assert forge.run_for_request("validate", head).returncode == 0
    commented = forge.run_for_request("comment", head, plan_json=plan, plan_md=markdown)
    assert commented.returncode == 0, commented.stdout
    ((method, comment),) = forge.written
    assert method == "POST"
    assert comment.startswith(PLAN)
    assert "\n+ project acme/shop-new\n" in comment
    assert f"SHA-256 of the steps: `{checksum(plan)}`" in comment
    assert f"\n{MERGE}\n" in comment
    assert "without check mode" not in comment

    forge.merge(head)
    forge.describe_request(head, {7: {}})
    forge.store_plan(7, plan, versions)
    applied = forge.run_on_main("apply")
    assert applied.returncode == 0, applied.stdout
    assert checksum(plan) in applied.stdout
    assert {found["name"] for found in player.emulator.state()["projects"]} == {
        "shop-new",
        "shop-web",
    }


# What is wrong with a request, and the words of either forge.
NOT_APPROVED: list[tuple[dict[str, Any], tuple[str, str]]] = [
    (
        {"plans": {}},
        (
            "The request has no plan from before its approval",
            "has no plan from before its approval",
        ),
    ),
    (
        {"approved": False},
        ("Nobody has approved the last commit", "Nobody but its author has approved"),
    ),
    ({"base": "other"}, ("No request was merged into main", "No merge request brought")),
]


def test_apply_takes_only_the_plan_that_was_read(player: Player, forge: Forge) -> None:
    """Runs 1 and 2 are right. The newer ones are of something else, failed, or were made after the
    approval.
    """
    wrong: list[dict[str, Any]] = (
        [
            {"path": ".github/workflows/other.yml"},
            {"event": "push"},
            {"conclusion": "failure"},
            {"updated_at": LATER},
        ]
        if forge.is_github
        else [{"ref": "other"}, {"sha": "0" * 40}, {"status": "failed"}, {"finished_at": LATER}]
    )
    head = forge.propose({})
    forge.merge(head)
    for request, words in NOT_APPROVED:
        forge.describe_request(head, **{"plans": {1: {}}, **request})
        refused = forge.run_on_main("apply")
        assert (refused.returncode != 0, words[not forge.is_github] in refused.stdout) == (
            True,
            True,
        ), refused.stdout
        assert not (forge.workspace / "approved").exists()
    runs = dict(enumerate([{}, {}, *wrong], start=1))
    forge.describe_request(head, runs)
    for run in runs:
        forge.store_plan(run, b'{"steps": ["%d"]}' % run)
    applied = forge.run_on_main("apply")
    assert json.loads((forge.workspace / "approved/plan.json").read_bytes()) == {"steps": ["2"]}, (
        applied.stdout
    )
    assert applied.returncode != 0, "its versions are others"
    assert "< others" in applied.stdout
    forge.push({"README.md": "Straight to main\n"})
    assert forge.run_on_main("apply").returncode != 0
    assert player.emulator.requests() == []


def test_drift_fails_and_has_one_issue(player: Player, forge: Forge) -> None:
    web = {"name": "shop-web", "team": "acme", "framework": "nextjs"}
    player.emulator.seed(teams=[{"slug": "acme", "name": "Acme"}], projects=[web])
    quiet = forge.run_on_main("drift")
    assert quiet.returncode == 0, quiet.stdout
    player.emulator.seed(projects=[{"name": "by-hand", "team": "acme"}])
    player.emulator.forget_requests()
    assert forge.run_on_main("drift").returncode != 0
    assert "<title>Drift report" in (forge.workspace / "drift.html").read_text(encoding="utf-8")
    assert player.emulator.writes == []
    report = (forge.workspace / "drift.md").read_bytes()

    changing, closing = ("issue", "issue") if forge.is_github else ("drifted", "as_declared")
    jobs = (
        (changing, "failure", "POST"),
        (changing, "failure", "PATCH"),
        (closing, "success", "PATCH"),
    )
    for job, result, expected in jobs:
        done = forge.run(job, forge.main, {"needs.drift.result": result}, {"drift.md": report})
        assert done.returncode == 0, done.stdout
        method, issue = forge.written.pop()
        assert method == (expected if forge.is_github else expected.replace("PATCH", "PUT"))
        assert "acme/by-hand" in issue or "close" in issue
        # Of these, only the last one is this environment's: another user, and another environment.
        login = {"login": "github-actions[bot]"}
        user = {"id": 7}
        others = {"number": 1, "iid": 1, "user": {"login": "stranger"}, "author": {"id": 1}}
        staging = {"number": 3, "iid": 3, "user": login, "author": user}
        own = {"number": 2, "iid": 2, "user": login, "author": user}
        elsewhere = DRIFT.replace("production", "staging")
        forge.answers["/issues"] = [
            {**others, "body": DRIFT, "description": DRIFT},
            {**own, "body": DRIFT, "description": DRIFT},
            {**staging, "body": elsewhere, "description": elsewhere},
        ]
    assert "close" in issue
    assert [path.rpartition("/")[2] for path in forge.changed] == ["2", "2"]


@pytest.mark.thorough
def test_an_undeclared_project_can_fail_the_nightly_job_and_fails_no_plan(
    player: Player, forge: Forge
) -> None:
    forge.push({"settings.yml": "{}\n"})
    projects = [{"name": name, "team": "acme"} for name in ("shop-web", "by-hand")]
    projects[0]["framework"] = "nextjs"
    player.emulator.seed(teams=[{"slug": "acme", "name": "Acme"}], projects=projects)
    assert forge.run_on_main("drift").returncode == 0
    forge.inputs["fail_on_undeclared"] = "true"
    forge.plan(NEW)
    night = forge.run_on_main("drift")
    assert night.returncode != 0
    report = (forge.workspace / "drift.md").read_text(encoding="utf-8")
    assert "# undeclared: project acme/by-hand\n" in report
    assert player.emulator.writes == []


COMMON = "team: acme\nteams: [{slug: acme, name: Acme}]\nprojects:\n  - name: shop-blog\n"
STAGING = "team: acme\nprojects:\n  - name: shop-sandbox\n"


@pytest.mark.thorough
def test_two_directories_are_one_blueprint(player: Player, forge: Forge) -> None:
    forge.inputs["directory"] = "common,staging"
    files = {"common/sites.yml": COMMON, "staging/sites.yml": STAGING}
    forge.push({**files, "settings.yml": "converge_prune: [projects]\n"})
    head = forge.propose({"staging/more.yml": "projects: [{name: shop-more, team: acme}]\n"})
    validated = forge.run_for_request("validate", head)
    assert validated.returncode == 0, validated.stdout
    planned = forge.run_for_request("plan", head)
    assert planned.returncode == 0, planned.stdout
    for place in ("common/sites.yml:4", "staging/sites.yml:3", "staging/more.yml:1"):
        assert f" {place}\n" in planned.stdout
    plan, markdown, versions = forge.planned
    commented = forge.run_for_request("comment", head, plan_json=plan, plan_md=markdown)
    assert commented.returncode == 0, commented.stdout
    forge.merge(head)
    forge.describe_request(head, {7: {}})
    forge.store_plan(7, plan, versions)
    applied = forge.run_on_main("apply")
    assert applied.returncode == 0, applied.stdout
    forge.inputs["fail_on_undeclared"] = "true"
    assert forge.run_on_main("drift").returncode == 0
    player.emulator.seed(projects=[{"name": "by-hand", "team": "acme"}])
    assert forge.run_on_main("drift").returncode != 0


@pytest.mark.thorough
def test_the_signature_of_the_collection_is_checked_with_a_keyring(forge: Forge) -> None:
    signature = (
        "--signature https://github.com/hosting-platform/hosting.platform/releases/download/"
        f"{forge.inputs['version']}/MANIFEST.json.asc --required-valid-signature-count +1"
    )
    installed = {}
    for keyring in ("", "keys/platform.gpg"):
        forge.inputs["keyring"] = keyring
        _head, (_plan, _markdown, versions) = forge.plan(NEW)
        installed[keyring] = versions.decode().splitlines()[-1]
    version = f"hosting.platform:=={forge.inputs['version']}"
    assert installed == {
        "": f"collection install {version}",
        "keys/platform.gpg": (
            f"collection install {version} --keyring keys/platform.gpg {signature}"
        ),
    }


def test_drift_is_notified_by_a_command_of_the_caller(forge: Forge) -> None:
    forge.push({"notify.sh": 'echo "$1: $(head -n 1 drift.md)"; exit 3\n'})
    forge.inputs["notify"] = 'sh notify.sh "it\'s"'
    done = forge.run("notify", forge.main, {}, {"drift.md": b"1 to delete\n2\n"})
    assert "it's: 1 to delete" in done.stdout
    assert done.returncode == 3


def test_a_stranger_s_request_runs_nothing(player: Player, forge: Forge) -> None:
    canary = player.folder / "canary"
    lookup = f"{{{{ lookup('pipe', 'touch {canary}') }}}}"
    _head, (_plan, markdown, versions) = forge.plan(
        {
            "blueprint/projects.yml": (
                f'- name: shop-web\n  team: acme\n  build_command: "{lookup} $Id$"\n'
            ),
            "settings.yml": f'converge_directory: blueprint\nconverge_limits: "{lookup}"\n',
            "ansible.cfg": "[defaults]\nfilter_plugins = plugins\ncallback_plugins = plugins\n",
            "plugins/canary.py": f"open({str(canary)!r}, 'w').close()\n",
            "requirements.txt": "of-a-stranger==1\n",
            # Of these, nothing hides the files, and nothing changes what is read.
            "blueprint/.gitattributes": "* export-ignore ident\n",
        }
    )
    assert b"lookup('pipe', 'touch" in markdown, "as text"
    assert b"$Id$" in markdown
    assert not canary.exists()
    assert b"of-a-stranger" not in versions
    assert b"ansible-core==" in versions
    assert b"hosting.platform:==" in versions
    assert player.emulator.writes == []
