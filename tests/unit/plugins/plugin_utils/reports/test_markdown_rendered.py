# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Markdown, as two libraries render it that sites are made with: whatever the names are, it
does nothing.
"""

import html
import re
from typing import Any

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from results import make_result, make_view, refused_result, result
from sampling import examples

from ansible_collections.hosting.platform.plugins.plugin_utils.reports._plan_markdown import (
    markdown,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._quoting import quote_name

# Raw HTML passes, and addresses become links, as far as a library knows how.
RENDERERS = {
    "cmark-gfm": lambda text: cmarkgfm.github_flavored_markdown_to_html(
        text, Options.CMARK_OPT_UNSAFE
    ),
    "markdown-it": MarkdownIt("gfm-like", {"html": True, "linkify": True}).render,
}
OURS = {"h2", "p", "strong", "pre", "code"}
ONE_LINE = r"""
 a|b ¦ | ¦ ||x|| ¦ \| ¦ a\ ¦ ` ¦ ``a`b``` ¦ ` ` ¦ /merge ¦ ↵<br> ¦ [^1] ¦ &lt;b&gt; &#124; &amp; ¦ - [ ] a ¦ --- ¦
 <img src=x onerror=alert(1)> ¦ </code></td><script>alert(1)</script> ¦ <!-- --> ¦ **b** _i_ ~~s~~ $x^2$ ¦ :tada: ¦
 @team ¦ dev@example.com ¦ #12 ¦ owner/repository#12 ¦ !7 $3 %4 ~5 &6 ¦ www.example.com ¦ https://a.example/?a=b|c ¦
 [a](https://a.example) ¦ ![a](https://a.example/x.png) ¦ <https://a.example> ¦ {{ x }} {% y %} ${{ z }} ¦ 0123abcd
"""
LINES = (
    "a\nb\r\n| c |\n\n# d",
    "a\n/merge\n  /close\r\n\t/label ~x\u2028/done",
    "```\n/merge\n```",
    "\n",
    "a\n",
)
ODD = (" x ", "   ", "\t", "\x1b[31m\u202eabc\u200b\u2028\x00", "\ud800", "\u00fc\U0001f680")
WILD = [*map(str.strip, ONE_LINE.split("¦")), *LINES, *ODD]
texts = (
    st.sampled_from(WILD)
    | st.text("/`|\\ \n<>@#:[]()!&;a1.*_~-$", min_size=1)
    | st.text(min_size=1)
)
kinds = st.sampled_from(["projects", "aliases", "domains"])


@st.composite
def wild_outcomes(draw: st.DrawFn) -> dict[str, Any]:
    nested = st.recursive(
        texts | st.integers() | st.none(), lambda parts: st.dictionaries(texts, parts, max_size=2)
    )
    values = st.dictionaries(texts | st.just("team"), nested, max_size=2)
    things = st.fixed_dictionaries({"kind": kinds, "name": texts, "team": texts})
    actions = st.sampled_from(["none", "create", "update", "delete", "invite"])
    failures: st.SearchStrategy[dict[str, Any]] = st.just({}) | texts.map(
        lambda text: {"failed": True, "msg": text}
    )
    entries = [
        result(
            *(draw(kinds), draw(texts), draw(texts), draw(actions)),
            before=draw(values),
            after=draw(values),
            along=draw(st.lists(things, max_size=3)),
            source=draw(texts),
            **draw(failures),
        )
        for _number in range(draw(st.integers(0, 4)))
    ]
    undeclared = [{**draw(things), "protected": draw(st.booleans())}]
    more = draw(failures | texts.map(lambda text: refused_result(("prune", text))))
    return make_result(
        entries, undeclared=undeclared, warnings=[draw(texts)], base_url=draw(texts), **more
    )


@pytest.mark.parametrize("renderer", RENDERERS)
@given(given=wild_outcomes(), check=st.booleans())
@example(given={"failed": True, "msg": "\n".join(WILD)}, check=True)
@example(
    given=make_result(
        [result("projects", "a", "b", "create", after={"dev_command": "a\nb\n", "x": {"y": ["a"]}})]
    ),
    check=False,
)
@examples(150)
def test_all_is_shown_and_nothing_of_it_does_anything(
    renderer: str, given: dict[str, Any], check: bool
) -> None:
    text = markdown(make_view(given, is_check=check))
    page = str(RENDERERS[renderer](text))
    ours, code, nothing = re.split(r"<pre.*?><code.*?>|</code></pre>", page)
    ours = re.sub(r"^(<h2>[A-Z][a-z ]* ?(?:for|on) )<code>[^<]*</code></h2>", r"\1</h2>", ours)
    assert set(re.findall(r"<\s*/?\s*([a-zA-Z!][\w-]*)", page)) <= OURS
    assert not re.search(r"[@#:\[\]`]\w", html.unescape(re.sub(r"</?[a-z0-9]+>", "", ours))), ours
    assert nothing.strip() == ""
    assert html.unescape(code) == text.partition("```diff\n")[2].removesuffix("```\n"), (
        "all of it, line by line"
    )
    for line in text.splitlines():
        assert line.isprintable()
        assert not line.lstrip().startswith("/"), "no command of GitLab"
    for row in (*given.get("results", []), *given.get("undeclared", [])):
        if row.get("action") != "none":
            team = [row["team"]] if row["team"] else []
            assert quote_name(*team, row["name"]) in html.unescape(code)
