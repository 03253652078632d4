# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The model behind what is shown: the outcome, and the causes of a failure."""

import pytest
from results import (
    ALONG,
    OF_OTHERS,
    RESULTS,
    UNDECLARED,
    make_result,
    make_view,
    refused_result,
    result,
)

UNCHANGED, INVITATION, CHANGE, CREATION, FAILURE, _skipped, _deletion = RESULTS


def view_of(results, is_check=False, **more):
    return make_view(make_result(results, **more), is_check=is_check)


NO = refused_result(("prune", "no."))
FAILED = {"failed": True, "msg": "1 of 9 steps failed:"}
ADOPTED = {**CREATION, "changed": False}
DELETED = result("teams", "acme", None, "delete", along=ALONG)
SKIPPED = [
    result("aliases", why, "acme", "skip", reason=why) for why in ("dependency", "unavailable")
]
DONE = "1 created, 1 changed, 1 deleted and 2 along with them, 1 invited"
COUNTS = (
    "1 to create (1 project), 1 to change (1 project), 1 to delete (1 team) and 2 along with"
    " them, 1 to invite (1 team member); 1 unchanged, 2 undeclared."
)
ALL = [UNCHANGED, CREATION, CHANGE, DELETED, INVITATION]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (view_of(ALL, undeclared=UNDECLARED), f"Done: {DONE}; 1 unchanged."),
        (view_of([CREATION]), "Done: 1 created."),
        (view_of([UNCHANGED, *OF_OTHERS], undeclared=UNDECLARED), "Nothing to do; 1 unchanged."),
        (view_of([]), "Nothing to do."),
        (view_of([CHANGE, ADOPTED, UNCHANGED]), "Done: 1 changed; 2 unchanged."),
        (
            view_of([*ALL, FAILURE, *SKIPPED, *OF_OTHERS], **FAILED),
            f"Failed: 4 of 7 steps done ({DONE}), 1 failed, 2 not tried.",
        ),
        (view_of([FAILURE], **FAILED), "Failed: 0 of 1 step done, 1 failed."),
        (view_of([CREATION], **FAILED), "Failed: 1 of 1 step done (1 created)."),
        (view_of(ALL, is_check=True, undeclared=UNDECLARED), COUNTS),
        (view_of([UNCHANGED], is_check=True), "Nothing to do; 1 unchanged."),
        (view_of(ALL, is_check=True, **FAILED), "Failed: nothing was changed."),
        *(
            (view_of(ALL, is_check, **NO), "Refused: nothing was changed.")
            for is_check in (True, False)
        ),
        *(
            (make_view(FAILED, is_check=is_check), "Failed: nothing was changed.")
            for is_check in (True, False)
        ),
    ],
)
def test_outcome_counts_what_was_done(given, words):
    assert given.outcome == words


@pytest.mark.parametrize(
    ("given", "causes"),
    [
        (make_result(RESULTS), []),
        ({"failed": True, "msg": "first\n\nse\x1bcond"}, ["first", "se\\u001bcond"]),
        (
            make_result(
                [],
                **refused_result(
                    ("limits.delete", "prune: 5 would be deleted."),
                    ("blueprint", "teams[0] is odd."),
                ),
            ),
            ["converge_limits.delete: prune: 5 would be deleted.", "teams[0] is odd."],
        ),
    ],
)
def test_causes_name_options_as_the_reader_sets_them(given, causes):
    assert make_view(given).failure_lines == causes
