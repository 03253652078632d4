# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the module blueprint for the tests of reports."""

from __future__ import annotations

from typing import Any


def result(kind: str, name: str, team: str | None, action: str, **more: Any) -> dict[str, Any]:
    before, after = more.pop("before", {}), more.pop("after", {})
    changed = action not in ("none", "skip") and not more.get("failed")
    diff = {"before": before, "after": after}
    more = {"step": None, "source": None, "reason": None, "along": [], "not_compared": [], **more}
    return {"kind": kind, "name": name, "team": team, "action": action, "changed": changed, "diff": diff, **more}


RESULTS = [
    result("teams", "acme", None, "none", source="teams.yml[0]"),
    result("team_members", "dev@example.com", "acme", "invite", after={"role": "DEVELOPER"}),
    result(
        "projects", "web", "acme", "update", before={"framework": "vite"}, after={"framework": "", "dev_command": "x"}
    ),
    result("projects", "shop", "", "create", after={"name": "shop", "framework": "astro"}),
    result("projects", "cart", "media", "update", failed=True, msg="PATCH failed: status 400."),
    result("aliases", "prod.example.com", "acme", "skip", reason="protected"),
    result(
        "aliases",
        "old.example.com",
        "acme",
        "delete",
        before={"alias": "old.example.com", "parameters": {"a": 1}, "redirect": None},
    ),
]
ALONG = [
    {"kind": "projects", "name": "web", "team": "acme"},
    {"kind": "aliases", "name": "www.example.com", "team": "media"},
]
UNDECLARED = [
    {"kind": "projects", "name": "experiment", "team": "media", "protected": False},
    {"kind": "domains", "name": "example.com", "team": "", "protected": True},
]
# What nobody compares, selects or invites.
UNSEEN = [
    result("teams", "acme", None, "none", not_compared=["description"]),
    result("teams", "media", None, "none", not_compared=["description", "email_domain"]),
]
OF_OTHERS = [result("projects", f"p{number}", "acme", "skip", reason="not_selected") for number in range(512)]
NOT_SENT = [result("team_members", f"m{number}", "acme", "skip", reason="invite") for number in range(4)]


def outcome(results: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    address = "https://user:secret@api.example.com/v1?token=secret#secret"
    summary = {"requests": 12, "along": sum(len(entry["along"]) for entry in results)}
    return {"results": results, "summary": summary, "base_url": address, "undeclared": UNDECLARED, **more}


def refused(*refusals: tuple[str, str]) -> dict[str, Any]:
    """What else a result has whose plan guards refused: each with its message."""
    told = [{"guard": guard, "message": message} for guard, message in refusals]
    lines = [f"{guard}: {message}" for guard, message in refusals]
    return {"failed": True, "refused": True, "refusals": told, "msg": "\n".join(lines) + " Nothing was written."}


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


def hostile() -> dict[str, Any]:
    """Markup wherever the API, the user or a failure may put text."""
    results = [
        result("projects", text, text, action, before={text: text}, after={text: text}, source=text, **more)
        for text in MARKUP
        for action, more in (("update", {}), ("create", {"failed": True, "msg": text}))
    ]
    undeclared = [{"kind": "aliases", "name": text, "team": text, "protected": True} for text in MARKUP]
    return {**outcome(results, warnings=MARKUP), "undeclared": undeclared, "failed": True, "msg": MARKUP[0]}
