"""Keep one note on a merge request, or one issue, for each environment.

show.py note ENVIRONMENT FILE PLAN, show.py issue ENVIRONMENT FILE, or show.py close ENVIRONMENT
"""

import hashlib
import json
import os
import re
import sys
from pathlib import Path
from urllib.request import Request, urlopen

API = os.environ["CI_API_V4_URL"]
PROJECT = f"{API}/projects/{os.environ['CI_PROJECT_ID']}"
MERGE = "Once this request is approved, merging it applies this plan, and nothing else."


def main(what, environment, file=None, plan=None):
    if what == "note":
        note(f"<!-- hosting.platform plan {environment} -->\n", file, plan)
        return
    marker = f"<!-- hosting.platform drift {environment} -->\n"
    issues = f"{PROJECT}/issues"
    issue = own(issues, "description", marker, "iid", "state=opened&scope=all&")
    if what == "issue":
        title = f"The platform is not as declared ({environment})"
        keep(issues, issue, {"title": title, "description": marker + read(file)})
    elif issue:
        call("PUT", f"{issues}/{issue}", {"state_event": "close"})


def note(marker, file, plan):
    notes = f"{PROJECT}/merge_requests/{os.environ['CI_MERGE_REQUEST_IID']}/notes"
    text = re.sub("^To apply this plan, .*", MERGE, read(file), flags=re.MULTILINE)
    text = marker + text + checksum(json.loads(read(plan)))
    keep(notes, own(notes, "body", marker, "id"), {"body": text})


def keep(address, number, fields):
    """Change what there is, or create it."""
    if number:
        call("PUT", f"{address}/{number}", fields)
    else:
        call("POST", address, fields)


def own(address, field, begin, key, query=""):
    """The number of what this token's user has written and begins so. Others can begin their text
    so, too.
    """
    user = call("GET", f"{API}/user")["id"]
    page = 1
    while found := call("GET", f"{address}?{query}per_page=100&page={page}"):
        for one in found:
            if one["author"]["id"] == user and (one[field] or "").startswith(begin):
                return one[key]
        page += 1
    return None


def checksum(plan):
    """As of jq --raw-output '.steps[]' plan.json | sort | sha256sum."""
    steps = "".join(f"{step}\n" for step in sorted(plan["steps"]))
    return f"\nSHA-256 of the steps: `{hashlib.sha256(steps.encode()).hexdigest()}`\n"


def read(file):
    return Path(file).read_text(encoding="utf-8")


def call(method, address, fields=None):
    headers = {"PRIVATE-TOKEN": os.environ["GITLAB_API_TOKEN"], "Content-Type": "application/json"}
    request = Request(address, fields and json.dumps(fields).encode(), headers, method=method)
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


main(*sys.argv[1:])
