# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report: what it says, and that data stays data."""

from __future__ import annotations

import html
import json
import re
import time
from html.parser import HTMLParser

import pytest
from outcomes import MARKUP, RESULTS, UNDECLARED, hostile, outcome, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_report import blueprint_report
from ansible_collections.hosting.platform.plugins.module_utils._text import printable


class _Elements(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_report_says_what_happened_where_and_when():
    page = blueprint_report(outcome(RESULTS, failed=True, msg="1 of 7 entries failed"), time="2026-01-02 03:04:05 UTC")
    for words in ("<title>Run report", "https://api.example.com/v1", "2026-01-02 03:04:05 UTC", ">12<"):
        assert words in page
    assert "1 of 7 entries failed, 4 changes were made." in page
    assert "secret" not in page
    assert "user:" not in page


@pytest.mark.parametrize(
    ("given", "check_mode", "verdict"),
    [
        (outcome(RESULTS[:1]), True, "The platform is as the blueprint declares it."),
        (outcome(RESULTS[:1]), False, "Nothing had to be changed."),
        (outcome(RESULTS[2:4]), True, "2 of 2 entries differ from the platform."),
        (outcome(RESULTS[:3]), True, "1 of 3 entries differs from the platform, and 1 invitation would be sent."),
        (outcome(RESULTS[:2]), True, "The platform is as the blueprint declares it, and 1 invitation would be sent."),
        (outcome(RESULTS[:3]), False, "2 changes were made."),
        (outcome(RESULTS), True, "1 of 7 entries failed, 3 differ from the platform."),
        (
            outcome(RESULTS[2:4], failed=True, msg="prune: no"),
            True,
            "Refused: nothing was written. 2 of 2 entries differ",
        ),
        (
            outcome(RESULTS[2:4], failed=True, msg="prune: no"),
            False,
            "Refused: nothing was written. 2 of 2 entries differ",
        ),
        ({"failed": True, "msg": "prune: refused"}, True, "prune: refused"),
        ({}, False, "The run failed."),
        (outcome([]), False, "Nothing had to be changed."),
    ],
)
def test_verdict(given, check_mode, verdict):
    page = blueprint_report(given, check_mode=check_mode)
    assert verdict in re.sub(r"\s+", " ", page)
    assert ("<title>Drift report" in page) is check_mode


def test_policy_allows_the_page_s_own_style_and_script_and_nothing_else():
    page = blueprint_report(outcome(RESULTS))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2
    assert not re.search(r'\b(?:src|href|action)="(?!data:,|#)', page)
    assert not re.search(r"url\(|@import|\bstyle=|\bon\w+=", page)


def test_markup_stays_text():
    tame, wild = (_Elements(blueprint_report(given)) for given in (outcome(RESULTS, warnings=["w"]), hostile()))
    assert set(wild.tags) <= set(tame.tags)
    assert {name for name, _value in wild.attributes} <= {name for name, _value in tame.attributes}
    for text in map(printable, MARKUP):
        assert wild.text.count(text) >= 6, text


def test_what_cannot_be_seen_is_shown_escaped():
    name, command = "\u202egnp.exe\x1b[2J", "make\nnpm\u200b run\u2066 build"
    given = outcome([result("projects", name, name, "create", after={"build_command": command}, source=name)])
    page = blueprint_report(given | {"warnings": [name], "failed": True, "msg": f"{name}\n{name}"})
    assert page.count("\\u202egnp.exe\\u001b[2J") >= 6
    assert "make\nnpm\\u200b run\\u2066 build" in page, "the lines of a value stay lines"
    assert [mark for mark in "\u202e\x1b\u200b\u2066" if mark in page] == []


@pytest.mark.parametrize(
    ("check_mode", "more", "sides"),
    [
        (True, {}, ["Live", "Declared"]),
        (False, {}, ["Before", "After"]),
        (False, {"failed": True, "msg": "no"}, ["Live", "Declared"]),
    ],
)
def test_sides_are_called_what_they_are(check_mode, more, sides):
    page = blueprint_report(outcome(RESULTS[2:3], **more), check_mode=check_mode)
    assert re.findall(r'<th scope="col">(\w+)</th>', page) == ["Field", *sides]


def test_what_comes_or_goes_is_shown_by_what_it_holds():
    deleted = blueprint_report(outcome(RESULTS[-1:]), check_mode=True)
    assert re.findall(r'<th scope="row"><bdi>(\w+)', deleted) == ["alias", "parameters"]
    assert "empty" not in re.findall("<main>.*</main>", deleted, re.DOTALL)[0]
    changed = blueprint_report(outcome(RESULTS[2:3]), check_mode=True)
    assert changed.count("<i>empty</i>") == 2


def test_refusal_stands_on_top_of_the_whole_plan():
    refusal = "prune: 2 of 3 would be deleted."
    page = blueprint_report(outcome([*RESULTS[:4], *RESULTS[5:]], failed=True, msg=refusal), check_mode=True)
    assert page.index("Refused: nothing was written.") < page.index(refusal) < page.index('class="entry ')
    assert page.count('class="entry ') == 6 + len(UNDECLARED)


def test_report_says_why_where_and_what_is_undeclared():
    text = re.sub(r"<[^>]+>|\s+", " ", blueprint_report(outcome(RESULTS), check_mode=True))
    words = re.sub(" +", " ", text)
    assert "Skipped prod.example.com of team acme It is protected and never deleted." in words
    assert "declared in teams.yml[0]" in words
    assert "Project experiment of team media Domain example.com of team own scope It is protected" in words
    dependent = outcome([result("aliases", "a.example.com", "acme", "skip", reason="dependency")])
    assert "An entry that it depends on failed." in blueprint_report(dependent)


ALONG = [
    {"kind": "projects", "name": "web", "team": "acme"},
    {"kind": "aliases", "name": "www.example.com", "team": "media"},
]


@pytest.mark.parametrize(("check", "go", "goes"), [(True, "go", "Goes"), (False, "went", "Went")])
def test_what_goes_along_with_a_deletion_is_shown_and_counted(check, go, goes):
    given = outcome([result("teams", "acme", None, "delete", along=ALONG)])
    page = blueprint_report(given, check_mode=check)
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert f"{goes} along: project web, alias www.example.com of media" in words
    assert f"(2 more {go} along)" in words
    assert "No entry declares these objects. They are kept." in words


def test_nested_values_are_shown_whole():
    parameters = {"target": {"to": ["www.prod.example.com"] * 200, "code": 308}}
    page = blueprint_report(outcome([result("aliases", "a", "b", "create", after={"parameters": parameters})]))
    assert html.escape(json.dumps(parameters), quote=True).replace("&quot;", "&#34;") in page


def test_teams_are_counted():
    page = blueprint_report(outcome(RESULTS), check_mode=True)
    (table,) = re.findall(r'class="by-team".*?</table>', page, re.DOTALL)
    rows = [re.findall(r"<t[hd][^>]*>(?:<bdi>)?([^<]*)", row) for row in table.split("<tr>")[1:]]
    assert rows == [
        ["Team", "Failed", "To create", "To change", "To delete", "To invite", "Skipped", "Unchanged"],
        ["acme", "0", "0", "1", "1", "1", "1", "1"],
        ["media", "1", "0", "0", "0", "0", "0", "0"],
        ["own scope", "0", "1", "0", "0", "0", "0", "0"],
    ]
    assert 'class="by-team"' not in blueprint_report(outcome(RESULTS[:2])), "one team is the whole"


def test_kind_that_the_page_does_not_know_is_shown_too():
    page = blueprint_report(outcome([result("mail_routes", "post", "acme", "create", after={"a": "b"})]))
    assert ">mail_routes <" in page
    assert "<bdi>post</bdi>" in page


def test_thousand_results_are_rendered_at_once():
    many = [result("projects", f"p{number}", "acme", "update", after={"framework": "x"}) for number in range(1000)]
    start = time.process_time()
    page = blueprint_report(outcome(many))
    assert time.process_time() - start < 2
    assert page.count('class="entry update"') == 1000
