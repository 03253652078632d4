# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Markdown says, in which order, and what of it when not all fits."""

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

from ansible_collections.hosting.platform.plugins.plugin_utils.reports._plan_markdown import (
    MARKDOWN_LIMIT,
    markdown,
)

PLAN_FOR = "## Plan for `https://api.example.com/v1`"
MANY = [result("projects", f"p{n}", "acme", "create", after={"a": "x" * 100}) for n in range(2000)]


def test_markdown_has_the_order_of_the_terminal():
    given = make_result(
        RESULTS,
        undeclared=UNDECLARED,
        failed=True,
        msg="1 of 7 steps failed:\ncart: status 400.",
        plan_warnings=["prod_* matches nothing."],
        warnings=["prod_* matches nothing.", "late."],
        guards={**PRUNING, "protect": GUARDS["protect"]},
        _report={"other_teams": ["zeta"], "has_own_scope": True},
    )
    done = make_view(given, is_check=False)
    assert markdown(done) == (
        "## Run on `https://api.example.com/v1`\n\n"
        "**Failed: 4 of 5 steps done (1 created, 1 changed, 1 deleted, 1 invited), 1 failed.**\n\n"
        "```diff\n"
        "! 1 of 7 steps failed:\n"
        "! cart: status 400.\n"
        "! Warning: prod_* matches nothing.\n"
        "! Warning: late.\n"
        "# Guards: protect prod-* (3); prune projects, at most 30 %.\n"
        f"# {done.time}, run\n"
        "# Your own scope is never pruned.\n"
        "# No entry names the team zeta, so nothing of it is compared.\n"
        "+ project shop\n    · framework: astro\n"
        '~ project acme/web\n    · framework: vite -> ""\n    · dev_command: "" -> x\n'
        "~ project media/cart (failed)\n"
        "+ team member acme/dev@example.com\n    · role: DEVELOPER\n"
        "- alias acme/old.example.com of shop\n"
        "# undeclared: domain example.com (protected)\n"
        "# undeclared: project media/experiment\n"
        "```\n"
    )


@pytest.mark.parametrize(
    ("base_url", "shown"),
    [
        ("https://api.example.com/v1/", "`https://api.example.com/v1`"),
        ("https://a`/x", "`https://a%60/x`"),
        ("https://a/\u202e", "`https://a/\\u202e`"),
    ],
)
def test_first_line_names_the_platform(base_url: str, shown: str) -> None:
    given = make_result([], base_url=base_url)
    assert markdown(make_view(given)).split("\n")[0] == f"## Plan for {shown}"
    drift = make_view(given, fail_on_drift=True)
    assert markdown(drift).split("\n")[0] == f"## Drift report for {shown}"


def test_plan_says_how_to_apply_it():
    given = make_result(RESULTS)
    assert "To apply this plan, run without check mode." in markdown(make_view(given))
    for other in (
        make_view(given, is_check=False),
        make_view(given, fail_on_drift=True),
        make_view({**given, **refused_result(("a", "b"))}),
        make_view(make_result([])),
    ):
        assert "To apply" not in markdown(other)


@pytest.mark.parametrize("is_check", [True, False])
def test_cascade_is_listed_below_its_deletion_and_counted(is_check: bool) -> None:
    text = markdown(
        make_view(
            make_result([result("teams", "acme", None, "delete", along=ALONG)]), is_check=is_check
        )
    )
    assert (
        f"**{'1 to delete (1 team)' if is_check else 'Done: 1 deleted'} and 2 along with them.**\n"
        in text
    )
    assert "\n- team acme\n    · and project web, alias media/www.example.com\n" in text


def test_refusals_stand_above_the_plan_and_leave_it_room() -> None:
    names = ", ".join(f"{'|' * 100}{number}" for number in range(50))
    given = make_result(
        RESULTS[2:4], **refused_result(("limits", "no."), *[("prune", f"no: {names}")] * 500)
    )
    text = markdown(make_view(given))
    assert (
        "**Refused: nothing was changed.**\n\n1 to create (1 project), 1 to change (1 project).\n\n"
        in text
    )
    assert text.index("\n! converge_limits: no.\n! converge_prune: no: ") < text.index(
        "\n~ project acme/web\n"
    )
    shown = re.findall(
        r"^! converge_prune: no: .* … \(truncated, [\d,]+ characters\)$", text, re.MULTILINE
    )
    cut = f"**Truncated to 65,000 characters. Omitted: {500 - len(shown)} reasons.**"
    assert text.startswith(f"{PLAN_FOR}\n{cut}\n\n**Refused: ")


def test_fields_not_compared_and_skipped_entries_are_listed() -> None:
    changed = result(
        "teams",
        "media",
        None,
        "update",
        before={"name": "a"},
        after={"name": "b"},
        not_compared=["x"],
    )
    unchanged = result("teams", "acme", None, "none", not_compared=["description"])
    text = markdown(make_view(make_result([unchanged, changed, *OF_OTHERS, *NOT_SENT])))
    for words in (
        "\n# Not compared: 1 (description), 1 (x).\n",
        "**1 to change (1 team); 1 unchanged, 4 not invited.**",
        "\n# Skipped: 512 (not selected).\n",
        "\n~ team media\n    · name: a -> b\n    · (not compared: x)\n",
    ):
        assert words in text


def test_long_lines_of_a_warning_break_between_words() -> None:
    """A block of code is as wide as its lines."""
    address = f"https://example.com/{'x' * 120}"
    warning = f"{'seven words of a warning that is long ' * 5}{address} and its end."
    given = make_result([], plan_warnings=[warning])
    block = markdown(make_view(given)).partition("```diff\n")[2].splitlines()
    first, *others = [line for line in block if line.startswith("!")]
    assert " ".join([first, *[line.removeprefix("!   ") for line in others]]) == (
        f"! Warning: {warning}"
    )
    assert [line for line in block if len(line) > 104] == [f"!   {address}"]


def test_creations_are_left_out_first_and_the_first_line_says_so():
    text = markdown(
        make_view(make_result([*MANY, *RESULTS], undeclared=UNDECLARED * 50), is_check=False)
    )
    assert len(text) <= MARKDOWN_LIMIT
    for name in ("media/cart", "acme/old.example.com", "acme/dev@example.com", "acme/web"):
        assert re.search(rf"^[-+~] .* {name}", text, re.MULTILINE)
    assert text.count("project media/experiment\n") == 50
    created = len(re.findall(r"^\+ project acme/p\d+$", text, re.MULTILINE))
    assert 200 < created < 2000
    title, cut, nothing, outcome = text.split("\n")[:4]
    assert title == "## Run on `https://api.example.com/v1`"
    assert cut == f"**Truncated to 65,000 characters. Omitted: {2000 - created:,} created.**"
    assert (nothing, outcome[:8]) == ("", "**Done: ")


def test_no_creation_is_shown_where_a_change_is_left_out():
    value = {"build_command": "x" * 3_000}
    changes = [
        result("projects", f"c{n}", "acme", "update", before={"build_command": ""}, after=value)
        for n in range(40)
    ]
    text = markdown(make_view(make_result([*MANY, *changes, *RESULTS]), is_check=False))
    assert 0 < text.count("\n~ project acme/c") < 40
    assert "\n+ project" not in text
    assert "\n- alias acme/old.example.com" in text
