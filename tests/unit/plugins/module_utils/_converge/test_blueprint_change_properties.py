# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every platform, blueprint and change meanwhile: only approved steps are carried out, all in the end."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from typing import Any
from urllib.parse import quote

import pytest
import requests
from blueprints import BEFORE_EVERY_CHANGE, EVERY_CHANGE, Blueprint, actions, converge, converge_or_fail, export
from emulated import Emulated
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
    platforms,
    platforms_with_blueprints,
    presentations,
    values,
)
from sampling import examples, sampled

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


def change_by_hand(emulator: Emulated, blueprint: Blueprint, change: dict[str, Any]) -> None:
    """Change the platform manually, or carry out a part of the blueprint; impossible changes are ignored."""
    state = emulator.state()

    def one_of(kind: str) -> dict[str, Any]:
        items = [*state[kind], {"id": "nothing", "name": "nothing", "teamId": ""}]
        found: dict[str, Any] = items[change["which"] % len(items)]
        return found

    if change["do"] == "a part":
        part = {kind: entries[change["which"] % 2 :: 2] for kind, entries in blueprint.items() if kind != "aliases"}
        with contextlib.suppress(PlatformError):
            converge(emulator.base_url, part)
        return
    project, alias, domain = one_of("projects"), one_of("aliases"), one_of("domains")
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
    requests.request(
        method,
        f"{emulator.base_url}/{path}",
        json=body,
        params={"teamId": owner["teamId"]} if owner else {},
        headers={"Authorization": f"Bearer {emulator.token}"},
        timeout=30,
    )


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
def test_what_changed_since_the_check_is_refused_and_the_rest_is_done_as_approved(running, case, meanwhile):
    platform, blueprint, options = case
    running.reset()
    running.seed(**platform)
    start = running.snapshot()
    check = converge_or_fail(running.base_url, blueprint, True, **options)
    assume("msg" not in check)
    old = {str(item["id"]) for items in running.state().values() for item in items if "id" in item}
    approved = changes(running.state(), check, old, creations(check))
    running.forget_requests()
    converge(running.base_url, blueprint, **options)
    as_checked = written(running)

    running.restore(start)
    for change in meanwhile:
        change_by_hand(running, blueprint, change)
    needed = converge_or_fail(running.base_url, blueprint, True, **options)
    held = converge_or_fail(running.base_url, blueprint, True, **options, approved=check["steps"])
    wanted = changes(running.state(), held, old, creations(check)) if "msg" not in needed else {}
    running.forget_requests()
    run = converge_or_fail(running.base_url, blueprint, **options, approved=check["steps"])
    done = written(running)
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


CHOSEN_BY_THE_SERVICE = ("createdAt", "updatedAt", "number", "inviteCode", "domain")


def lasting(state: dict[str, Any], start: dict[str, Any]) -> Any:
    """All that is stored: what was there by its id, what is new by its name."""
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    old = {item["id"] for kind in start for item in start[kind]}
    names = {project["id"]: project["name"] for project in state["projects"]}

    def told(item: dict[str, Any]) -> str:
        known = {key: value or None for key, value in item.items() if key not in CHOSEN_BY_THE_SERVICE}
        known["id"] = item["id"] if item["id"] in old else "new"
        known["teamId"] = slugs.get(item.get("teamId", ""))
        known["projectId"] = names.get(item.get("projectId", ""))
        text = json.dumps(known, sort_keys=True)
        return re.sub(r'"[^"]*\.hosting\.example"', "generated", text)

    return {kind: sorted(told(item) for item in state[kind]) for kind in ("teams", "projects", "aliases", "domains")}


def requests_of_a_run_that_dies(running, case, index: int, when: str, workers: int) -> int:
    """The requests of an undisturbed run, none if it cannot be planned; one that dies at any of them is completed.

    It dies before the request is processed or after; in the following, the service gets none of its requests any more.
    """
    platform, blueprint, options = case
    running.reset()
    running.seed(**platform)
    state, start = running.state(), running.snapshot()
    check = converge_or_fail(running.base_url, blueprint, True, **options)
    if "msg" in check:
        return 0
    options = {**options, "workers": workers, "approved": check["steps"]}
    running.forget_requests()
    converge(running.base_url, blueprint, **options)
    wanted, requests = lasting(running.state(), state), len(running.requests())

    running.restore(start)
    running.fail("*", "reset", when=when, skip=index % requests, count=10_000)
    assert "msg" in converge_or_fail(running.base_url, blueprint, **options, max_retries=0)
    running.recover()
    converge(running.base_url, blueprint, **options)
    assert lasting(running.state(), state) == wanted
    again = converge(running.base_url, blueprint, **{**options, "approved": []})
    assert (again["changed"], again["steps"]) == (False, [])
    return requests


@examples(40)
@given(case=platforms_with_blueprints(), index=st.integers(0, 30), when=st.sampled_from(["before", "after"]))
def test_a_run_that_dies_is_completed_with_the_same_approval(running, case, index, when):
    assume(requests_of_a_run_that_dies(running, case, index, when, workers=1))


REQUESTS = 53


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("index", sampled(range(REQUESTS), 5))
def test_a_run_that_makes_every_change_is_completed_wherever_it_dies(running, index, when):
    case = BEFORE_EVERY_CHANGE, EVERY_CHANGE, {"prune": ["projects", "aliases"]}
    # On a busy machine a list may be half a second old when a creation rests on it, and is read once more.
    assert requests_of_a_run_that_dies(running, case, index, when, workers=2) >= REQUESTS


@examples(40)
@given(platform=platforms(), shown=presentations)
def test_an_export_is_clean_with_every_field_cleared_that_it_does_not_list_and_rebuilds_everything(
    running, platform, shown
):
    running.reset()
    running.seed(**platform)
    running.switch(**shown)
    state = running.state()
    exported = export(running.base_url)
    running.forget_requests()
    result = converge(running.base_url, exported, unlisted_fields="clear", approved=[])
    assert actions(result) == []
    assert (result["changed"], result["steps"], result["undeclared"]) == (False, [], [])
    assert running.writes == []
    running.reset()
    converge(running.base_url, {kind: entries for kind, entries in exported.items() if kind != "domains"})
    rebuilt = lasting(running.state(), {})
    assert {**rebuilt, "domains": None} == {**lasting(state, {}), "domains": None}


@examples(25)
@given(case=platforms_with_blueprints(), shown=presentations)
def test_check_mode_tells_the_run_and_a_second_run_changes_nothing(running, case, shown):
    platform, blueprint, options = case
    running.reset()
    running.seed(**platform)
    running.switch(**shown)
    check = converge_or_fail(running.base_url, blueprint, True, **options)
    assert running.writes == []
    run = converge_or_fail(running.base_url, blueprint, **options)
    assert check.get("results") == run.get("results")
    if "msg" not in run:
        assert converge(running.base_url, blueprint, **options)["changed"] is False


@examples(30)
@given(shown=presentations)
def test_no_switches_together_change_an_id(running, shown):
    running.reset()
    running.seed(**BEFORE_EVERY_CHANGE)
    plain = converge(running.base_url, EVERY_CHANGE, check_mode=True)["steps"]
    running.switch(**shown)
    assert converge(running.base_url, EVERY_CHANGE, check_mode=True)["steps"] == plain
