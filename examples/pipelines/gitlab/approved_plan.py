"""Download the plan that was read: the newest from before the approval of the merge request of this
commit.

approved_plan.py JOB FOLDER: the job that plans, and the folder for its files
"""

import hashlib
import json
import os
import sys
from datetime import datetime
from pathlib import Path

import requests

PROJECT = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}"
MERGED = os.environ["CI_COMMIT_SHA"]


def main(job_name: str, folder: Path) -> None:
    request = only(
        (found for found in items(f"repository/commits/{MERGED}/merge_requests") if brought(found)),
        "No merge request brought this commit",
    )
    approved = only(
        sorted((moment(approval["approved_at"]) for approval in approvals(request)), reverse=True),
        "Nobody but its author has approved the merge request",
    )
    plans = []
    for pipeline in items(f"merge_requests/{request['iid']}/pipelines"):
        plans += plans_of(pipeline, request, job_name)
    job = only(
        # A plan that is newer than the approval is one that nobody has read.
        (job for job in plans if moment(job["finished_at"]) <= approved),
        "The commit that was reviewed has no plan from before its approval",
    )
    folder.mkdir()
    for name in ("plan.json", "versions.txt"):
        (folder / name).write_bytes(answer(f"jobs/{job['id']}/artifacts/{name}").content)
    steps = "".join(
        f"{step}\n" for step in sorted(json.loads((folder / "plan.json").read_bytes())["steps"])
    )
    print(f"SHA-256 of the steps: {hashlib.sha256(steps.encode()).hexdigest()}")


def brought(request):
    """Tell whether this pipeline's commit is what came of a merge request into this pipeline's
    branch.
    """
    commits = (request["merge_commit_sha"], request["squash_commit_sha"], request["sha"])
    is_merged = (
        request["state"] == "merged" and request["target_branch"] == os.environ["CI_COMMIT_BRANCH"]
    )
    return is_merged and MERGED in commits


def approvals(request):
    """Those of others: not every GitLab keeps authors from approving their own merge request."""
    given = answer(f"merge_requests/{request['iid']}/approvals").json()["approved_by"]
    return [approval for approval in given if approval["user"]["id"] != request["author"]["id"]]


def plans_of(pipeline, request, job_name):
    """The plan of a pipeline that passed for this very request, and for the commit of it that was
    reviewed.
    """
    if (pipeline["ref"], pipeline["sha"]) != (
        f"refs/merge-requests/{request['iid']}/head",
        request["sha"],
    ):
        return []
    if pipeline["status"] != "success":
        return []
    return [job for job in items(f"pipelines/{pipeline['id']}/jobs") if job["name"] == job_name]


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def only(found, otherwise):
    return next(iter(found), None) or sys.exit(f"{otherwise}: nothing is approved.")


def items(path):
    """Objects of the project, newest first."""
    return answer(f"{path}?per_page=100").json()


def answer(path):
    # Where artifacts are kept elsewhere, GitLab redirects to that host. This header, requests does
    # not send there.
    headers = {"Authorization": f"Bearer {os.environ['GITLAB_API_TOKEN']}"}
    found = requests.get(f"{PROJECT}/{path}", headers=headers, timeout=60)
    found.raise_for_status()
    return found


main(sys.argv[1], Path(sys.argv[2]))
