# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scopes as options name them: a team, what stands for a missing one, and the caller's own."""

from __future__ import annotations

from collections.abc import Sequence

from ..kind import Desired
from ..missing import NotFound, find_or_assume
from ..options import Options, check_not_empty
from ..platform import Platform
from ..resource import Resource
from ..scope import OWN_SCOPE, Scope
from .team import Team


def read_scope(platform: Platform, options: Options) -> Scope:
    """The scope of the option ``team``; without it, the caller's own.

    Where there is no such team: in check mode, the scope of one that an earlier task makes. Else
    NotFound is raised.
    """
    team = options.get("team")
    if team is None:
        return OWN_SCOPE
    return Scope(find_or_assume(platform, Team, OWN_SCOPE, team))


def scope_of_resource(kind: type[Resource], desired: Desired, platform: Platform) -> Scope:
    """The scope of one desired object, as ``read_scope``.

    The list of teams decides about an object that is to be absent: in a team that it lacks, it is,
    with a warning.
    """
    team = desired.options.get("team")
    if not (desired.is_absent and team):
        return read_scope(platform, desired.options)
    listed = platform.find(Team, OWN_SCOPE, team)
    if listed is not None:
        return Scope(listed)
    missing = NotFound(platform, Team, OWN_SCOPE, team)
    name = kind.label(str(desired.name or desired.id))
    platform.warnings.append(
        f"{missing.label} does not exist, so the {name} counts as absent.{missing.near}"
    )
    return Scope(missing.stand_in)


def chosen_scopes(platform: Platform, teams: Sequence[str] | None) -> list[Scope]:
    """The scopes of the teams that an option ``teams`` lists; without it, of all teams of the
    caller, and behind them their own. Raises InvalidOption.
    """
    if teams is None:
        scopes = [*(Scope(team) for team in platform.listing(Team, OWN_SCOPE)), OWN_SCOPE]
    else:
        scopes = list(dict.fromkeys(read_team_scopes(platform, teams)))
    platform.team_option = "teams" if len(scopes) > 1 else ""
    return scopes


def read_team_scopes(platform: Platform, teams: Sequence[str]) -> list[Scope]:
    """The scopes of the teams that an option ``teams`` lists. Raises InvalidOption."""
    options = {f"teams[{index}]": team for index, team in enumerate(teams)}
    check_not_empty(options, *options)
    scopes: list[Scope] = []
    for option, team in options.items():
        record = platform.find_named(Team, OWN_SCOPE, team)
        if record is None:
            raise NotFound(platform, Team, OWN_SCOPE, team, option)
        scopes.append(Scope(record))
    return scopes
