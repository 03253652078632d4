# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The number of random examples with which a property is tested."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
FEWEST = 5


def examples(number: int) -> settings:
    """Settings for this number of examples, which the profile ``quick`` reduces in proportion to the usual number."""
    return settings(max_examples=max(FEWEST, number * settings().max_examples // USUAL))
