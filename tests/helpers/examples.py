# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many random examples a property is tried with."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

USUAL = 100
FEWEST = 5


def examples(number: int, **more: Any) -> settings:
    """So many examples, or with the profile ``quick`` as small a part of them as of the usual number."""
    return settings(max_examples=max(FEWEST, number * settings().max_examples // USUAL), **more)
