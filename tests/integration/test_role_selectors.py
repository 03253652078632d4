# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors as options of a role: texts, lists, and messages that name them with its prefix."""

import re

import pytest
from folders import write
from player import Player
from sampling import both_ways

from roles import Options, include, messages_of_caught, outcomes, play_on, role, with_rescue


@pytest.mark.core_differences
@both_ways
def test_texts_of_selectors_are_text_alone(player: Player, in_process: str) -> None:
    """YAML reads 010 as 8, and 1_000 as 1000: read otherwise than written, they would protect
    nothing.
    """
    cases: dict[str, Options] = {
        "converge_protect[1] must be text, and is a number. Quote it.": {
            "converge_protect": ["a", 8]
        },
        "converge_ignore[0].team must be text, and is a number. Quote it.": {
            "converge_ignore": [{"team": 7}]
        },
        "converge_only[0] must be text, and is a boolean. Quote it.": {"converge_only": [True]},
        "converge_protect[0].name must be text, and is a number with a fraction. Quote it.": {
            "converge_protect": [{"name": 1.5}]
        },
        "converge_only[0].source must be text, and is a list.": {
            "converge_only": [{"source": ["a"]}]
        },
        "converge_approved: must not contain a NUL character. Remove it.": {
            "converge_approved": ["a\0b"]
        },
    }
    tasks = [with_rescue(include("converge", **options)) for options in cases.values()]
    tasks.append(with_rescue(include("export", export_ignore=[8])))
    played = play_on(player, *tasks, HOSTING_PLATFORM_IN_PROCESS=in_process)
    of_export = "export_ignore[0] must be text, and is a number. Quote it."
    assert messages_of_caught(played) == [*cases, of_export]
    assert player.emulator.requests() == []


PROJECTS = [{"name": name, "team": "acme"} for name in ("shop", "blog", "prod-api", "old")]
WHOLE: Options = {"projects": [{"name": "shop", "team": "acme"}]}
# As a survey's text area gives them, as one name on each line; and as a command line does.
LISTS = ["prod-api\nblog", "prod-api\r\nblog\r\n", "prod-api,blog", '["prod-api", "blog"]']
NO_LISTS = {
    "prod-api,": "has an empty item before or behind a comma. On a command line, write no space"
    " after a comma: -e converge_protect=one,two",
    "- prod-api\n- blog": 'has an item that begins with "- ", as in YAML. Write one item a line'
    " without it, or JSON.",
}


@both_ways
def test_text_is_a_list_with_an_item_a_line_or_between_commas(
    player: Player, in_process: str
) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}], projects=PROJECTS)
    options: Options = {"converge_blueprint": WHOLE, "converge_prune": "projects"}
    tasks = [role("converge", check=True, **options, converge_protect=text) for text in LISTS]
    tasks += [with_rescue(role("converge", **options, converge_protect=text)) for text in NO_LISTS]
    played = play_on(player, *tasks, HOSTING_PLATFORM_IN_PROCESS=in_process)
    for result in outcomes(played)[: len(LISTS)]:
        rows = {row["name"]: row["action"] for row in result["results"]}
        assert rows == {"shop": "none", "blog": "skip", "prod-api": "skip", "old": "delete"}
    assert messages_of_caught(played) == [
        f"converge_protect {problem}" for problem in NO_LISTS.values()
    ]
    assert player.emulator.writes == []


@both_ways
def test_selector_without_a_match_is_named_with_the_roles_prefix(
    player: Player, in_process: str
) -> None:
    tasks = [
        with_rescue(include("converge", converge_only=["acm", {"kind": "teams", "name": "x"}]))
    ]
    played = play_on(player, *tasks, HOSTING_PLATFORM_IN_PROCESS=in_process)
    (message,) = messages_of_caught(played)
    assert message.split("\n") == [
        "converge_only[0]: acm matches nothing. Did you mean acme?",
        'converge_only[1]: {"kind": "teams", "name": "x"} matches nothing.',
    ]
    assert not re.search(r"(?<!converge_)only\[0\]", played.output), "core shows it, too"


@both_ways
def test_warnings_about_options_name_them_with_the_roles_prefix(
    player: Player, in_process: str
) -> None:
    options: Options = {
        "converge_blueprint": {"teams": [{"slug": "acme"}]},
        "converge_prune": ["domains"],
        "converge_only": ["acme", {"team": "nobody"}],
        "converge_markdown": "comment.md",
    }
    played = play_on(
        player, role("converge", check=True, **options), HOSTING_PLATFORM_IN_PROCESS=in_process
    )
    (result,) = outcomes(played)
    assert [warning.split(" ")[0] for warning in result["plan_warnings"]] == [
        "converge_only[1]:",
        "converge_prune:",
    ]
    comment = (player.folder / "comment.md").read_text(encoding="utf-8").replace("\n!   ", " ")
    assert [f"! Warning: {warning}" in comment for warning in result["plan_warnings"]] == [True] * 2


def test_the_prefix_is_put_before_options_and_not_before_files(player: Player) -> None:
    write(player.folder / "blueprint", teams="[]", **{"plan.json": "{}", "only.txt": ""})
    played = play_on(
        player,
        with_rescue(role("converge", converge_directory="blueprint", converge_plan="p.json")),
    )
    (message,) = messages_of_caught(played)
    assert [line.partition(":")[0] for line in message.split("\n")] == ["only.txt", "plan.json"]
