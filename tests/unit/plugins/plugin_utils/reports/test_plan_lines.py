# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each line of a plan says of its change."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from plan_rows import (
    ASTRO,
    CHANGE,
    CREATED,
    CREATION,
    DELETION,
    HUGO,
    INVITATION,
    WHOLE,
    project,
    text_of,
)
from results import ALONG, result

from ansible_collections.hosting.platform.plugins.plugin_utils.reports._quoting import (
    quote,
    quote_name,
)

RENAME = project("journal", "update", {"name": "blog"}, {"name": "journal"})
TEAM_DELETION = result("teams", "acme", None, "delete", along=ALONG)


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
