# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as text: what each change says of itself, the order of lines, and what a run leaves out."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from outcomes import ALONG, NOT_SENT, OF_OTHERS, UNDECLARED, outcome, refused, report, result

from ansible_collections.hosting.platform.plugins.plugin_utils._plan_text import plan_text, quoted

HOW_TO_APPLY = (
    "Nothing was changed. To apply this plan, run it without check mode; to apply nothing else, set converge_approved"
    " to its plan file or its steps."
)


def text_of(*rows, is_check=False, is_whole=False, **more):
    return plan_text(report(outcome(list(rows), **more), is_check=is_check), is_whole=is_whole).split("\n")


def project(name, action, before=(), after=(), team="acme", **more):
    return result("projects", name, team, action, before=dict(before), after=dict(after), **more)


CREATION = project("shop", "create", after={"name": "shop", "framework": "hugo"}, source="projects/shop.yml:1")
CHANGE = project("blog", "update", {"framework": "hugo"}, {"framework": "astro"})
RENAME = project("journal", "update", {"name": "blog"}, {"name": "journal"})
MOVE = project("shop", "update", {"team": "labs"}, {"team": "acme"})
DELETION = project(
    "old", "delete", {"name": "old"}, along=[{"kind": "aliases", "name": "old.example.com", "team": "acme"}]
)
INVITATION = result(
    "team_members", "dev@example.com", "acme", "invite", after={"email": "dev@example.com", "role": "VIEWER"}
)
MANY = [project(f"project-{number}", "create") for number in range(300)]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (CREATION, "+ project acme/shop  framework: hugo  projects/shop.yml:1"),
        (CHANGE, "~ project acme/blog  framework: hugo -> astro"),
        (RENAME, "~ project acme/journal  renamed from blog"),
        (MOVE, "~ project acme/shop  moved from labs"),
        (
            project(
                "shop",
                "update",
                {"name": "old", "team": "labs", "alias": "a"},
                {"name": "shop", "team": "acme", "alias": "b"},
            ),
            "~ project acme/shop  renamed from old  moved from labs  alias: a -> b",
        ),
        (project("shop", "update", {"name": None}, {"name": "shop"}), '~ project acme/shop  renamed from ""'),
        (DELETION, "- project acme/old  and alias old.example.com"),
        (
            result("teams", "acme", None, "delete", along=ALONG),
            "- team acme  and project acme/web, alias media/www.example.com",
        ),
        (INVITATION, "+ team member acme/dev@example.com  role: VIEWER"),
        (project("own", "create", team=""), "+ project own"),
        (
            result("teams", "acme", None, "create", not_compared=["description"]),
            "+ team acme  (not compared: description)",
        ),
        (
            project("blog", "update", {"framework": "hugo"}, {"framework": ""}),
            '~ project acme/blog  framework: hugo -> ""',
        ),
        (
            project("blog", "update", {"framework": None}, {"framework": "hugo"}),
            '~ project acme/blog  framework: "" -> hugo',
        ),
    ],
)
def test_each_change_says_what_it_sends(change, line):
    assert text_of(change)[0] == line


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("npm run build", '"npm run build"'),
        ("a\nb\x1b[31m", '"a\\u000ab\\u001b[31m"'),
        ("\u202egnp", '"\\u202egnp"'),
        ("a" * 81, f'"{"a" * 80}" (cut: 81 characters)'),
        ({"redirect": 301}, '"{\\"redirect\\": 301}"'),
        ("größe", "größe"),
    ],
)
def test_what_is_not_plain_stands_in_quotes(value, shown):
    assert text_of(project("web", "create", after={"framework": value}))[0] == f"+ project acme/web  framework: {shown}"


def test_a_name_is_quoted_but_not_cut_as_a_value_is():
    assert text_of(project("a b", "delete"))[0] == '- project "acme/a b"'
    assert text_of(project("a" * 253, "delete"))[0] == f"- project acme/{'a' * 253}"


TEXTS = st.text() | st.text(alphabet='#[]:" \\->+~\n')


@given(TEXTS, TEXTS, TEXTS)
@example('a"  and project "b', "\n- project acme/all", "a -> b")
def test_text_of_others_stays_in_its_quotes(name, value, source):
    """Nobody can begin a line, end one, or write a part of it that looks like ours."""
    line, *others = text_of(project(name, "create", after={"framework": value}, source=source))
    parts = [quoted(f"acme/{name}", 300), f"framework: {quoted(value)}", *([quoted(source, 300)] if source else [])]
    assert line == f"+ project {'  '.join(parts)}"
    assert line.isprintable()
    assert len(others) == 1
    assert [text for text in map(quoted, (name, value)) if " " in text and text[0] != '"'] == []


def test_what_cannot_be_taken_back_stands_last():
    signs = [line[:10] for line in text_of(DELETION, INVITATION, MOVE, CREATION, CHANGE)[:5]]
    assert signs == ["+ project ", "~ project ", "~ project ", "+ team mem", "- project "]


def test_counts_are_by_kind():
    *_lines, totals = text_of(CREATION, DELETION, MOVE, project("web", "none"), project("api", "create"))
    assert totals == (
        "2 to create (2 projects), 1 to move (1 project), 1 to delete (1 project), 1 along with them; 1 unchanged."
    )


def test_what_is_undeclared_or_skipped_is_one_line_each():
    skipped = [
        *NOT_SENT,
        *OF_OTHERS,
        project("a", "skip", reason="protected"),
        project("b", "skip", reason="dependency"),
    ]
    assert text_of(*skipped, undeclared=UNDECLARED) == [
        "Undeclared: project media/experiment, domain example.com.",
        "Skipped: 4 (not invited), 512 (not selected), 1 (protected and never deleted), 1 (what it depends on failed)."
        " Set converge_invite to send invitations.",
        "Nothing to do; 0 unchanged.",
    ]
    many = [{**UNDECLARED[0], "name": f"p{number}"} for number in range(500)]
    assert text_of(undeclared=many)[0].endswith(" and 490 more.")
    assert text_of(undeclared=many, is_check=True)[0].endswith(", project media/p499.")


def test_a_plan_to_be_applied_leaves_nothing_out_and_says_how():
    lines = text_of(*MANY, is_check=True)
    assert len(lines) == 302
    assert lines[-1] == HOW_TO_APPLY
    assert len(text_of(*MANY, is_whole=True)) == 301
    for nothing in (
        text_of(project("web", "none"), is_check=True),
        text_of(*MANY, is_check=True, **refused(("a", "b"))),
    ):
        assert HOW_TO_APPLY not in nothing


def test_a_run_shows_a_hundred_lines_with_all_deletions():
    lines = text_of(DELETION, *MANY)
    assert len(lines) == 102
    assert lines[98].startswith("+ project acme/project-98")
    assert lines[99:101] == ["... and 201 more to create", "- project acme/old  and alias old.example.com"]
    lines = text_of(*[{**DELETION, "name": f"old-{number}"} for number in range(120)], CREATION)
    assert lines[0] == "... and 1 more to create, 20 more to delete"
