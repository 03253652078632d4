# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The line of guards: what holds, and what matches nothing, where it is seen."""

from typing import Any

import pytest
from results import ALONG, CHANGE, DELETION, GUARDS, make_result, make_view

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.selectors import (
    SELECTOR_OPTIONS,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._guards_line import (
    SELECTOR_GUARDS,
    guards_line,
)

NONE = {**GUARDS, "protect": []}


def selected(**selectors: int) -> list[dict[str, Any]]:
    return [{"selector": text, "matches": matches} for text, matches in selectors.items()]


def line_of(guards: dict[str, Any], *rows: Any, **more: Any) -> str:
    return guards_line(make_view(make_result(list(rows), guards=guards), **more))


def test_every_guard_of_selectors_has_its_part_of_the_line() -> None:
    assert {*SELECTOR_GUARDS} == {*SELECTOR_OPTIONS}


def test_line_says_all_that_holds_in_the_order_of_the_contract() -> None:
    guards = {
        "protect": [{"selector": "prod-*", "matches": 3}, {"selector": "db", "matches": 1}],
        "ignore": [{"selector": "legacy-*", "matches": 2}],
        "only": [{"selector": "acme/*", "matches": 7}],
        "limits": {"create": None, "delete": 5},
        "prune": ["projects", "aliases"],
        "prune_limit": 30,
    }
    assert line_of(guards, approved=[], confirm=True) == (
        "Guards: protect prod-* (3), db (1); ignore legacy-* (2); only acme/* (7);"
        " limits delete 5; approved; confirm; prune projects, aliases, at most 30 %."
    )


@pytest.mark.parametrize(
    ("guards", "more", "line"),
    [
        ({**NONE, "only": []}, {}, "Guards: only nothing."),
        (
            {**NONE, "limits": {"delete": 0, "create": 20}},
            {},
            "Guards: limits delete 0, create 20.",
        ),
        (NONE, {"approved": []}, "Guards: approved."),
        (NONE, {"confirm": True}, "Guards: confirm."),
        ({**GUARDS, "prune": ["domains"], "prune_limit": 12.5}, {}, None),
    ],
)
def test_each_guard_alone_makes_a_line(guards: Any, more: Any, line: str | None) -> None:
    expected = line or "Guards: protect prod-* (3); prune domains, at most 12.5 %."
    assert line_of(guards, **more) == expected


def test_selectors_without_a_match_stand_first_and_ten_are_shown() -> None:
    many = selected(**{f"p{number}": number for number in range(1, 12)}, pord=0)
    shown = ", ".join(f"p{number} ({number})" for number in range(1, 10))
    assert line_of({**NONE, "protect": many}) == (
        f"Guards: protect pord matches nothing, {shown} and 2 more."
    )


def test_selectors_stand_as_they_were_given() -> None:
    given = [
        {"kind": ["projects"], "name": "a b\u202e"},
        "a b",
        "größe; prune *",
        "acme/[ab]?-*",
        "x\u202e",
    ]
    protect = [{"selector": selector, "matches": 1} for selector in given]
    assert line_of({**NONE, "protect": protect}) == (
        'Guards: protect {"kind": ["projects"], "name": "a b\\u202e"} (1), "a b" (1),'
        ' "größe; prune *" (1), acme/[ab]?-* (1), "x\\u202e" (1).'
    )


def test_a_deletion_without_guards_is_said_and_a_plan_without_both_has_no_line() -> None:
    pruned = {**NONE, "prune": ["projects"]}
    assert line_of(NONE, DELETION) == "No guards are set."
    assert line_of(NONE, {**CHANGE, "along": ALONG}) == "No guards are set.", "of an old own alias"
    assert line_of(pruned, DELETION) == "No guards are set; prune projects, at most 30 %."
    assert line_of(pruned, CHANGE) == line_of(NONE) == ""
    assert guards_line(make_view({"failed": True, "msg": "no plan"}, approved=[])) == ""
