# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The model behind the page and the Markdown: verdict, notes, causes and counts."""

from __future__ import annotations

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
    report,
)


def report_of(results, is_check=True, **more):
    return report(outcome(results, **more), is_check=is_check)


NO = refused(("prune", "no."))
AS_DECLARED = "is as the blueprint declares it"


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (report_of([UNCHANGED]), f"The platform {AS_DECLARED}."),
        (report_of([UNCHANGED], is_check=False), "Nothing had to be changed."),
        (report_of([CHANGE, CREATION]), "2 objects differ from the blueprint."),
        (
            report_of([UNCHANGED, MOVE, INVITATION]),
            "1 object differs from the blueprint, and 1 invitation would be sent.",
        ),
        (report_of([INVITATION]), f"The platform {AS_DECLARED}, and 1 invitation would be sent."),
        (report_of([INVITATION, CHANGE], is_check=False), "2 changes were made."),
        (report_of(RESULTS, is_check=False), "1 failed; 5 changes were made."),
        *(
            (
                report_of([CHANGE], is_check, **NO),
                "Refused by converge_prune; the platform was not changed. 1 object differs from the blueprint.",
            )
            for is_check in (True, False)
        ),
        (
            report_of([CHANGE], **refused(("blueprint", "no."))),
            "Refused; the platform was not changed. 1 object differs from the blueprint.",
        ),
        (report({"failed": True, "msg": "no"}), "The check failed."),
        (report({"failed": True, "msg": "no"}, is_check=False), "The run failed."),
        (report_of(UNSEEN), f"What can be compared {AS_DECLARED}."),
        (report_of([UNCHANGED, *OF_OTHERS]), f"What is selected {AS_DECLARED}."),
        (report_of([*UNSEEN, *OF_OTHERS]), f"What is selected and can be compared {AS_DECLARED}."),
        (report_of([UNCHANGED, *NOT_SENT]), f"The platform {AS_DECLARED}."),
        (report_of(UNSEEN, is_check=False), "Nothing that can be compared had to be changed."),
    ],
)
def test_verdict_claims_nothing_that_nobody_saw(given, verdict):
    assert given.verdict == verdict


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
    assert report(given).causes == causes
