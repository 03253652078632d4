# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of the own scope: what its list shows and is a team's, and what is created there."""

from __future__ import annotations

from collections.abc import Sequence

from .._errors import InvalidOption
from .._text import join_some
from .fields import Values
from .kind import Desired, Kind
from .platform import Platform
from .scope import Scope


def find_of_team(
    platform: Platform, kind: type[Kind], scope: Scope, desired: Desired
) -> Values | None:
    """The object of a team that the own list shows, with the desired ID, name or earlier name. None
    for the scope of a team.
    """
    if scope.team or not kind.is_in_team:
        return None
    listing = platform.whole_listing(kind, scope)
    found = listing.where("id", desired.id)
    for name in (desired.name, *desired.previous_names):
        found += listing.where(kind.name_field, name)
    for record in found:
        if platform.owner_of(kind, scope, record).team_id is not None:
            return record
    return None


def check_teams(platform: Platform, kind: type[Kind], scope: Scope, desired: Desired) -> None:
    """Called where the scope lacks the desired object. Where it is a team's, warns of one that is
    to be absent, and raises InvalidOption for any other.
    """
    record = find_of_team(platform, kind, scope, desired)
    if record is None:
        return
    owner = platform.owner_of(kind, scope, record)
    problem = describe_of_team(kind, record, owner, is_absent=desired.is_absent)
    if not desired.is_absent:
        raise problem
    platform.warnings.append(problem)


def check_reference(platform: Platform, kind: type[Kind], scope: Scope, id_or_name: str) -> None:
    """The same of what an option names."""
    check_teams(platform, kind, scope, Desired({"id": id_or_name}, {}, id_or_name))


def describe_of_team(
    kind: type[Kind], record: Values, owner: Scope, *, is_absent: bool = False
) -> InvalidOption:
    """Whose an object is that a task without a team does not find, and what to do."""
    label = kind.label(record[kind.name_field])
    advice = ", so it counts as absent. To delete it, set" if is_absent else ". Set"
    return InvalidOption(
        "team", f"the {label} belongs to the team {owner.slug}{advice} team to {owner.slug}."
    )


def own_scope_warning(names: Sequence[str]) -> str:
    """The warning about objects that are created without an explicit team."""
    return (
        f"No team is set, so these objects are created in your own scope: {join_some(names)}."
        " Set team, or own_scope: true if this is intended."
    )
