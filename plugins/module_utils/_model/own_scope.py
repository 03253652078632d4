# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of the own scope: what its list shows and is a team's, and what is created there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    names = (desired.name, *desired.previous_names)
    for record in _named_in_own_list(platform, kind, scope, desired.id, *names):
        if platform.owner_of(kind, scope, record).team_id is not None:
            return record
    return None


def check_reference(platform: Platform, kind: type[Kind], scope: Scope, id_or_name: str) -> None:
    """Raises InvalidOption where an option names an object that the scope lacks, because it is a
    team's.
    """
    for record in _named_in_own_list(platform, kind, scope, id_or_name, id_or_name):
        check_own(platform, kind, scope, record)


def _named_in_own_list(
    platform: Platform, kind: type[Kind], scope: Scope, record_id: str | None, *names: str | None
) -> Iterator[Values]:
    if scope.team or not kind.is_in_team or not kind.is_listed:
        return
    records = platform.whole_listing(kind, scope)
    yield from records.where("id", record_id)
    for name in names:
        yield from records.where(kind.name_field, name)


def check_own(platform: Platform, kind: type[Kind], scope: Scope, record: Values) -> None:
    """Raises InvalidOption for an object of one of the caller's teams where no team is set: such a
    task leaves it alone.
    """
    if scope.team or not kind.is_in_team:
        return
    owner = platform.owner_of(kind, scope, record)
    if owner.team_id is not None:
        raise describe_of_team(kind, record, owner)


def describe_of_team(
    kind: type[Kind], record: Values, owner: Scope, *, is_absent: bool = False
) -> InvalidOption:
    """Whose an object is that a task without a team does not find, and what to do."""
    label = kind.label(record[kind.name_field], None)
    problem = f"the {label} belongs to the team {owner.slug}. Set team to {owner.slug}."
    if is_absent:
        problem = (
            f"the {label} belongs to the team {owner.slug}, so it counts as absent."
            f" To delete it, set team to {owner.slug}."
        )
    return InvalidOption("team", problem)


def own_scope_warning(names: Sequence[str]) -> str:
    """The warning about objects that are created without an explicit team."""
    return (
        f"No team is set, so these objects are created in your own scope: {join_some(names)}."
        " Set team, or own_scope: true if this is intended."
    )
