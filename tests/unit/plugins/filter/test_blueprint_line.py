# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The last line of a run, and what it says beside the counts."""

from __future__ import annotations

import pytest
from outcomes import NOT_SENT, OF_OTHERS, RESULTS, UNSEEN, outcome, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_line import blueprint_line
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import Outcome


def test_line_names_what_changes():
    assert blueprint_line(outcome(RESULTS), check_mode=True) == (
        "1 failed: project cart of media (the first: PATCH failed: status 400.); 1 to delete: alias old.example.com of"
        " acme; 1 to create: project shop; 1 to change: project web of acme; 1 to invite: team member dev@example.com"
        " of acme; 1 skipped; 1 unchanged; 2 undeclared: project experiment of media, domain example.com."
    )
    assert blueprint_line(outcome(RESULTS[3:4], undeclared=[])) == "1 created: project shop; 0 unchanged."


def test_a_team_that_is_called_like_the_own_scope_is_told_from_it():
    named = [result("projects", "web", team, "create") for team in ("own scope", "")]
    gone = [result("teams", "own scope", None, "delete", along=[{"kind": "projects", "name": "web", "team": ""}])]
    assert blueprint_line(outcome(named, undeclared=[]), check_mode=True) == (
        "2 to create: project web of team own scope, project web; 0 unchanged."
    )
    told = Outcome(outcome([*named, *gone], undeclared=[]), is_check=True)
    assert list(told.by_team()) == ["own scope", "team own scope"]
    assert told.entries[2].team != told.entries[2].along[0].team


def test_spaces_at_the_end_of_names_and_values_are_seen():
    entry = result("projects", "web  ", "acme ", "update", before={"dev_command": "a\n b "}, after={"dev_command": " "})
    told = Outcome(outcome([entry], undeclared=[]), is_check=True).entries[0]
    assert (told.name, told.team) == ("web\\u0020\\u0020", "acme\\u0020")
    assert (told.changes[0].before, told.changes[0].after) == ("a\n b\\u0020", "\\u0020")


def test_a_million_spaces_within_a_name_are_searched_once():
    """Searching them from each of them would take hours."""
    name = f"a{' ' * 1_000_000}b"
    told = Outcome(outcome([result("projects", name, "", "create")], undeclared=[]), is_check=True).entries[0]
    assert told.name == name


def test_line_names_ten_and_counts_the_rest():
    many = [result("teams", f"t{number}", None, "create") for number in range(1200)]
    gone = [result("domains", f"d{number}.example.com", "acme", "delete") for number in range(3)]
    names = ", ".join(f"team t{number}" for number in range(7))
    assert blueprint_line(outcome([*many, *gone], undeclared=[])) == (
        "3 deleted: domain d0.example.com of acme, domain d1.example.com of acme, domain d2.example.com of acme;"
        f" 1,200 created: {names} and 1,193 more; 0 unchanged."
    )
    assert "1,200 to create; 0 unchanged" in blueprint_line(outcome([*gone * 4, *many]), check_mode=True)


def test_line_counts_what_goes_along():
    along = [{"kind": "projects", "name": name, "team": "acme"} for name in ("web", "api")]
    given = outcome([result("teams", "acme", None, "delete", along=along)], undeclared=[])
    assert blueprint_line(given, check_mode=True) == "1 to delete (3 with what goes along): team acme; 0 unchanged."
    assert blueprint_line(given) == "1 deleted (3 with what went along): team acme; 0 unchanged."
    changed = outcome([result("projects", "web", "acme", "update", along=along[:1])], undeclared=[])
    assert blueprint_line(changed) == "1 changed (1 deleted along): project web of acme; 0 unchanged."


def test_line_says_what_was_refused_or_failed_altogether():
    refused = blueprint_line(outcome(RESULTS[3:4], failed=True, msg="no", undeclared=[]))
    assert refused == "Refused; nothing was written. Planned: 1 to create: project shop; 0 unchanged."
    assert blueprint_line({"failed": True, "msg": "no"}, check_mode=True) == "The check failed: no"
    assert blueprint_line({"failed": True, "msg": "no\nmore"}) == "The run failed: no"
    assert blueprint_line({"failed": True}) == "The run failed: It failed, and does not say why."
    assert len(blueprint_line({"failed": True, "msg": "x" * 5000})) < 350


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (UNSEEN[:1], "1 unchanged; 1 description cannot be compared."),
        (UNSEEN, "2 unchanged; 2 descriptions and 1 email_domain cannot be compared."),
        (
            [result("aliases", "a", "acme", "none", not_compared=["parameters"])] * 2,
            "2 unchanged; 2 aliases' parameters cannot be compared.",
        ),
        (
            [result("teams", "acme", None, "update", not_compared=["x"])],
            "1 changed: team acme; 0 unchanged; 1 x cannot be compared.",
        ),
        (OF_OTHERS, "0 unchanged; 512 entries are not selected."),
        (NOT_SENT, "0 unchanged; 4 invitations were not sent: set converge_invite."),
        (
            [*UNSEEN[:1], *OF_OTHERS[:1], *NOT_SENT[:1]],
            "1 unchanged; 1 description cannot be compared; 1 entry is not selected; 1 invitation was not sent: set"
            " converge_invite.",
        ),
    ],
)
def test_what_the_counts_do_not_say_is_said(results, said):
    given = outcome(results, undeclared=[])
    assert blueprint_line(given, option_prefix="converge_") == said


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        (UNSEEN, "What can be compared is as the blueprint declares it."),
        ([RESULTS[0], *OF_OTHERS], "What is selected is as the blueprint declares it."),
        ([*UNSEEN, *OF_OTHERS], "What is selected and can be compared is as the blueprint declares it."),
        ([RESULTS[0], *NOT_SENT], "The platform is as the blueprint declares it."),
    ],
)
def test_verdict_claims_nothing_that_nobody_saw(results, verdict):
    assert Outcome(outcome(results), is_check=True).verdict == verdict
    done = Outcome(outcome(results), is_check=False).verdict
    seen = "Nothing that can be compared had" if UNSEEN[0] in results else "Nothing had"
    assert done == f"{seen} to be changed."


def test_line_stays_one_and_acts_on_no_terminal():
    line = blueprint_line(outcome([result("projects", "a\nb\x1b[31m\u202e", "a\r", "create")], undeclared=[]))
    assert line == "1 created: project a\\u000ab\\u001b[31m\\u202e of a\\u000d; 0 unchanged."
