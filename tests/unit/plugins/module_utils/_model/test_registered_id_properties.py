# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of plays whose tasks refer to one another by registered ids: what check mode shows of an
object is about that object in the run, and nothing outside the play's teams is shown or touched.
"""

import itertools
import json
import os
from typing import Any, NamedTuple
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from modules import perform
from platforms import presentations
from sampling import examples

Options = dict[str, Any]
Task = tuple[str, Options]

# In the names and values of all that is outside the play's teams.
OUTSIDE = "outside"
NAMES = ["web", "shop"]
ADA = {"email": "ada@example.com", "role": "DEVELOPER"}
KEYS = {"team_info": "teams", "project_info": "projects", "alias_info": "aliases"}


class Id(NamedTuple):
    """The id that an earlier task of the play has registered."""

    # Its place in the play.
    task: int


def platform() -> dict[str, list[Options]]:
    """The own scope and two teams with projects of the same names; the play is about one of these,
    and teams that it makes.
    """
    projects: list[Options] = []
    aliases: list[Options] = []
    for scope, framework in (({}, OUTSIDE), ({"team": "prod"}, OUTSIDE), ({"team": "acme"}, "x")):
        projects += [{"name": name, "framework": framework, **scope} for name in ("web", "legacy")]
        host = f"www.{scope.get('team', OUTSIDE)}.example.com"
        aliases.append({"alias": host, "project": "legacy", **scope})
    domains = [{"name": "example.com"}, {"name": "example.com", "team": "prod"}]
    teams = [{"slug": "prod", "name": OUTSIDE}, {"slug": "acme"}]
    return {"teams": teams, "projects": projects, "aliases": aliases, "domains": domains}


@st.composite
def plays(draw: Any) -> list[Task]:
    play: list[Task] = []

    def add(module: str, **options: Any) -> Id:
        play.append((module, options))
        return Id(len(play) - 1)

    def either(*ways: Any) -> Any:
        return draw(st.sampled_from(ways))

    for slug in draw(st.lists(st.sampled_from(["acme", "fresh", "new"]), min_size=1, unique=True)):
        team = add("team", slug=slug)
        for name in draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True)):
            state = either("present", "exists")
            way = either(slug, team)
            project = add("project", team=way, name=name, framework="y", state=state)
            for others in draw(
                st.lists(st.sampled_from(tasks_of_a_project(name)), max_size=3, unique_by=str)
            ):
                module, options = others
                ways = {"project": either(name, project), "id": project}
                given_ids = {
                    option: ways[option] for option in ways if options.get(option, 0) is None
                }
                add(module, **{**options, **given_ids, "team": either(slug, team)})
        for module, options in draw(
            st.lists(st.sampled_from(tasks_of_a_team(slug)), max_size=4, unique_by=str)
        ):
            option = "id" if module == "team" else "team"
            add(
                module,
                **options,
                **{option: either(team, team, slug) if option == "team" else team},
            )
    return play


def tasks_of_a_project(name: str) -> list[Task]:
    """Options that are None are references to it."""
    alias = {"alias": "www.acme.example.com", "project": None}
    return [
        ("project", {"id": None, "build_command": "make"}),
        ("project", {"id": None, "name": name, "dev_command": "dev"}),
        ("alias", alias),
        ("alias", {**alias, "alias": f"{name}.example.com"}),
        ("alias", {"alias": f"old.{name}.example.com", "project": None, "state": "absent"}),
        ("project_info", {"id": None}),
        ("alias_info", {"project": None}),
    ]


def tasks_of_a_team(slug: str) -> list[Task]:
    return [
        ("project", {"name": "legacy", "state": "absent"}),
        ("project", {"name": "docs", "framework": "z"}),
        ("alias", {"alias": f"www.{slug}.example.com", "state": "absent"}),
        ("domain", {"name": "example.com", "state": "absent"}),
        ("team_member", ADA),
        ("project_info", {}),
        ("project_info", {"name": "web"}),
        ("domain_info", {}),
        ("team_info", {}),
        ("team", {"slug": slug}),
        ("team", {"name": "Named"}),
    ]


def played(base_url: str, play: list[Task], check_mode: bool) -> list[Options]:
    """The results of a play. As in Ansible, an id that is null is an empty text."""
    results: list[Options] = []
    for module, options in play:
        given_options = {
            option: results[value.task][play[value.task][0]]["id"] or ""
            if isinstance(value, Id)
            else value
            for option, value in options.items()
        }
        results.append(perform(module, base_url, check_mode, **given_options))
    return results


def perform_all(base_url: str) -> list[Options]:
    """All that there is in the team that the play is about."""
    return [perform(module, base_url, team="acme")[key] for module, key in KEYS.items()]


def outside(state: Options) -> list[Options]:
    kinds = ("teams", "projects", "aliases", "domains")
    records = itertools.chain.from_iterable(state[kind] for kind in kinds)
    return [record for record in records if OUTSIDE in json.dumps(record)]


def ids_shown(value: Any) -> set[str]:
    """The ids in a result."""
    if isinstance(value, list):
        return set().union(*map(ids_shown, value))
    if not isinstance(value, dict):
        return set()
    own = {str(value[key]) for key in ("id", "team_id", "project_id") if value.get(key)}
    return own.union(*map(ids_shown, value.values()))


def assert_about_the_same(module: str, checked: Options, done: Options, left: set[str]) -> None:
    """What check mode has shown of an object is about that of the run, unless the run has deleted
    it. ``left``: the ids of what is left after the run.
    """
    shown = checked.get(module, {}).get("id")
    if shown is None or str(shown) not in left:
        return
    assert shown == done.get(module, {}).get("id", shown)


@given(plays(), presentations, st.sampled_from([{}, {"HOSTING_PLATFORM_TEAM": "prod"}]))
@examples(100)
def test_check_mode_shows_what_the_run_is_about(in_process, play, presentation, environment):
    in_process.reset()
    in_process.switch(**{**presentation, "assignment_takes": "everywhere"})
    in_process.seed(**platform())
    before = in_process.state()
    ids_of_the_play = ids_shown(perform_all(in_process.base_url))
    in_process.forget_requests()
    with patch.dict(os.environ, environment):
        checked = played(in_process.base_url, play, check_mode=True)
        assert in_process.writes == []
        own_lists = [
            request
            for request in in_process.requests()
            if request["path"] in ("/projects", "/aliases", "/domains")
            and not request["query"].get("teamId")
        ]
        assert own_lists == []
        done = played(in_process.base_url, play, check_mode=False)
    left = ids_shown(in_process.state())
    for (module, options), foreseen, result in zip(play, checked, done, strict=True):
        case = (module, options)
        assert "failed" not in result, (case, result["msg"])
        assert "failed" not in foreseen, (case, foreseen["msg"])
        assert OUTSIDE not in json.dumps([foreseen, result]), case
        assert_about_the_same(module, foreseen, result, left)
        options = foreseen.pop("invocation")
        assert ids_shown(foreseen) <= ids_of_the_play, (case, options)
    assert outside(in_process.state()) == outside(before)
