# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scopes as options name them: a team, what stands for a missing one, and the caller's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..._errors import InvalidOption
from ..kind import Desired
from ..options import check_not_empty
from ..platform import NotFound, Platform
from ..resource import Resource
from ..scope import OWN_SCOPE, Scope
from .team import TEAM, Team, find_team

NO_TEAM = "is neither the id nor the slug of a team that this token can see."


def read_scope(platform: Platform, options: Mapping[str, Any], *, may_assume: bool = True) -> Scope:
    """The scope of the option ``team``; without it, the caller's own.

    An empty text is the ID of a team that an earlier task makes, which check mode does not know.
    Where there is no such team: in check mode, if it may be assumed, the scope of one that an
    earlier task makes, with a warning. Else NotFound is raised.
    """
    team = options.get("team")
    if team is None:
        return OWN_SCOPE
    if not team:
        return Scope(TEAM.to_result({"slug": ""}))
    record = find_team(platform, team)
    if record is not None:
        return Scope(record)
    missing = _missing_team(platform, team)
    if not may_assume:
        raise missing
    return Scope(platform.assume(missing))


def scope_of_resource(kind: type[Resource], desired: Desired, platform: Platform) -> Scope:
    """The scope of one desired object, as ``read_scope``.

    Where there is no such team, nothing is in it: an object that is to be absent is, with a
    warning. An object that can only be found, and not created, raises NotFound in check mode, too.
    """
    team = desired.options.get("team")
    if desired.is_absent and team:
        return _scope_of_absent(kind, desired, platform, team)
    return read_scope(platform, desired.options, may_assume=kind.is_creatable(desired))


def _scope_of_absent(
    kind: type[Resource], desired: Desired, platform: Platform, team: str
) -> Scope:
    """The list of teams decides: an object in a team that it lacks counts as absent."""
    listed = platform.find(Team, OWN_SCOPE, team)
    if listed is not None:
        return Scope(listed)
    missing = _missing_team(platform, team)
    name = kind.label(str(desired.name or desired.id), None)
    platform.warnings.append(
        f"{missing.label} does not exist, so the {name} counts as absent.{missing.near}"
    )
    return Scope(missing.stand_in)


def _missing_team(platform: Platform, team: str) -> NotFound:
    return NotFound(
        f"team: {team} {NO_TEAM}",
        label=f"team {team}",
        near=platform.suggest(Team, OWN_SCOPE, team),
        stand_in=TEAM.to_result({"slug": team}),
    )


def read_team_scopes(platform: Platform, teams: Sequence[str]) -> list[Scope]:
    """The scopes of the teams that an option ``teams`` lists. Raises InvalidOption."""
    options = {f"teams[{index}]": team for index, team in enumerate(teams)}
    check_not_empty(options, *options)
    scopes: list[Scope] = []
    for option, team in options.items():
        record = find_team(platform, team)
        if record is None:
            near = platform.suggest(Team, OWN_SCOPE, team)
            raise InvalidOption(option, f"{team} {NO_TEAM}{near}")
        scopes.append(Scope(record))
    return scopes
