# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases that are many of a kind: `make test` runs a sample of them, `make thorough` the others, or
more of them.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

USUAL = 100
FEWEST = 5


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Parameters for a test, in their order; all but the first of every so many are marked as
    thorough.

    Of combinations, ``every`` should have no divisor in common with the number of values that
    change fastest.
    """
    return [
        case if number % every == 0 else pytest.param(case, marks=pytest.mark.thorough)
        for number, case in enumerate(cases)
    ]


def examples(number: int) -> settings:
    """So many random examples of a property, which the profile ``quick`` reduces in proportion to
    the usual number.
    """
    return settings(max_examples=max(FEWEST, number * settings().max_examples // USUAL))


# As a module, each task takes a second; tests/equivalence compares the two ways in general.
both_ways = pytest.mark.parametrize("in_process", sampled(["true", "false"], 2))
