# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of every play of single tasks: check mode says what the run does, and a second run is
quiet.
"""

from collections import ChainMap
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from modules import perform
from platforms import TEAMS, TEXTS, platforms, presentations, scope_options
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._model.name_forms import is_same_host

Task = tuple[str, dict[str, Any]]

# The more often one is in a list, the more often tasks meet.
SLUGS = [*TEAMS, *TEAMS, *TEAMS, "zetta", "Acme"]
NAMES = ["web", "web", "web", "Web", "a/b c", "n\u00e4me", "12345", "new"]
HOSTS = [
    "www.acme.example.com",
    "www.zeta.example.com",
    "WWW.Acme.example.com.",
    "cdn.zeta.example.com",
    "old.own.example.com",
    "WWW.new.example.com",
    "b\u00fccher.example.com",
    "xn--bcher-kva.example.com",
]
ADA = {"email": "ada@example.com", "role": "DEVELOPER"}
INFO = {
    "project_info": "projects",
    "alias_info": "aliases",
    "domain_info": "domains",
    "project_domain_info": "domains",
    "team_info": "teams",
}

slugs = st.sampled_from(SLUGS)
scopes = st.sampled_from([*SLUGS, ""]).map(scope_options)
names = st.sampled_from(NAMES)
hosts = st.sampled_from(HOSTS)
states = st.sampled_from(["present", "present", "absent"])
fields = st.dictionaries(
    st.sampled_from(["framework", "build_command"]), st.sampled_from(TEXTS), max_size=2
)


def merged(*parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """The options of all of these parts."""
    return st.tuples(*parts).map(lambda drawn: dict(ChainMap(*reversed(drawn))))


def task(module: str, *parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[Task]:
    return st.tuples(st.just(module), merged(*parts))


def option(name: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: values})


def optional(name: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={name: values})


project = task("project", scopes, option("name", names), fields)
tasks = st.one_of(
    task(
        "team",
        option("slug", slugs),
        optional("name", st.sampled_from(["", "Acme"])),
        option("state", states),
    ),
    task(
        "team", option("slug", slugs), option("previously", st.lists(slugs, min_size=1, max_size=2))
    ),
    project,
    task("project", scopes, option("name", names), optional("alias", hosts)),
    task(
        "project",
        scopes,
        option("name", names),
        option("state", st.sampled_from(["absent", "exists"])),
    ),
    task(
        "project",
        scopes,
        option("name", names),
        option("previously", st.lists(names, min_size=1, max_size=2)),
    ),
    task(
        "project",
        option("name", names),
        option("team", slugs),
        option("previous_team", slugs),
        fields,
    ),
    task("project", scopes, option("name", names), option("unlisted_fields", st.just("clear"))),
    task("alias", scopes, option("alias", hosts), option("project", names)),
    task("alias", scopes, option("alias", hosts), option("project", st.just("web"))),
    task(
        "alias",
        scopes,
        option("alias", hosts),
        optional("project", names),
        option("state", st.just("absent")),
    ),
    task("domain", scopes, option("name", hosts), option("state", states)),
    task("team_member", option("team", slugs), st.just(ADA)),
    task("project_info", scopes, optional("name", names)),
    task("alias_info", scopes, st.one_of(optional("project", names), optional("domain", hosts))),
    task("alias_info", scopes, option("alias", hosts)),
    task("domain_info", scopes, optional("name", hosts)),
    task("project_domain_info", scopes, option("project", names)),
    task("team_info", optional("team", slugs)),
)
habits = st.fixed_dictionaries(
    {},
    optional={
        "assignment_takes": st.sampled_from(["of_its_scope", "everywhere", "nothing"]),
        "own_alias_takes": st.sampled_from(["nothing", "of_its_scope", "everywhere"]),
        "lists_span_teams": st.booleans(),
        "aliases_move": st.booleans(),
        "domain_takes_aliases": st.sampled_from(["of_its_scope", "everywhere"]),
        "host_form": st.sampled_from(["as_sent", "lowercase", "idna", "unicode"]),
        "alias_on_get": st.sampled_from(["of_callers_teams", "of_its_scope", "of_everybody"]),
        "patch_clears": st.just("framework:buildCommand"),
        "patch_result": st.sampled_from(["old", "empty"]),
    },
)


def assert_prediction(
    module: str, checked: dict[str, Any], done: dict[str, Any], unknown: set[str]
) -> None:
    """Check mode has said what the run did, as far as anybody but the service can know: not of the
    ``unknown`` fields.
    """
    assert "failed" not in checked, checked["msg"]
    assert checked["changed"] is done["changed"]
    if module in INFO:
        assert checked[INFO[module]] == done[INFO[module]]
        return
    assert checked["diff"] == done["diff"]
    assert (checked[module] == {}) is (done[module] == {})
    for field, value in checked[module].items():
        if field in unknown:
            continue
        if any(f": {field} is " in warning for warning in done["warnings"]):
            continue  # stored otherwise than it was given, which the warning says
        if field == "alias":
            assert value in (None, "") or is_same_host(done[module][field], value)
        elif value not in (None, "") and field != "updated_at":
            assert str(done[module][field]) == str(value), field


@given(platforms(), presentations, habits, st.lists(tasks, min_size=1, max_size=6))
@examples(300)
def test_each_task_does_what_check_mode_says_and_then_nothing(
    in_process, platform, presentation, habit, play
):
    in_process.reset()
    in_process.switch(**{**presentation, **habit})
    in_process.seed(**platform)
    for module, options in play:
        in_process.forget_requests()
        checked = perform(module, in_process.base_url, check_mode=True, **options)
        assert in_process.writes == []
        assert not any(request["query"].get("teamId") == "" for request in in_process.requests())
        done = perform(module, in_process.base_url, **options)
        if "failed" in done:
            continue
        # What the service clears with another field, and nobody has given.
        unknown = {"build_command"} - options.keys() if "patch_clears" in habit else set()
        assert_prediction(module, checked, done, unknown)
        again = perform(module, in_process.base_url, **options)
        assert "failed" not in again, again["msg"]
        is_told = any("stores it so" in warning for warning in done["warnings"])
        assert module == "team_member" or again["changed"] is is_told


@st.composite
def whole_plays(draw: Any) -> list[Task]:
    """What people write: each object once, what holds others before them, and deletions last, the
    other way round.
    """
    made: list[Task] = []
    taken: list[Task] = []
    for slug in draw(st.lists(slugs, min_size=1, max_size=3, unique=True)):
        is_team_absent = draw(st.sampled_from([False, False, True]))
        team = ("team", {"slug": slug, **draw(optional("name", st.just("Acme")))})
        made += [] if is_team_absent else [team]
        taken += [(team[0], {"slug": slug, "state": "absent"})] if is_team_absent else []
        for name in draw(st.lists(names, max_size=2, unique=True)):
            is_absent = is_team_absent or draw(st.sampled_from([False, False, True]))
            options = {"team": slug, "name": name}
            alias = {
                "team": slug,
                "project": name,
                "alias": f"{len(made)}-{len(taken)}.{slug}.example.com",
            }
            if is_absent:
                taken += [
                    ("project", {**options, "state": "absent"}),
                    ("alias", {**alias, "state": "absent"}),
                ]
                continue
            made += [("project", {**options, **draw(fields)}), ("alias", alias)]
            made += [("alias_info", {"team": slug, "project": name}), ("project_info", options)]
        made += [] if is_team_absent else [("team_member", {"team": slug, **ADA})]
    return [*made, *reversed(taken)]


def without_cascade(result: dict[str, Any]) -> dict[str, Any]:
    """The diff without what goes along with a deletion, which other tasks may delete before."""
    diff = result.get("diff", {"before": {}, "after": {}})
    before = {
        option: value
        for option, value in diff["before"].items()
        if not option.startswith("removed_")
    }
    return {**diff, "before": before}


@given(st.just({}) | platforms(), presentations, whole_plays())
@examples(200)
def test_a_whole_play_is_foreseen_on_the_platform_before_it(
    in_process, platform, presentation, play
):
    in_process.reset()
    in_process.switch(**{**presentation, "assignment_takes": "everywhere"})
    in_process.seed(**platform)
    in_process.forget_requests()
    checked = [
        perform(module, in_process.base_url, check_mode=True, **options) for module, options in play
    ]
    assert in_process.writes == []
    assert not any(request["query"].get("teamId") == "" for request in in_process.requests())
    done = [perform(module, in_process.base_url, **options) for module, options in play]
    again = [perform(module, in_process.base_url, **options) for module, options in play]
    for (module, options), foreseen, result, repeated in zip(
        play, checked, done, again, strict=True
    ):
        assert "failed" not in result, (module, options, result["msg"])
        assert "failed" not in foreseen, (module, options, foreseen["msg"])
        assert foreseen["changed"] is result["changed"], (module, options)
        assert without_cascade(foreseen) == without_cascade(result), (module, options)
        assert "failed" not in repeated, (module, options, repeated["msg"])
        assert module == "team_member" or repeated["changed"] is False, (module, options)
