# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The model behind the page and the Markdown: verdict, notes, causes and counts."""

from __future__ import annotations

import json
import subprocess

import pytest
from outcomes import (
    ALONG,
    CHANGE,
    CREATION,
    DELETION,
    FAILURE,
    INVITATION,
    MOVE,
    NOT_SENT,
    OF_OTHERS,
    RESULTS,
    UNCHANGED,
    UNSEEN,
    outcome,
    refused,
    result,
)

from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import (
    Presentation,
    Report,
    causes_of,
    steps_checksum,
)


def report_of(results, is_check=True, presentation=None, **more):
    presented = Presentation(is_check, option_prefix="converge_", **(presentation or {}))
    return Report(outcome(results, **more), presented)


NO = refused(("prune", "no."))
AS_DECLARED = "is as the blueprint declares it"


@pytest.mark.parametrize(
    ("report", "verdict"),
    [
        (report_of([UNCHANGED]), f"The platform {AS_DECLARED}."),
        (report_of([UNCHANGED], is_check=False), "Nothing had to be changed."),
        (report_of([CHANGE, CREATION]), "2 of 2 entries differ from the platform."),
        (
            report_of([UNCHANGED, MOVE, INVITATION]),
            "1 of 3 entries differs from the platform, and 1 invitation would be sent.",
        ),
        (report_of([INVITATION]), f"The platform {AS_DECLARED}, and 1 invitation would be sent."),
        (report_of([INVITATION, CHANGE], is_check=False), "2 changes were made."),
        (report_of(RESULTS), "1 of 8 entries failed; 4 differ from the platform."),
        (report_of(RESULTS, is_check=False), "1 of 8 entries failed; 5 changes were made."),
        *(
            (
                report_of([CHANGE], is_check, **NO),
                "Refused by converge_prune; nothing was written. 1 of 1 entry differs from the platform.",
            )
            for is_check in (True, False)
        ),
        (
            report_of([CHANGE], **refused(("blueprint", "no."))),
            "Refused; nothing was written. 1 of 1 entry differs from the platform.",
        ),
        (Report({"failed": True, "msg": "no"}, Presentation(True)), "The check failed."),
        (Report({"failed": True, "msg": "no"}, Presentation(False)), "The run failed."),
        (report_of(UNSEEN), f"What can be compared {AS_DECLARED}."),
        (report_of([UNCHANGED, *OF_OTHERS]), f"What is selected {AS_DECLARED}."),
        (report_of([*UNSEEN, *OF_OTHERS]), f"What is selected and can be compared {AS_DECLARED}."),
        (report_of([UNCHANGED, *NOT_SENT]), f"The platform {AS_DECLARED}."),
        (report_of(UNSEEN, is_check=False), "Nothing that can be compared had to be changed."),
    ],
)
def test_verdict_claims_nothing_that_nobody_saw(report, verdict):
    assert report.verdict == verdict


@pytest.mark.parametrize(
    ("results", "notes"),
    [
        (UNSEEN[:1], ["1 description cannot be compared"]),
        (UNSEEN, ["2 descriptions and 1 email_domain cannot be compared"]),
        (
            [result("aliases", "a", "acme", "none", not_compared=["parameters"])] * 2,
            ["2 aliases' parameters cannot be compared"],
        ),
        ([*OF_OTHERS, *NOT_SENT], ["512 entries are not selected", "4 invitations are not sent: set converge_invite"]),
        (RESULTS, []),
    ],
)
def test_what_the_counts_do_not_say_is_noted(results, notes):
    assert report_of(results).notes == notes


def test_a_move_is_a_state_and_a_change():
    report = report_of([MOVE])
    assert (report.count("move"), report.count("update"), report.changes) == (1, 0, 1)
    ((field, before, after),) = report.entries[0].changes
    assert (field, before, after) == ("team", "labs", "acme")
    from_own = {**MOVE, "diff": {"before": {"team": None}, "after": {"team": "acme"}}}
    assert report_of([from_own]).entries[0].changes[0].before == "own scope"


def test_what_goes_along_is_counted():
    gone, changed = result("teams", "acme", None, "delete", along=ALONG), {**CHANGE, "along": ALONG[:1]}
    assert report_of([gone]).counted("delete") == "1 to delete (3 with what goes along)"
    assert report_of([gone], is_check=False).counted("delete") == "1 deleted (3 with what went along)"
    assert report_of([changed]).counted("update") == "1 to change (1 to delete along)"


def test_spaces_at_the_end_of_names_and_values_are_seen():
    entry = result("projects", "web  ", "acme ", "update", before={"dev_command": "a\n b "}, after={"dev_command": " "})
    told = report_of([entry]).entries[0]
    assert (told.name, told.team) == ("web\\u0020\\u0020", "acme\\u0020")
    assert told.changes[0][1:] == ("a\n b\\u0020", "\\u0020")


@pytest.mark.parametrize(
    ("given", "causes"),
    [
        (outcome(RESULTS), []),
        ({"failed": True, "msg": "first\n\nse\x1bcond"}, ["first", "se\\u001bcond"]),
        (
            outcome([], **refused(("limits.delete", "prune: 5 would be deleted."), ("blueprint", "teams[0] is odd."))),
            ["converge_limits.delete: prune: 5 would be deleted.", "teams[0] is odd."],
        ),
    ],
)
def test_causes_name_options_as_the_reader_sets_them(given, causes):
    assert causes_of(given, "converge_") == causes


@pytest.mark.parametrize(
    ("guards", "approved", "refused_by"),
    [
        (["limits.delete"], None, {DELETION["name"]: "limits.delete", MOVE["name"]: "limits.delete"}),
        (["limits.update"], None, {CHANGE["name"]: "limits.update", MOVE["name"]: "limits.update"}),
        (["approved"], [CHANGE["step"], MOVE["step"]], {DELETION["name"]: "approved"}),
        (["prune"], [], {}),
        ([], [], {}),
    ],
)
def test_steps_that_are_refused_name_their_guard(guards, approved, refused_by):
    told = refused(*((guard, "no.") for guard in guards)) if guards else {}
    report = report_of([UNCHANGED, CHANGE, DELETION, MOVE], presentation={"approved": approved}, **told)
    found = {entry.name: entry.refused_by for entry in report.entries if entry.refused_by}
    assert found == {name: f"converge_{guard}" for name, guard in refused_by.items()}


@pytest.mark.parametrize("steps", [[], ["b", "a"], ["0af3", "5d1c", "00ff"]])
def test_checksum_is_what_everybody_can_compute(tmp_path, steps):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"steps": steps}), encoding="utf-8")
    command = "set -o pipefail; jq -r '.steps[]' plan.json | sort | sha256sum"
    found = subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert found.stdout.split()[0] == steps_checksum(steps)


def test_failed_entries_change_nothing():
    assert report_of([FAILURE]).verdict == "1 of 1 entry failed."
