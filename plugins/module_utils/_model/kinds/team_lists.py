# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams as lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..fields import Values
from ..options import check_unmasked, page_of
from ..platform import Platform
from ..scope import Scope
from .team import Team, find_team


def read_teams(platform: Platform, options: Mapping[str, Any]) -> list[Values]:
    """The team that ``team`` names, or all of the user's within the page options."""
    page = page_of(options, platform.warnings)
    check_unmasked(options, "team")
    if options["team"] is None:
        return platform.list_page(Team, Scope(), page)
    record = find_team(platform, options["team"])
    return [record] if record else []
