# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as text: the order of its lines, what a run leaves out, and how the text ends."""

from typing import Any

import pytest
from plan_rows import (
    CHANGE,
    CREATED,
    CREATION,
    DELETION,
    INVITATION,
    PLAN_FOR,
    WHOLE,
    project,
    text_of,
)
from results import (
    GUARDS,
    NOT_SENT,
    OF_OTHERS,
    PRUNING,
    UNDECLARED,
    make_result,
    make_view,
    refused_result,
    result,
)

from ansible_collections.hosting.platform.plugins.plugin_utils.reports._plan_text import (
    BOLD,
    end_text,
    plan_text,
)

HOW_TO_APPLY = (
    "To apply this plan, run without check mode."
    " To allow nothing else, set converge_approved to its plan file or step ids."
)
MANY = [project(f"project-{number}", "create") for number in range(300)]


def test_irreversible_changes_are_listed_last():
    signs = [line[:10] for line in text_of(DELETION, INVITATION, CREATION, CHANGE)[:4]]
    assert signs == ["+ project ", "~ project ", "+ team mem", "- project "]


def test_others_stand_by_team_and_then_by_kind():
    rows = [project("b", "create", team=team) for team in ("labs", "acme", "")]
    rows += [result("aliases", "a", team, "update") for team in ("acme", "labs")]
    rows += [result("teams", team, None, "create") for team in ("labs", "acme")]
    assert text_of(*rows)[:-1] == [
        *("+ project b", "+ team acme", "+ project acme/b", "~ alias acme/a"),
        *("+ team labs", "+ project labs/b", "~ alias labs/a"),
    ]


def objects_of_kind(kind, names):
    return [{"kind": kind, "name": name, "team": "acme"} for name in names]


def test_many_objects_along_stand_below_their_deletion_by_kind():
    few = [
        *objects_of_kind("projects", ["shop", "blog"]),
        *objects_of_kind("aliases", ["a.example.com"]),
    ]
    assert text_of(result("teams", "acme", None, "delete", along=few))[:-1] == [
        "- team acme  and project shop, project blog, alias a.example.com"
    ]
    many = [*objects_of_kind("aliases", ["a.example.com", "*.example.com"]), *few[:2]]
    assert text_of(result("teams", "acme", None, "delete", along=many, source="a.yml:1")) == [
        "- team acme  a.yml:1",
        "    and 2 projects: shop, blog",
        '    and 2 aliases: a.example.com, "*.example.com"',
        "1 to delete (1 team) and 4 along with them.",
    ]


def test_terminal_colors_signs_values_and_what_goes_along():
    def paint(text: str, role: str) -> str:
        return f"<{role}>{text}</>" if role else text

    creation = project("shop", "create", after={"framework": "hugo"}, source="shop.yml:1")
    along = objects_of_kind("projects", ["one", "two", "three", "four"])
    deletion = result("teams", "acme", None, "delete", along=along)
    given = make_view(make_result([creation, CHANGE, deletion]), is_check=False)
    assert plan_text(given, paint).split("\n") == [
        f"Plan for <{BOLD}>https://api.example.com/v1</>",
        "<+>+</> project acme/shop  framework: <+>hugo</>  shop.yml:1",
        "<~>~</> project acme/blog  framework: <->hugo</> -> <+>astro</>",
        "<->- team acme</>",
        "    and 4 projects: <->one, two, three, four</>",
        f"<{BOLD}>1 to create (1 project), 1 to change (1 project), 1 to delete (1 team) and 4 along"
        " with them.</>",
    ]


CHECK = {"is_check": True}
REFUSED = {"is_check": True, **refused_result(("prune", "no"))}
WRITTEN = "Files written: a."
PLAN = [CREATED, "1 to create (1 project)."]
ENDS: list[tuple[Any, dict[str, Any], bool, list[str]]] = [
    (CREATION, {}, True, [WRITTEN, "Done: 1 created."]),
    (CREATION, {}, False, [PLAN_FOR, *PLAN, WRITTEN, "Done: 1 created."]),
    (project("a", "none"), {}, False, [PLAN_FOR, WRITTEN, "Nothing to do; 1 unchanged."]),
    (CREATION, CHECK, False, [PLAN_FOR, CREATED, WRITTEN, PLAN[1], HOW_TO_APPLY]),
    (CREATION, REFUSED, False, [PLAN_FOR, *PLAN, WRITTEN, "Refused: nothing was changed."]),
]


@pytest.mark.parametrize(("row", "more", "is_plan_shown", "lines"), ENDS)
def test_outcome_is_the_last_line_or_the_counts_of_a_plan(row, more, is_plan_shown, lines):
    given = make_view(make_result([row], **more), is_check="is_check" in more)
    assert end_text(given, ["", WRITTEN], is_plan_shown=is_plan_shown).split("\n") == lines


def test_a_line_under_the_plan_says_that_the_own_scope_is_never_pruned():
    own = {"_report": {"has_own_scope": True}}
    pruning = {"guards": PRUNING}
    told = {**own, **pruning}
    for more in (told, own, pruning):
        lines = text_of(project("a", "create"), **more)
        assert lines[2:] == ["Your own scope is never pruned."] * (more is told)
    unchanged = make_view(make_result([project("a", "none")], **told))
    lines = end_text(unchanged, [], is_plan_shown=False).split("\n")
    assert lines[1:] == ["Your own scope is never pruned.", "Nothing to do; 1 unchanged."], (
        "the outcome is the last"
    )


def test_undeclared_and_skipped_take_one_line_each():
    others = [project("a", "skip", reason="protected"), project("b", "skip", reason="dependency")]
    assert text_of(*NOT_SENT, *OF_OTHERS, *others, DELETION, undeclared=UNDECLARED) == [
        "- project acme/old  and alias old.example.com",
        "Undeclared: domain example.com (protected), project media/experiment.",
        "1 to delete (1 project) and 1 along with them; 4 not invited, 2 undeclared.",
        "Skipped: 512 (not selected).",
    ]
    many = [{**UNDECLARED[0], "name": f"p{number}"} for number in range(500)]
    assert text_of(undeclared=many)[0].endswith(" and 490 more.")
    assert text_of(undeclared=many, is_check=True)[0].endswith(", project media/p499.")


def test_a_plan_to_be_applied_leaves_nothing_out_and_says_how():
    lines = text_of(*MANY, is_check=True)
    assert len(lines) == 302
    assert lines[-1] == HOW_TO_APPLY
    assert len(text_of(*MANY, is_whole=True)) == 301
    assert HOW_TO_APPLY not in text_of(project("web", "none"), is_check=True)
    assert HOW_TO_APPLY not in text_of(*MANY, is_check=True, **refused_result(("a", "b")))


def test_a_run_shows_a_hundred_lines_with_all_deletions():
    lines = text_of(DELETION, *MANY)
    assert len(lines) == 102
    assert lines[98].startswith("+ project acme/project-98")
    assert lines[99:101] == [
        "- project acme/old  and alias old.example.com",
        "... and 201 more to create",
    ]
    lines = text_of(*[{**DELETION, "name": f"old-{number}"} for number in range(120)], CREATION)
    assert {line[0] for line in lines[:100]} == {"-"}
    assert lines[100] == "... and 20 more to delete, 1 more to create"


def test_a_run_leaves_creations_out_first() -> None:
    changes = [{**CHANGE, "name": f"z{number}"} for number in range(30)]
    lines = text_of(*MANY, *changes)
    assert sum(line.startswith("~") for line in lines) == 30
    assert lines[100] == "... and 230 more to create"


def test_a_line_under_the_plan_says_what_is_not_compared_of_unchanged_entries_too():
    unchanged = project("a", "none", not_compared=["description"])
    assert text_of(unchanged, CHANGE)[2:] == ["Not compared: 1 (description)."]


WARNINGS = [f"protect[{number}]: prod-{number} matches nothing." for number in range(22)]


def test_warnings_stand_right_above_the_counts_and_count_among_no_lines():
    rows = [*MANY, DELETION]
    lines = text_of(*rows, plan_warnings=WARNINGS, warnings=["late"], guards=GUARDS)
    assert lines[-25:] == [
        "- project acme/old  and alias old.example.com",
        "... and 201 more to create",
        *[f"Warning: {warning}" for warning in WARNINGS[:20]],
        "... and 2 more warnings",
        "Guards: protect prod-* (3).",
        "300 to create (300 projects), 1 to delete (1 project) and 1 along with them.",
    ]
    assert lines[:-23] == text_of(*rows)[:-1]
    assert "... and 1 more warning" in text_of(DELETION, plan_warnings=WARNINGS[:21])
    for whole in WHOLE:
        whole_lines = text_of(DELETION, plan_warnings=WARNINGS, **whole)
        assert whole_lines[1:23] == [f"Warning: {warning}" for warning in WARNINGS]


@pytest.mark.parametrize("drifts", [False, True])
def test_end_of_a_check_has_what_is_to_be_read_above_the_counts_which_stand_once(drifts):
    given = make_result([project("x", "delete")], plan_warnings=WARNINGS[:1], guards=GUARDS)
    counts = make_view(given).counts
    if drifts:
        given |= {"failed": True, "msg": "It drifts.", "outcome": counts}
    lines = end_text(make_view(given), ["Files written: a."], is_plan_shown=False).split("\n")
    assert lines[1:6] == [
        "- project acme/x",
        f"Warning: {WARNINGS[0]}",
        "Guards: protect prod-* (3).",
        "Files written: a.",
        counts,
    ]
    assert lines[6:] == [] if drifts else [HOW_TO_APPLY]


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        ([], ""),
        (["acme"], "No entry names the team acme, so nothing of it is compared."),
        (["a b", "c"], 'No entry names the teams "a b", c, so nothing of them is compared.'),
        (
            list("abcde"),
            "No entry names the teams a, b, c and 2 more, so nothing of them is compared.",
        ),
    ],
)
def test_teams_that_no_entry_names_are_said_below_the_counts(teams, sentence):
    given = make_result([CHANGE], _report={"other_teams": teams})
    pruning = make_view({**given, "guards": PRUNING}, is_check=False)
    drift = make_view(given, is_check=False, fail_on_drift=True)
    for view in (pruning, drift):
        assert plan_text(view).split("\n")[3:] == [sentence] * bool(sentence)
    assert len(plan_text(make_view(given, is_check=False)).split("\n")) == 3
