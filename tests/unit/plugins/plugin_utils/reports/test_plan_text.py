# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as text: what each change says of itself, the order of lines, and what a run
leaves out.
"""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from results import (
    ALONG,
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
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._quoting import (
    quote,
    quote_name,
)

HOW_TO_APPLY = (
    "To apply this plan, run without check mode."
    " To allow nothing else, set converge_approved to its plan file or step ids."
)


PLAN_FOR = "Plan for https://api.example.com/v1"


def text_of(*rows, is_check=False, is_whole=False, **more):
    """The lines below the first."""
    view = make_view(make_result(list(rows), **more), is_check=is_check)
    first, *lines = plan_text(view, is_whole=is_whole).split("\n")
    assert first == PLAN_FOR
    return lines


def project(name, action, before=(), after=(), team="acme", **more):
    return result("projects", name, team, action, before=dict(before), after=dict(after), **more)


CREATION = project(
    "shop", "create", after={"name": "shop", "framework": "hugo"}, source="projects/shop.yml:1"
)
HUGO = {"framework": "hugo"}
ASTRO = {"framework": "astro"}
CHANGE = project("blog", "update", HUGO, ASTRO)
RENAME = project("journal", "update", {"name": "blog"}, {"name": "journal"})
OLD_ALIAS = {"kind": "aliases", "name": "old.example.com", "team": "acme"}
DELETION = project("old", "delete", {"name": "old"}, along=[OLD_ALIAS])
TEAM_DELETION = result("teams", "acme", None, "delete", along=ALONG)
CREATED = "+ project acme/shop  framework: hugo  projects/shop.yml:1"
INVITED = {"email": "dev@example.com", "role": "VIEWER"}
INVITATION = result("team_members", "dev@example.com", "acme", "invite", after=INVITED)
WHOLE = ({"is_check": True}, {"is_whole": True})
MANY = [project(f"project-{number}", "create") for number in range(300)]


def alias_deletion(of, **more):
    before = {"alias": "www.example.com", "project": of}
    return result("aliases", "www.example.com", "acme", "delete", before=before, **more)


BEFORE = {"name": "old", "alias": "a"}
AFTER = {"name": "shop", "alias": "b"}
LINES = {
    CREATED: CREATION,
    "~ project acme/blog  framework: hugo -> astro": CHANGE,
    "~ project acme/journal  renamed from blog": RENAME,
    "~ project acme/shop  renamed from old  alias: a -> b": project(
        "shop", "update", BEFORE, AFTER
    ),
    "- alias acme/www.example.com of shop": alias_deletion("shop"),
    '- alias acme/www.example.com of "a b"': alias_deletion("a b"),
    "- alias acme/www.example.com": alias_deletion(None),
    "- alias acme/www.example.com of shop (failed)": alias_deletion("shop", failed=True),
    '~ project acme/shop  renamed from ""': project(
        "shop", "update", {"name": None}, {"name": "shop"}
    ),
    "- project acme/old  and alias old.example.com": DELETION,
    "- team acme  and project web, alias media/www.example.com": TEAM_DELETION,
    "+ team member acme/dev@example.com  role: VIEWER": INVITATION,
    "+ project own": project("own", "create", team=""),
    "+ team acme  (not compared: description)": result(
        "teams", "acme", None, "create", not_compared=["description"]
    ),
    '~ project acme/blog  framework: hugo -> ""': project(
        "blog", "update", HUGO, {"framework": ""}
    ),
    '~ project acme/blog  framework: "" -> astro': project(
        "blog", "update", {"framework": None}, ASTRO
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_each_change_says_what_it_sends(line):
    assert text_of(LINES[line])[0] == line


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("npm run build", '"npm run build"'),
        ("a\nb\x1b[31m", '"a\\nb\\u001b[31m"'),
        ("a\\nb\r\n", '"a\\\\nb\\u000d\\n"'),
        ("caf\u00e9", '"caf\u00e9"'),
        ("cafe\u0301", '"cafe\\u0301"'),
        ("\u202egnp", '"\\u202egnp"'),
        ("a" * 81, f'"{"a" * 80}" (truncated, 81 characters)'),
        ({"redirect": 301}, '"{\\"redirect\\": 301}"'),
        ("größe", '"größe"'),
        ("dist/a_b-c@1:2.0", "dist/a_b-c@1:2.0"),
        ("a  b\u2800\u3164", '"a \\u0020b\\u2800\\u3164"'),
    ],
)
def test_special_values_are_quoted(value, shown):
    assert (
        text_of(project("web", "create", after={"framework": value}))[0]
        == f"+ project acme/web  framework: {shown}"
    )


def test_a_name_is_quoted_but_not_cut_as_a_value_is():
    assert text_of(project("a b", "delete"))[0] == '- project "acme/a b"'
    assert text_of(project("a/b", "delete", team="größe"))[0] == '- project "größe/a/b"'
    assert text_of(project("a" * 253, "delete"))[0] == f"- project acme/{'a' * 253}"


def test_values_are_longer_where_a_plan_is_to_be_judged():
    value = "a" * 2_001
    for lines in (
        text_of(project("web", "create", after={"x": value}), **whole) for whole in WHOLE
    ):
        assert f'x: "{"a" * 2_000}" (truncated, 2,001 characters)' in lines[0]
    assert text_of(project("web", "create", after={"x": value[1:]}), is_check=True)[0].endswith(
        value[1:]
    )


def part(text, first, whole):
    return f'"{text}" (truncated, characters {first} to {whole} of {whole} characters)'


SAME = "a" * 20
LONG_VALUES = [
    (
        15 * SAME + "old",
        15 * SAME + "new",
        f"{part(f'{SAME}old', 281, 303)} -> {part(f'{SAME}new', 281, 303)}",
    ),
    ("a" * 90, "a" * 91, f"{part(SAME, 71, 90)} -> {part(f'{SAME}a', 71, 91)}"),
    (
        "b" + "a" * 90,
        "a" * 90,
        f'"b{"a" * 79}" (truncated, 91 characters) -> "{"a" * 80}" (truncated, 90 characters)',
    ),
]


@pytest.mark.parametrize(("old", "new", "shown"), LONG_VALUES)
def test_long_values_are_shown_where_they_differ(old, new, shown):
    assert (
        text_of(project("web", "update", {"x": old}, {"x": new}))[0]
        == f"~ project acme/web  x: {shown}"
    )


TEXTS = st.text() | st.text(alphabet='#[]:" \\->+~\n')


@given(TEXTS, TEXTS, TEXTS)
@example('a"  and project "b', "\n- project acme/all", "a -> b")
def test_text_of_others_stays_in_its_quotes(name, value, source):
    """Nobody can begin a line, end one, or write a part of it that looks like ours."""
    line, *others = text_of(project(name, "create", after={"framework": value}, source=source))
    parts = [
        quote_name("acme", name),
        f"framework: {quote(value, 80)}",
        *([quote(source, 300)] if source else []),
    ]
    assert line == f"+ project {'  '.join(parts)}"
    assert line.isprintable()
    assert len(others) == 1
    assert [
        text for text in (quote(name, 80), quote(value, 80)) if " " in text and text[0] != '"'
    ] == []


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
    drift = make_view(given, is_check=False, is_drift_check=True)
    for view in (pruning, drift):
        assert plan_text(view).split("\n")[3:] == [sentence] * bool(sentence)
    assert len(plan_text(make_view(given, is_check=False)).split("\n")) == 3
