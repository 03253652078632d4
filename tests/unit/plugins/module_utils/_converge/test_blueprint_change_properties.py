# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A property of every platform, blueprint and change meanwhile: only approved steps are carried out."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import Any
from urllib.parse import quote

from blueprints import Blueprint, converge, converge_or_result
from emulated import ControlledEmulator
from hypothesis import assume, event, given
from hypothesis import strategies as st
from platforms import (
    KEYS,
    RENAMED_TEAM,
    TEAMS,
    homes,
    host,
    labels,
    names,
    platforms_with_blueprints,
    values,
)
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError

NAME_FIELDS = {"teams": "slug", "team_members": "email", "projects": "name", "aliases": "alias", "domains": "name"}
Change = tuple[Any, ...]


HANDS = ["create", "touch", "change", "rename", "delete", "assign", "unassign", "remove domain", "a part"]


changes_by_hand = st.lists(
    st.fixed_dictionaries(
        {
            "do": st.sampled_from(HANDS),
            "which": st.integers(0, 20),
            "home": homes,
            "name": names,
            "label": labels,
            "values": values,
        }
    ),
    min_size=1,
    max_size=4,
)


def change_by_hand(emulator: ControlledEmulator, blueprint: Blueprint, change: dict[str, Any]) -> None:
    """Change the platform manually, or carry out a part of the blueprint; impossible changes are ignored."""
    state = emulator.state()

    def pick(kind: str) -> dict[str, Any]:
        items = [*state[kind], {"id": "nothing", "name": "nothing", "teamId": ""}]
        found: dict[str, Any] = items[change["which"] % len(items)]
        return found

    if change["do"] == "a part":
        part = {kind: entries[change["which"] % 2 :: 2] for kind, entries in blueprint.items() if kind != "aliases"}
        with contextlib.suppress(PlatformError):
            converge(emulator.base_url, part)
        return
    project, alias, domain = pick("projects"), pick("aliases"), pick("domains")
    teams = {team["slug"]: team["id"] for team in state["teams"]}
    home = {"teamId": teams[change["home"]]} if change["home"] in teams else {}
    fields = {KEYS[option]: text for option, text in change["values"].items()}
    host_of_project = host(change["label"], {team: slug for slug, team in teams.items()}.get(project["teamId"], ""))
    method, path, owner, body = {
        "create": ("POST", "projects", None, {"name": change["name"], **fields, **home}),
        "touch": ("PATCH", f"projects/{project['id']}", None, {"name": project["name"]}),
        "change": ("PATCH", f"projects/{project['id']}", None, {"framework": "by hand", **fields}),
        "rename": ("PATCH", f"projects/{project['id']}", None, {"name": change["name"]}),
        "delete": ("DELETE", f"projects/{project['id']}", project, None),
        "assign": ("POST", f"{quote(project['name'], safe='')}/alias", project, {"alias": host_of_project}),
        "unassign": ("DELETE", f"aliases/{alias['id']}", alias, None),
        "remove domain": ("DELETE", f"domains/{domain['name']}", domain, None),
    }[change["do"]]
    emulator.ask(method, path, body, owner["teamId"] if owner else "")


def creations(result: dict[str, Any]) -> set[tuple[str, str]]:
    """The projects that a plan makes: their teams and names."""
    return {
        (entry["team"], entry["name"])
        for entry in result["results"]
        if (entry["kind"], entry["action"]) == ("projects", "create")
    }


def changes(
    state: dict[str, Any], result: dict[str, Any], old: set[str], made: set[tuple[str, str]]
) -> dict[Change, str]:
    """The changes of a plan, each with the id of its step: what is done to which stored object, told from outside.

    ``old``: the ids of what was there when the plan was approved; ``made``: the projects that this plan makes. What a
    step leads to is known by its id or, where the plan makes it, by its name, whoever has made it meanwhile, or given
    another project that name; what goes along with it by its id.
    """
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    stored = {
        (kind, slugs.get(item.get("teamId"), ""), item[NAME_FIELDS[kind]]): item
        for kind in ("teams", "projects", "aliases", "domains")
        for item in state[kind]
    }
    names = {
        (entry["team"], entry["name"]): entry["diff"]["before"].get("name", entry["name"])
        for entry in result["results"]
        if entry["kind"] == "projects"
    }

    def home_of(slug: str | None) -> str:
        return TEAMS[0] if slug == RENAMED_TEAM and slug not in slugs.values() else slug or ""

    found: dict[Change, str] = {}
    for entry in result["results"]:
        if entry["action"] not in ("none", "skip"):
            before, after = entry["diff"]["before"], entry["diff"]["after"]
            name, home = before.get(NAME_FIELDS[entry["kind"]], entry["name"]), home_of(entry["team"])
            item = stored[entry["kind"], home, name] if entry["action"] in ("update", "delete") else {}
            # What other steps of the same plan change meanwhile does not count: where an alias led to, by name, and
            # the own alias of a project that goes.
            steady = {"project": item["projectId"]} if "project" in before else {}
            if (entry["kind"], entry["action"]) == ("projects", "delete"):
                steady["alias"] = None
            if "project" in after:
                target = stored.get(("projects", home, names.get((entry["team"], after["project"]), after["project"])))
                if target and target["id"] in old and (entry["team"], after["project"]) not in made:
                    after = {**after, "project": target["id"]}
            sides = [{key: value or None for key, value in side.items()} for side in ({**before, **steady}, after)]
            along = sorted(
                str(stored[gone["kind"], home_of(gone["team"]), gone["name"]]["id"]) for gone in entry["along"]
            )
            place = (entry["kind"], entry["team"], name, item.get("id"), entry["action"], *along)
            found[(*place, *(json.dumps(side, sort_keys=True) for side in sides))] = entry["step"]
    return found


def written(emulator) -> Counter[tuple[str, str, str]]:
    """Every write with its body, teams by their slugs: what was created meanwhile has another id each time."""
    slugs = {team["id"]: team["slug"] for team in emulator.state()["teams"]}

    def named(text: str) -> str:
        for team, slug in slugs.items():
            text = text.replace(team, slug)
        return text

    return Counter(
        (request["method"], named(request["path"]), named(json.dumps(request["body"], sort_keys=True)))
        for request in emulator.requests()
        if request["method"] != "GET"
    )


@examples(40)
@given(case=platforms_with_blueprints(), meanwhile=changes_by_hand)
def test_changes_since_check_mode_are_refused_and_the_rest_is_applied(in_process, case, meanwhile):
    platform, blueprint, options = case
    in_process.reset()
    in_process.seed(**platform)
    start = in_process.snapshot()
    check = converge_or_result(in_process.base_url, blueprint, True, **options)
    assume("msg" not in check)
    old = {str(item["id"]) for items in in_process.state().values() for item in items if "id" in item}
    approved = changes(in_process.state(), check, old, creations(check))
    in_process.forget_requests()
    converge(in_process.base_url, blueprint, **options)
    as_checked = written(in_process)

    in_process.restore(start)
    for change in meanwhile:
        change_by_hand(in_process, blueprint, change)
    needed = converge_or_result(in_process.base_url, blueprint, True, **options)
    held = converge_or_result(in_process.base_url, blueprint, True, **options, approved=check["steps"])
    wanted = changes(in_process.state(), held, old, creations(check)) if "msg" not in needed else {}
    in_process.forget_requests()
    run = converge_or_result(in_process.base_url, blueprint, **options, approved=check["steps"])
    done = written(in_process)
    new = wanted.keys() - approved.keys()
    if "msg" in needed:
        event("cannot be planned any more")
        assert run["msg"] == needed["msg"]
        assert not done
    elif new:
        event("refused")
        assert run["msg"].startswith(f"approved: {len(new)} step")
        assert run["results"] == held["results"]
        assert not done
    else:
        event("done" if wanted == approved else "done in part")
        assert "msg" not in run
        assert done <= as_checked
    assert {change: approved[change] for change in wanted if change in approved}.items() <= wanted.items()
    assert not {wanted[change] for change in new} & set(check["steps"])
