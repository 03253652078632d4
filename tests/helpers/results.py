# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the module blueprint for the tests of reports."""

from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._converge.guards.table import Refusal
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._result_view import (
    ResultView,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.tasks._options import option_names


def result(kind: str, name: str, team: str | None, action: str, **more: Any) -> dict[str, Any]:
    before = more.pop("before", {})
    after = more.pop("after", {})
    is_pending = action not in ("none", "skip")
    diff = {"before": before, "after": after}
    others: dict[str, Any] = {"source": None, "reason": None, "along": [], "not_compared": []}
    others |= {"diff": diff, "step": ascii(name) if is_pending else None}
    entry = {"kind": kind, "name": name, "team": team, "action": action, **others, **more}
    return {"changed": is_pending and not more.get("failed"), **entry}


UNCHANGED = result("teams", "acme", None, "none", source="teams.yml:1")
INVITATION = result(
    "team_members", "dev@example.com", "acme", "invite", after={"role": "DEVELOPER"}
)
CHANGE = result(
    "projects",
    "web",
    "acme",
    "update",
    before={"framework": "vite"},
    after={"framework": "", "dev_command": "x"},
)
CREATION = result("projects", "shop", "", "create", after={"name": "shop", "framework": "astro"})
FAILURE = result(
    "projects", "cart", "media", "update", failed=True, msg="PATCH failed: status 400."
)
SKIPPED = result("aliases", "prod.example.com", "acme", "skip", reason="protected")
DELETION = result(
    "aliases",
    "old.example.com",
    "acme",
    "delete",
    before={
        "alias": "old.example.com",
        "project": "shop",
        "parameters": {"a": 1},
        "redirect": None,
    },
)
RESULTS = [UNCHANGED, INVITATION, CHANGE, CREATION, FAILURE, SKIPPED, DELETION]
ALONG = [
    {"kind": "projects", "name": "web", "team": "acme"},
    {"kind": "aliases", "name": "www.example.com", "team": "media"},
]
# What holds in a plan.
GUARDS: dict[str, Any] = {
    "protect": [{"selector": "prod-*", "matches": 3}],
    "ignore": [],
    "only": None,
    "limits": {},
    "prune": [],
    "prune_limit": 30,
}
PRUNING = {**GUARDS, "protect": [], "prune": ["projects"]}
UNDECLARED = [
    {"kind": "projects", "name": "experiment", "team": "media", "protected": False},
    {"kind": "domains", "name": "example.com", "team": "", "protected": True},
]
# What nobody selects or invites.
OF_OTHERS = [
    result("projects", f"p{number}", "acme", "skip", reason="not_selected") for number in range(512)
]
NOT_SENT = [
    result("team_members", f"m{number}", "acme", "skip", reason="invite") for number in range(4)
]


def make_result(results: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "results": results,
        "summary": {
            "requests": 12,
            "along": sum(len(entry["along"]) for entry in results),
            "none": sum(entry["action"] == "none" for entry in results),
        },
        "base_url": "https://api.example.com/v1",
        "undeclared": [],
        "steps": [entry["step"] for entry in results if entry["step"]],
        "refused": False,
        "refusals": [],
        "failed": False,
        **more,
    }


def make_view(given: dict[str, Any], *, is_check: bool = True, **options: Any) -> ResultView:
    return ResultView(given, {"plan": "", **options}, "converge_", is_check=is_check)


def refused_result(*refusals: tuple[str, str]) -> dict[str, Any]:
    """What else a result has whose plan guards refused: each with its message."""
    told = [{"guard": guard, "message": message} for guard, message in refusals]
    error = PlatformError(*(Refusal(*refusal).problem for refusal in refusals))
    msg = error.text(option_names("converge"))
    return {"failed": True, "refused": True, "refusals": told, "msg": msg}


MARKUP = [
    "<script>document.title = 'run'</script>",
    '"><img src=x onerror="document.title=\'run\'">',
    "'><svg onload=\"document.title='run'\">",
    "</style></title></script><script>document.title = 'run'</script>",
    "javascript:document.title='run'",
    "&lt;b&gt; &amp; &#60;",
    "{{ 7 * 7 }} {% raw %}",
    "\u202egnp.exe \u05e9\u05dc\u05d5\u05dd",
    "<!-- --><bdi>",
]


def result_full_of_markup() -> dict[str, Any]:
    """Markup wherever the API, the user or a failure may put text."""
    results = []
    for text in MARKUP:
        objects: dict[str, Any] = {"before": {text: text}, "after": {text: text}, "source": text}
        failure = {"failed": True, "msg": text}
        results.append(result("projects", text, text, "update", **objects))
        results.append(result("projects", text, text, "create", **objects, **failure))
    undeclared = [
        {"kind": "aliases", "name": text, "team": text, "protected": True} for text in MARKUP
    ]
    return make_result(results, warnings=MARKUP, undeclared=undeclared, failed=True, msg=MARKUP[0])
