# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Markdown, as two libraries render it that sites are made with: whatever the names are, it does nothing."""

from __future__ import annotations

import html
import re
from typing import Any

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from outcomes import UNDECLARED, outcome, result
from sampling import examples

from ansible_collections.hosting.platform.plugins.plugin_utils._markdown import LIMIT, TABLES, markdown
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import (
    NamedObject,
    Presentation,
    Report,
    ReportEntry,
)

# Raw HTML passes, and addresses become links, as far as a library knows how.
RENDERERS = {
    "cmark-gfm": lambda text: cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE),
    "markdown-it": MarkdownIt("gfm-like", {"html": True, "linkify": True}).render,
}
OURS = {"h2", "h3", "p", "strong", "em", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "br"}
WILD = [
    "a|b",
    "|",
    "||x||",
    "\\|",
    "a\\",
    "`",
    "``a`b```",
    "` `",
    "a\nb\r\n| c |\n\n# d",
    "/merge",
    "a\n/merge\n  /close\r\n\t/label ~x\u2028/done",
    "```\n/merge\n```",
    "\n",
    "a\n",
    "↵<br>",
    "<img src=x onerror=alert(1)>",
    "</code></td><script>alert(1)</script>",
    "<!-- -->",
    "@team",
    "dev@example.com",
    "#12",
    "owner/repository#12",
    "!7 $3 %4 ~5 &6",
    ":tada:",
    "https://example.com/?a=b|c",
    "www.example.com",
    "[a](https://example.com)",
    "![a](https://example.com/x.png)",
    "<https://example.com>",
    "[^1]",
    "&lt;b&gt; &#124; &amp;",
    "**b** _i_ ~~s~~ $x^2$",
    "{{ x }} {% y %} ${{ z }}",
    " x ",
    "   ",
    "\t",
    "\x1b[31m\u202eabc\u200b\u2028\x00",
    "0123456789012345678901234567890123456789",
    "\ud800",
    "- [ ] a",
    "---",
    "\u00fc\U0001f680",
]
texts = st.one_of(
    st.sampled_from(WILD), st.text(alphabet="/`|\\ \n<>@#:[]()!&;a1.*_~-$", min_size=1), st.text(min_size=1)
)


def rendered(renderer: str, text: str) -> str:
    return str(RENDERERS[renderer](text))


def cells(page: str) -> list[str]:
    """What the cells show, line by line."""
    found = re.findall(r"<td[^>]*>(.*?)</td>", page, re.DOTALL)
    return [lines(cell) for cell in found]


def lines(part: str) -> str:
    lined = re.sub(r"<br ?/?>\n?", " ", re.sub(r"↵<br ?/?>\n?", "\n", part))
    return html.unescape(re.sub(r"</?(?:code|em)>", "", lined))


def plain(page: str) -> str:
    """The text that a reader sees outside code."""
    without_code = re.sub(r"<code.*?</code>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"<br ?/?>", "\n", without_code)))


def assert_inert(page: str) -> None:
    assert set(re.findall(r"<\s*/?\s*([a-zA-Z!][\w-]*)", page)) <= OURS
    assert not re.search(r"<[^>]+\s(?:href|src|on\w+)\s*=", page)
    assert not re.search(r"[@#:<>\[\]`]\w", plain(page).replace("https:", "")), plain(page)


@st.composite
def wild_outcomes(draw: st.DrawFn) -> dict[str, Any]:
    actions = st.sampled_from(["none", "create", "update", "delete", "invite", "skip"])
    nested = st.recursive(texts | st.integers() | st.none(), lambda parts: st.dictionaries(texts, parts, max_size=2))
    values = st.dictionaries(texts | st.just("team"), nested, max_size=2)
    things = st.fixed_dictionaries({"kind": st.sampled_from(["projects", "aliases"]), "name": texts, "team": texts})
    entries = [
        result(
            draw(st.sampled_from(["projects", "aliases", "domains"])),
            draw(texts),
            draw(texts),
            draw(actions),
            before=draw(values),
            after=draw(values),
            along=draw(st.lists(things, max_size=3)),
            source=draw(texts),
            **draw(st.sampled_from([{}, {"failed": True, "msg": draw(texts)}])),
        )
        for _number in range(draw(st.integers(0, 4)))
    ]
    undeclared = [{"kind": "projects", "name": draw(texts), "team": draw(texts), "protected": draw(st.booleans())}]
    more = draw(st.sampled_from([{}, {"failed": True, "msg": draw(texts)}]))
    return outcome(entries, undeclared=undeclared, warnings=[draw(texts)], **more)


@pytest.mark.parametrize("renderer", RENDERERS)
@given(given=wild_outcomes(), check=st.booleans())
@example(given={"failed": True, "msg": "\n".join(WILD)}, check=True)
@examples(150)
def test_nothing_that_anybody_named_does_anything(renderer: str, given: dict[str, Any], check: bool) -> None:
    page = rendered(renderer, markdown(given, Presentation(check, time="/merge")))
    assert_inert(page)
    rows = [entry for entry in given.get("results", []) if entry["action"] != "none" or entry.get("failed")]
    assert len(cells(page)) == 5 * len(rows) + 4 * len(given.get("undeclared", []))


def said(thing: NamedObject, team: str) -> str:
    return f"{thing.kind_in_words} {thing.name}" + (f" of {thing.team}" if thing.team != team else "")


def expected(entry: ReportEntry) -> str:
    """All that there is to say of an entry, as the page says it."""
    parts = [f"{entry.intention.capitalize()}: {entry.message}"] if entry.message else []
    changes = []
    for change in entry.changes:
        sides = [side for side in (change.before, change.after) if side is not None]
        changes.append(f"{change.field or 'empty'}: {' → '.join(side or 'empty' for side in sides)}")
    along = ", ".join(said(thing, entry.team) for thing in entry.along)
    parts += [entry.reason, ", ".join(changes), f"goes along: {along}" if along else ""]
    return " ".join(filter(None, parts))


@pytest.mark.parametrize("renderer", RENDERERS)
@given(given=wild_outcomes())
@example(
    given=outcome([result("aliases", "web", "acme", "update", before={"project": "web"}, after={"project": "evil"})])
)
@example(given=outcome([result("projects", "new", "acme", "update", before={"name": "old"}, after={"name": "new"})]))
@example(given=outcome([result("projects", "a", "b", "create", after={"dev_command": "a\nb\n", "x": {"y": ["a"]}})]))
@examples(150)
def test_every_change_is_shown_whole(renderer: str, given: dict[str, Any]) -> None:
    report = Report(given, Presentation(is_check=False))
    shown = cells(rendered(renderer, markdown(given, report.presentation)))
    entries = [entry for state in TABLES for entry in report.of(state)]
    assert shown[1 : 5 * len(entries) : 5] == [entry.name for entry in entries]
    assert shown[3 : 5 * len(entries) : 5] == [expected(entry) for entry in entries]


@given(given=wild_outcomes(), check=st.booleans())
@example(given={"failed": True, "msg": "/merge\n/merge"}, check=True)
@examples(300)
def test_no_line_is_a_command_of_gitlab(given: dict[str, Any], check: bool) -> None:
    text = markdown(given, Presentation(check, time="/merge"))
    assert [line for line in text.splitlines() if line.lstrip().startswith("/")] == []


@pytest.mark.parametrize("length", [1, 80, 100_000])
def test_comment_fits_whatever_the_size(length):
    name = "|`" * length
    actions = ["update", "create", "delete", "invite", "skip"]
    many = [
        result("projects", f"{number}{name}", "acme", actions[number % 5], before={"a": name}, after={"a": name})
        for number in range(5000 if length < 100 else 500)
    ]
    many += [result("projects", name, "acme", "update", failed=True, msg=name)] * 20
    given = outcome(many, undeclared=UNDECLARED * 1000, warnings=[name] * 100, failed=True, msg=name)
    text = markdown(given, Presentation(is_check=True))
    assert LIMIT / 2 < len(text) <= LIMIT
    page = rendered("cmark-gfm", text)
    assert_inert(page)
    rows = page.count("<tr>") - page.count("<thead>")
    (cut,) = re.findall(r"\A\*\*Cut to 65,000 characters\. Not listed: (.*)\.\*\*\n", text)
    left_out = sum(int(count.replace(",", "")) for count in re.findall(r"([\d,]+) [a-z]", cut))
    assert rows + left_out == len(many) + len(given["undeclared"]), "all is shown or counted"
    assert re.findall("^### (.*)", text, re.MULTILINE)[0] == "20 failed"
