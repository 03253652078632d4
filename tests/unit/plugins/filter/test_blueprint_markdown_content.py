# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Markdown says, in which order, and what of it when not all fits."""

from __future__ import annotations

import re

from outcomes import ALONG, NOT_SENT, OF_OTHERS, RESULTS, UNSEEN, outcome, refused, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_markdown import LIMIT, blueprint_markdown


def test_what_goes_along_stands_in_the_row_of_the_deletion_and_is_counted() -> None:
    undeclared = [{**ALONG[0], "name": "kept", "protected": False}]
    given = outcome([result("teams", "acme", None, "delete", along=ALONG)], undeclared=undeclared)
    text = blueprint_markdown(given, check_mode=True)
    assert "\n1 to delete (3 with what goes along), 1 undeclared\n" in text
    assert "| team | `acme` | `acme` | goes along: project `web`, alias `www.example.com` of `media` |  |" in text
    assert "| project | `kept` | `acme` | It is kept. |" in text
    assert "1 deleted (3 with what went along)" in blueprint_markdown(given)


def test_what_goes_along_stands_in_a_line_of_its_own() -> None:
    given = outcome([result("projects", "web", "acme", "delete", before={"name": "web"}, along=ALONG[1:])])
    assert "| `name`: `web`<br>goes along: alias `www.example.com` of `media` |" in blueprint_markdown(
        given, check_mode=True
    )


def test_what_goes_along_is_counted_where_it_does_not_fit() -> None:
    along = [{**ALONG[0], "name": f"{number:04}{'x' * 96}"} for number in range(1000)]
    text = blueprint_markdown(outcome([result("teams", "acme", None, "delete", along=along)]), check_mode=True)
    shown = len(re.findall("project `[0-9]{4}x", text))
    assert shown > 30
    assert f" and {1000 - shown} more (cut) |" in text


def test_cut_value_says_so() -> None:
    text = blueprint_markdown(outcome([result("projects", "web", "acme", "create", after={"a": "x" * 5000})]))
    assert f"`a`: `{'x' * 2000}` … (5,000 characters, cut)" in text


def test_markdown_says_what_happened():
    failed = outcome(RESULTS, failed=True, msg="m")
    text = blueprint_markdown(failed, check_mode=True, time="2026-01-02 03:04:05 UTC", drift=True)
    for words in (
        "## Drift report",
        "**1 of 7 entries failed; 3 differ from the platform.**",
        "1 failed, 1 to delete, 1 to create, 1 to change, 1 to invite, 1 skipped, 1 unchanged, 2 undeclared",
        "`https://api.example.com/v1`, `2026-01-02 03:04:05 UTC`, check mode: nothing was written, 12 requests",
        "| project | `cart` | `media` | To change: `PATCH failed: status 400.` |  |",
        "| Kind | Name | Team | Live → Declared | Source |",
        "| project | `web` | `acme` | `framework`: `vite` → *empty*, `dev_command`: *empty* → `x` |  |",
        "| alias | `prod.example.com` | `acme` | It is protected and never deleted. |  |",
        "| domain | `example.com` | `own scope` | It is protected and never deleted. |",
    ):
        assert words in text
    headings = re.findall("^### (.*)", text, re.MULTILINE)
    assert headings[:3] == ["1 failed", "1 to delete", "1 to create"], "the worst first"
    assert headings[-1] == "2 undeclared"
    assert "secret" not in text


def test_refusal_stands_above_the_plan():
    text = blueprint_markdown(outcome(RESULTS[:4], **refused(("prune", "no."), ("prune", "list."))), check_mode=True)
    assert "**Refused by prune; nothing was written. 2 of 4 entries differ" in text
    assert text.index("\n- `prune: no.`\n- `prune: list. Nothing was written.`\n") < text.index("### ")
    assert "| project | `web` |" in text


def test_every_guard_has_its_line() -> None:
    names = ", ".join(f"{'|' * 100}{number}" for number in range(5000))
    guards = ["protect", "prune", "limits.create", "limits.delete", "approved"]
    refusals = [(guard, f"no: {names}") for guard in guards for _line in range(100)]
    text = blueprint_markdown(outcome(RESULTS[2:4], **refused(*refusals)), option_prefix="converge_")
    assert len(text) <= LIMIT
    shown = re.findall(r"^- `converge_([a-z.]+): no: .*characters, cut\)$", text, re.MULTILINE)
    assert list(dict.fromkeys(shown)) == guards
    more = re.findall(r"^- and (\d+) more like these$", text, re.MULTILINE)
    assert len(shown) + sum(map(int, more)) == len(guards) * 100
    assert "| project | `web` |" in text, "and the plan is shown below them"


def test_what_is_not_compared_or_left_out_is_told() -> None:
    changed = result("teams", "media", None, "update", before={"name": "a"}, after={"name": "b"}, not_compared=["x"])
    results = [UNSEEN[0], changed, *OF_OTHERS, *NOT_SENT]
    text = blueprint_markdown(outcome(results, undeclared=[]), check_mode=True, option_prefix="converge_")
    for words in (
        "\n`1 description and 1 x cannot be compared`\n",
        "\n`512 entries are not selected`\n",
        "\n`4 invitations are not sent: set converge_invite`\n",
        "### 1 unchanged, and not compared",
        "| team | `acme` | `acme` | not compared: `description` |  |",
        "`name`: `a` → `b`<br>not compared: `x` |",
    ):
        assert words in text
    assert "`p0`" not in text
    assert "`m0`" not in text


def test_what_is_cut_is_the_least_important():
    many = [result("projects", f"p{n}", "acme", "create", after={"a": "x" * 100}) for n in range(2000)]
    text = blueprint_markdown(outcome([*many, *RESULTS], undeclared=[]))
    assert len(text) <= LIMIT
    assert "`cart`" in text
    assert "`old.example.com`" in text
    created = len(re.findall(r"^\| project \| `p\d+`", text, re.MULTILINE))
    assert 200 < created < 2000
    left_out = f"{2001 - created:,} created, 1 changed, 1 invited, 1 skipped"
    assert text.endswith(f"**Cut to 65,000 characters.** Not listed above: {left_out}.\n")
