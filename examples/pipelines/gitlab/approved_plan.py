"""Download the plan of the commit that was reviewed in the merge request that brought this pipeline's commit."""

import os
import sys
from pathlib import Path

import requests

PROJECT = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}"
MERGED = os.environ["CI_COMMIT_SHA"]


def main(folder: Path) -> None:
    request = only(
        (found for found in items(f"repository/commits/{MERGED}/merge_requests") if brought(found)),
        "No merge request brought this commit",
    )
    pipelines = items(f"merge_requests/{request['iid']}/pipelines")
    pipeline = only(
        (found for found in pipelines if is_of(found, request) and found["status"] == "success"),
        "The commit that was reviewed has no pipeline that passed",
    )
    job = only(
        (found for found in items(f"pipelines/{pipeline['id']}/jobs") if found["name"] == "plan"),
        "The pipeline of the commit that was reviewed has no plan",
    )
    folder.mkdir()
    for name in ("plan.json", "versions.txt"):
        (folder / name).write_bytes(answer(f"jobs/{job['id']}/artifacts/{name}").content)


def brought(request):
    """Tell whether this pipeline's commit is what came of a merge request into this pipeline's branch."""
    commits = (request["merge_commit_sha"], request["squash_commit_sha"], request["sha"])
    is_merged = request["state"] == "merged" and request["target_branch"] == os.environ["CI_COMMIT_BRANCH"]
    return is_merged and MERGED in commits


def is_of(pipeline, request):
    """Tell whether a pipeline ran for this very request, and for the commit of it that was reviewed."""
    return pipeline["ref"] == f"refs/merge-requests/{request['iid']}/head" and pipeline["sha"] == request["sha"]


def only(found, otherwise):
    return next(iter(found), None) or sys.exit(f"{otherwise}: nothing is approved.")


def items(path):
    """Objects of the project, newest first."""
    return answer(f"{path}?per_page=100").json()


def answer(path):
    found = requests.get(f"{PROJECT}/{path}", headers={"PRIVATE-TOKEN": os.environ["GITLAB_API_TOKEN"]}, timeout=60)
    found.raise_for_status()
    return found


main(Path(sys.argv[1]))
