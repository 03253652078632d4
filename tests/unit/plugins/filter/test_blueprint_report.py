# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report: what it says, and that data stays data."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from outcomes import ALONG, NOT_SENT, OF_OTHERS, RESULTS, UNDECLARED, UNSEEN, outcome, refused, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_report import blueprint_report


def test_report_says_what_happened_where_and_when():
    page = blueprint_report(outcome(RESULTS, failed=True, msg="1 of 7 entries failed"), time="2026-01-02 03:04:05 UTC")
    for words in ("<title>Run report", "https://api.example.com/v1", "2026-01-02 03:04:05 UTC", ">12<"):
        assert words in page
    assert "1 of 7 entries failed; 4 changes were made." in page
    assert "secret" not in page
    assert "user:" not in page


REFUSED = outcome(RESULTS[2:4], **refused(("prune", "no.")))


@pytest.mark.parametrize(
    ("given", "check_mode", "verdict"),
    [
        (outcome(RESULTS[:1]), True, "The platform is as the blueprint declares it."),
        (outcome(RESULTS[:1]), False, "Nothing had to be changed."),
        (outcome(RESULTS[2:4]), True, "2 of 2 entries differ from the platform."),
        (outcome(RESULTS[:3]), True, "1 of 3 entries differs from the platform, and 1 invitation would be sent."),
        (outcome(RESULTS[:2]), True, "The platform is as the blueprint declares it, and 1 invitation would be sent."),
        (outcome(RESULTS[:3]), False, "2 changes were made."),
        (outcome(RESULTS), True, "1 of 7 entries failed; 3 differ from the platform."),
        *((REFUSED, check, "Refused by prune; nothing was written. 2 of 2 entries differ") for check in (True, False)),
        ({"failed": True, "msg": "prune: refused"}, True, "prune: refused"),
        ({"msg": ""}, False, "The run failed."),
        (outcome([]), False, "Nothing had to be changed."),
    ],
)
def test_verdict(given, check_mode, verdict):
    page = blueprint_report(given, check_mode=check_mode)
    assert verdict in re.sub(r"\s+", " ", page)
    assert ("<title>Plan" in page) is check_mode
    drift = blueprint_report(given, check_mode=check_mode, drift=True)
    assert ("<title>Drift report" in drift) is check_mode


def test_policy_allows_the_page_s_own_style_and_script_and_nothing_else():
    page = blueprint_report(outcome(RESULTS))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2
    assert not re.search(r'\b(?:src|href|action)="(?!data:,|#)', page)
    assert not re.search(r"url\(|@import|\bstyle=|\bon\w+=", page)


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
    refusal = "2 of 3 would be deleted."
    given = outcome([*RESULTS[:4], *RESULTS[5:]], **refused(("prune", refusal)))
    page = blueprint_report(given, check_mode=True)
    verdict, tiles = "Refused by prune; nothing was written.", page.index('class="tile ')
    assert page.index(verdict) < tiles < page.index(refusal) < page.index('class="entry ')
    assert page.count('class="entry ') == 6 + len(UNDECLARED)


def test_report_says_why_where_and_what_is_undeclared():
    text = re.sub(r"<[^>]+>|\s+", " ", blueprint_report(outcome(RESULTS), check_mode=True))
    words = re.sub(" +", " ", text)
    assert "Skipped : alias prod.example.com , acme It is protected and never deleted." in words
    assert "To delete : alias old.example.com , acme" in words, "a heading tells it all"
    assert "declared in teams.yml[0]" in words
    assert "Undeclared : project experiment , media Undeclared : domain example.com , own scope It is prot" in words
    dependent = outcome([result("aliases", "a.example.com", "acme", "skip", reason="dependency")])
    assert "An entry that it depends on failed." in blueprint_report(dependent)


@pytest.mark.parametrize(("check", "word", "goes"), [(True, "To delete", "Goes"), (False, "Deleted", "Went")])
def test_what_goes_along_with_a_deletion_is_shown_and_counted(check, word, goes):
    given = outcome([result("teams", "acme", None, "delete", along=ALONG)])
    page = blueprint_report(given, check_mode=check)
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert f"{goes} along: project web, alias www.example.com of media" in words
    assert f"{word} 3 with what {goes.lower()} along" in words
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
        ["Team", "Failed", "To delete", "To create", "To change", "To invite", "Skipped", "Unchanged"],
        ["acme", "0", "1", "0", "1", "1", "1", "1"],
        ["media", "1", "0", "0", "0", "0", "0", "0"],
        ["own scope", "0", "0", "1", "0", "0", "0", "0"],
    ]
    assert '<details class="by-team" open>' in page
    assert 'class="by-team"' not in blueprint_report(outcome(RESULTS[:2])), "one team is the whole"


def test_kind_that_the_page_does_not_know_is_shown_too():
    page = blueprint_report(outcome([result("mail_routes", "post", "acme", "create", after={"a": "b"})]))
    assert '<span class="kind">mail_routes</span> <bdi>post</bdi>' in page


def test_long_and_many_messages_are_folded():
    long = f"prune: no. Raise it if this is intended: {', '.join(f'name-{number}' for number in range(200))}."
    warnings = [f"warning {number}" for number in range(12)]
    given = outcome(RESULTS[2:4], failed=True, refused=True, msg=f"{long}\nlimits: 3", warnings=warnings)
    page = blueprint_report(given, check_mode=True)
    ((beginning, rest),) = re.findall("<summary><bdi>(prune.*?)</bdi> …</summary><bdi>(.*?)</bdi></details>", page)
    assert len(beginning) <= 240
    assert f"{beginning} {rest}" == long
    assert "<bdi>limits: 3</bdi>" in page
    assert "<summary>9 more</summary>" in page
    assert page.index('class="tile ') < page.index("prune: no") < page.index("warning 0") < page.index('class="entry ')


@pytest.mark.parametrize(
    ("path", "option"),
    [
        ("plan.json", "-e 'converge_plan= converge_approved=plan.json'"),
        ("a b/'plan'.json", """-e '{"converge_plan": "", "converge_approved": "a b/'"'"'plan'"'"'.json"}'"""),
    ],
)
def test_page_of_a_plan_says_how_to_apply_it(path, option):
    page = html.unescape(blueprint_report(outcome(RESULTS[2:4]), check_mode=True, plan=path))
    assert f"<code>{option}</code>" in page
    assert "repeat the command without <code>--check</code>" in page


@pytest.mark.parametrize(
    ("given", "more"),
    [
        (outcome(RESULTS[2:4]), {"plan": "plan.json"}),
        (outcome(RESULTS[2:4]), {"check_mode": True}),
        (outcome(RESULTS[:1]), {"check_mode": True, "plan": "plan.json"}),
        (outcome(RESULTS[2:4], failed=True, refused=True, msg="no"), {"check_mode": True, "plan": "plan.json"}),
        ({"failed": True, "msg": "no"}, {"check_mode": True, "plan": "plan.json"}),
    ],
)
def test_what_cannot_be_applied_has_no_such_option(given, more):
    assert "converge_approved" not in blueprint_report(given, **more)


def test_steps_that_are_refused_are_marked():
    steps = [{**entry, "step": entry["name"]} for entry in [*RESULTS[2:4], RESULTS[6]]]
    given = outcome(steps, **refused(("limits.delete", "1 would be deleted (1 alias)."), ("approved", "no.")))

    def marks(**more: Any) -> dict[str, str]:
        page = blueprint_report(given, check_mode=True, **more)
        marked = re.findall(
            r'<bdi>([\w.]+)</bdi></span>(?:(?!<li).)*?class="refused">Refused by ([\w.]+)', page, re.DOTALL
        )
        return dict(marked)

    assert marks() == {"old.example.com": "limits.delete"}
    approved = marks(approved=["web"], option_prefix="converge_")
    assert approved == {"old.example.com": "converge_approved", "shop": "converge_approved"}
    assert "Refused by" not in blueprint_report(outcome(steps), approved=["web"])


def test_entries_that_nobody_compares_selects_or_invites_are_told():
    results = [UNSEEN[1], OF_OTHERS[0], NOT_SENT[0]]
    page = blueprint_report(outcome(results, undeclared=[]), check_mode=True, option_prefix="converge_")
    text = re.sub(r"<[^>]+>", "", page)
    assert (
        "1 description and 1 email_domain cannot be compared. 1 entry is not selected. 1 invitation is not sent" in text
    )
    assert "set converge_invite" in text
    assert "Not compared, because the API does not show it: description, email_domain" in text
    assert page.count('<li class="entry ') == 1


def test_thousand_results_are_rendered_on_one_page():
    many = [result("projects", f"p{number}", "acme", "update", after={"framework": "x"}) for number in range(1000)]
    page = blueprint_report(outcome(many))
    assert page.count('class="entry update"') == 1000
