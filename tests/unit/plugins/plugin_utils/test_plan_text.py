# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as text: what each change says of itself, the order of lines, and what a run leaves out."""

from __future__ import annotations

import pytest

from ansible_collections.hosting.platform.plugins.plugin_utils._plan_text import HOW_TO_APPLY, plan_lines, plan_text

OTHERS: dict[str, object] = {"source": None, "reason": None, "along": [], "not_compared": []}
ROW = {"kind": "projects", "team": "acme", **OTHERS}


def row(name, action, before=(), after=(), **more):
    return {**ROW, "name": name, "action": action, "diff": {"before": dict(before), "after": dict(after)}, **more}


def text_of(*rows, undeclared=(), is_check=False, is_whole=False):
    summary = {"along": sum(len(row["along"]) for row in rows), "none": sum(row["action"] == "none" for row in rows)}
    result = {"results": rows, "undeclared": undeclared, "summary": summary}
    return plan_text(plan_lines(result, is_check=is_check, is_whole=is_whole)).split("\n")


CREATION = row("shop", "create", after={"name": "shop", "framework": "hugo"}, source="projects/shop.yml:1")
CHANGE = row("blog", "update", {"framework": "hugo"}, {"framework": "astro"})
RENAME = row("journal", "update", {"name": "blog"}, {"name": "journal"})
MOVE = row("shop", "update", {"team": "labs"}, {"team": "acme"})
DELETION = row("old", "delete", {"name": "old"}, along=[{"kind": "aliases", "name": "old.example.com", "team": "acme"}])
INVITATION = row("dev@example.com", "invite", after={"email": "dev@example.com", "role": "VIEWER"}, kind="team_members")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (CREATION, "+ project acme/shop  framework: hugo  projects/shop.yml:1"),
        (CHANGE, "~ project acme/blog  framework: hugo -> astro"),
        (RENAME, "~ project acme/journal  renamed from blog"),
        (MOVE, "~ project acme/shop  moved from labs"),
        (DELETION, "- project acme/old  and alias old.example.com"),
        (INVITATION, "+ team member acme/dev@example.com  role: VIEWER"),
        (row("own", "create", team=""), "+ project own"),
        (
            row("acme", "create", kind="teams", team=None, not_compared=["description"]),
            "+ team acme  (not compared: description)",
        ),
        (row("blog", "update", {"framework": "hugo"}, {"framework": ""}), '~ project acme/blog  framework: hugo -> ""'),
        (
            row("blog", "update", {"framework": None}, {"framework": "hugo"}),
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
        ('say "yes"', '"say \\"yes\\""'),
        ("\u202egnp", '"\\u202egnp"'),
        ("{{ x }}", '"{{ x }}"'),
        ("a" * 81, f'"{"a" * 80}" (cut: 81 characters)'),
        ({"redirect": 301}, '"{\\"redirect\\": 301}"'),
        ("größe", "größe"),
    ],
)
def test_what_is_not_plain_stands_in_quotes(value, shown):
    assert text_of(row("web", "create", after={"framework": value}))[0] == f"+ project acme/web  framework: {shown}"
    assert text_of(row(value, "delete"))[0].startswith("- project acme/" if value == "größe" else '- project "acme/')


def test_what_cannot_be_taken_back_stands_last():
    signs = [line[:10] for line in text_of(DELETION, INVITATION, MOVE, CREATION, CHANGE)[:5]]
    assert signs == ["+ project ", "~ project ", "~ project ", "+ team mem", "- project "]


def test_counts_are_by_kind():
    *_lines, totals = text_of(CREATION, DELETION, row("web", "none"), row("api", "create"))
    assert totals == "2 to create (2 projects), 1 to delete (1 project), 1 along with them; 1 unchanged."


def test_what_is_undeclared_or_skipped_is_one_line_each():
    thing = {"kind": "aliases", "name": "x.example.com", "team": "acme", "protected": False}
    skipped = row("dev@example.com", "skip", kind="team_members", reason="invite")
    lines = text_of(skipped, undeclared=[thing])
    assert lines == ["Undeclared: alias acme/x.example.com.", "Skipped: 1 (invite).", "Nothing to do; 0 unchanged."]


def test_a_plan_to_be_applied_leaves_nothing_out_and_says_how():
    many = [row(f"project-{number}", "create") for number in range(300)]
    lines = text_of(*many, is_check=True)
    assert len(lines) == 302
    assert lines[-1] == HOW_TO_APPLY
    assert len(text_of(*many, is_whole=True)) == 301
    assert HOW_TO_APPLY not in text_of(row("web", "none"), is_check=True)


def test_a_run_shows_a_hundred_lines_with_all_deletions():
    many = [row(f"project-{number}", "create") for number in range(300)]
    lines = text_of(DELETION, *many)
    assert len(lines) == 102
    assert lines[98].startswith("+ project acme/project-98")
    assert lines[99:101] == ["- project acme/old  and alias old.example.com", "... and 201 more to create"]
