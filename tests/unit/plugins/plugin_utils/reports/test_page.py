# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page: what it says, and that data stays data."""

import html
import json
import re

import pytest
from results import (
    ALONG,
    GUARDS,
    NOT_SENT,
    OF_OTHERS,
    PRUNING,
    RESULTS,
    UNDECLARED,
    make_result,
    make_view,
    refused_result,
    result,
)

from ansible_collections.hosting.platform.plugins.plugin_utils.reports._page import render_html

_unchanged, _invitation, CHANGE, _creation, _failure, _skipped, DELETION = RESULTS


def words_of(text: str) -> str:
    """What a screen reader reads, in its order."""
    body = text.partition("<body>")[2].partition("<script>")[0]
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", body)))


@pytest.mark.parametrize(
    ("more", "title"),
    [({}, "Plan"), ({"fail_on_drift": True}, "Drift report"), ({"is_check": False}, "Run report")],
)
@pytest.mark.parametrize(
    "given", [make_result(RESULTS), make_result([]), {"failed": True, "msg": "no plan at all"}]
)
def test_page_has_a_title_and_says_why_even_where_it_came_to_no_plan(given, more, title):
    text = render_html(make_view(given, **more))
    assert f"<title>{title}" in text
    assert given.get("msg", "https://api.example.com/v1") in text


def test_policy_allows_the_page_s_own_style_and_script_and_nothing_else():
    many = [result("projects", f"p{number}", "", "create") for number in range(60)]
    text = render_html(make_view(make_result(many)))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2
    assert not re.search(r'\b(?:src|href|action)="(?!data:,|#)', text)
    assert not re.search(r"url\(|@import|\bstyle=|\bon\w+=", text)


def test_invisible_characters_are_escaped():
    name = "\u202egnp.exe\x1b[2J"
    command = "make\nnpm\u200b run\u2066 build"
    entry = result("projects", name, name, "create", after={"build_command": command}, source=name)
    given = make_result([entry], warnings=[name], failed=True, msg=f"{name}\n{name}")
    text = render_html(make_view(given, plan=name))
    assert text.count("\\u202egnp.exe\\u001b[2J") >= 7
    assert "make\nnpm\\u200b run\\u2066 build" in text, "the lines of a value stay lines"
    assert [mark for mark in "\u202e\x1b\u200b\u2066" if mark in text] == []


def test_spaces_at_the_end_of_names_and_values_are_seen():
    entry = result(
        "projects",
        "web  ",
        "acme ",
        "update",
        before={"dev_command": "a\n b "},
        after={"dev_command": " "},
    )
    text = render_html(make_view(make_result([entry])))
    for shown in ("web \\u0020", "acme\\u0020", "a\n b\\u0020", "\\u0020"):
        assert f"<bdi>{shown}</bdi>" in text


def test_refusal_stands_on_top_of_the_whole_plan():
    given = make_result(
        [CHANGE, DELETION], undeclared=UNDECLARED, **refused_result(("approved", "2 are not."))
    )
    text = render_html(make_view(given))
    order = (
        "Refused: nothing was changed.",
        'class="tile ',
        "converge_approved: 2 are not.",
        'class="entry ',
    )
    assert sorted(order, key=text.index) == list(order)
    assert text.count('class="entry ') == 2 + len(UNDECLARED)


def test_page_is_read_in_the_order_that_it_has():
    words = words_of(render_html(make_view(make_result(RESULTS, undeclared=UNDECLARED))))
    heads = [
        "Failed 1 PATCH failed: status 400. project cart to change , media",
        "To create 1 project shop , own scope",
        "To change 1 project web , acme",
        "To invite 1 team member dev@example.com , acme",
        "To delete 1 alias old.example.com , acme",
        "Unchanged 1 team acme declared in teams.yml:1",
        "Undeclared 2 No entry declares these objects. They are kept. domain example.com ,"
        " own scope Protected and never deleted. project experiment , media",
    ]
    places = [words.find(head) for head in heads]
    assert [head for head, place in zip(heads, places, strict=True) if place < 0] == [], words
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("is_check", "word", "verb"), [(True, "To delete", "deletes"), (False, "Deleted", "deleted")]
)
def test_an_entry_says_all_that_there_is_to_say(is_check, word, verb):
    parameters = {"target": {"to": ["www.prod.example.com"] * 200, "code": 308}}
    deletion = result(
        "teams", "acme", None, "delete", along=ALONG, before={"x": parameters}, not_compared=["y"]
    )
    dependent = result("aliases", "a.example.com", "acme", "skip", reason="dependency")
    given = make_result([deletion, dependent, OF_OTHERS[0]], undeclared=UNDECLARED)
    words = words_of(render_html(make_view(given, is_check=is_check)))
    for said in (
        f"1 {word}",
        f"Also {verb} 1 project: web Also {verb} 1 alias: www.example.com of media",
        json.dumps(parameters),
        "Not compared, because the API does not show it: y",
        "A dependency failed.",
        "Skipped: 1 (not selected).",
        "No entry declares these objects. They are kept.",
    ):
        assert said in words


def test_equal_errors_are_one_with_a_count():
    failures = [
        result("projects", f"p{n}", "acme", "create", failed=True, msg="status 500.")
        for n in range(50)
    ]
    other = result("projects", "web", "acme", "update", failed=True, msg="status 400.")
    given = make_result([*failures, other], failed=True, msg="51 failed")
    words = words_of(render_html(make_view(given, is_check=False)))
    assert words.count("status 500.") == words.count("status 400.") == 1
    assert (
        "Failed 51 status 500. (50 times) project p0 to create , acme project p1 to create , acme"
        in words
    )
    assert "project p49 to create , acme status 400. project web to change , acme" in words


def test_a_drift_report_says_nothing_of_applying() -> None:
    plan = words_of(render_html(make_view(make_result(RESULTS), plan="plan.json")))
    drift = words_of(
        render_html(make_view(make_result(RESULTS), plan="plan.json", fail_on_drift=True))
    )
    for words in ("To apply this plan", "plan.json"):
        assert words in plan
        assert words not in drift


def test_numbers_of_skipped_entries_agree() -> None:
    skipped = [
        result("aliases", why, "acme", "skip", reason=why) for why in ("dependency", "unavailable")
    ]
    words = words_of(render_html(make_view(make_result([*skipped, *OF_OTHERS, *NOT_SENT]))))
    assert re.findall(r"(\d+) Skipped|Skipped (\d+)", words) == [("2", ""), ("", "2")]
    assert "Skipped: 512 (not selected)." in words
    assert "Nothing to do; 4 not invited." in words


def test_page_omits_zero_counts():
    words = words_of(render_html(make_view(make_result([CHANGE]))))
    assert re.findall(r"\b0 \w+|Requests|To create", words) == []


def test_warnings_stand_beside_the_counts_and_are_not_folded_away():
    texts = [f"protect[{number}]: prod-{number} matches nothing." for number in range(30)]
    given = make_result(
        [result("projects", "old", "acme", "delete")],
        plan_warnings=texts[:20],
        warnings=texts[20:],
        guards={**PRUNING, "protect": GUARDS["protect"]},
        _report={"other_teams": ["zeta"]},
    )
    page = render_html(make_view(given))
    words = words_of(page)
    counts = "1 to delete (1 project)."
    guards = "Guards: protect prod-* (3); prune projects, at most 30 %."
    assert f"{counts} 30 warnings {' '.join(texts)} {guards} No entry names the team zeta" in words
    folded = "".join(re.findall("<details.*?</details>", page, re.DOTALL))
    assert texts[-1] not in folded


def test_a_protected_object_is_no_line_of_the_plan():
    rows = [
        result("projects", "old", "acme", "delete"),
        result("projects", "prod", "acme", "skip", reason="protected"),
    ]
    words = words_of(render_html(make_view(make_result(rows))))
    assert "project old , acme" in words
    assert "prod" not in words
