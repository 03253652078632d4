# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The model behind the page and the Markdown: verdict, notes, causes and counts."""

from __future__ import annotations

import json
import subprocess

import pytest
from outcomes import (
    CHANGE,
    CREATION,
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
)
from ansible_collections.hosting.platform.plugins.plugin_utils._plan_file import steps_checksum


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


@pytest.mark.parametrize("steps", [[], ["b", "a"], ["0af3", "5d1c", "00ff"]])
def test_checksum_is_what_everybody_can_compute(tmp_path, steps):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"steps": steps}), encoding="utf-8")
    command = "set -o pipefail; jq -r '.steps[]' plan.json | sort | sha256sum"
    found = subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert found.stdout.split()[0] == steps_checksum(steps)
