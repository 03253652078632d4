# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of the own scope: what ``own_scope: true`` leaves out, because it is a team's, and
what is created there.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._errors import InvalidOption
from .._text import join_some
from .belonging import Belonging
from .kind import Desired, Kind
from .platform import Platform
from .scope import OWN_SCOPE, Scope


def find_hidden(
    platform: Platform, kind: type[Kind], scope: Scope, desired: Desired
) -> Belonging | None:
    """The desired object, if the own list shows it and ``own_scope: true`` leaves it out.

    For a scope that shows none of it.
    """
    if not scope.excludes_teams:
        return None
    records = platform.listing(kind, OWN_SCOPE)
    found = records.where("id", desired.id)
    found = found or records.where(kind.name_field, desired.name, kind.normalize)
    return platform.belonging(kind, scope, found[0]) if found else None


def describe_hidden(hidden: Belonging, *, is_absent: bool) -> InvalidOption:
    """Whose an object is that is left out, and what to do."""
    slug = hidden.scope.slug
    problem = f"the {hidden.label} belongs to the team {slug}. Set team to {slug}."
    if is_absent:
        problem = (
            f"the {hidden.label} belongs to the team {slug}, so it counts as absent."
            f" To delete it, set team to {slug}."
        )
    return InvalidOption("own_scope", problem)


def describe_creation_in_team(created: Belonging) -> InvalidOption:
    """The warning about a creation in the own scope that the service has put into a team."""
    slug = created.scope.slug
    problem = (
        f"the service put the {created.label} into the team {slug}."
        f" Set team to {slug}, or no later task finds it."
    )
    return InvalidOption("own_scope", problem)


def own_scope_warning(names: Sequence[str]) -> str:
    """The warning about objects that are created without an explicit team."""
    return (
        f"No team is set, so these objects are created in your own scope: {join_some(names)}."
        " Set team, or own_scope: true if this is intended."
    )
