# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects by the values of their fields, among all of a list: none, one, or a failure that lists
several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._errors import PlatformError
from .fields import Values
from .listing import Listing

# What to do about two objects of one name: where an option takes an id, and where none does.
GIVE_ID = "Give its id"
NAME_OF_ONE_IS_ID_OF_OTHER = "Give the name of the one with this id, or the id of the other"
REMOVE_OTHERS = "Have the service's operator remove all but one of them"


def matching(value: Any, records: Listing, name_field: str) -> list[Values]:
    """The objects with the value as their ID or as their name."""
    found = records.where("id", value)
    found += [record for record in records.where(name_field, value) if record not in found]
    return found


def only_one(
    option: str, value: Any, matches: Sequence[Values], advice: str = GIVE_ID
) -> Values | None:
    """The object that an option's value means, if there is one. Raises PlatformError, which lists
    them, for several.
    """
    if len(matches) <= 1:
        return matches[0] if matches else None
    if advice == GIVE_ID and any(str(record.get("id")) == str(value) for record in matches):
        advice = NAME_OF_ONE_IS_ID_OF_OTHER
    listed = "; ".join(describe(record) for record in matches)
    or_team = ", or set team" if len({str(record.get("team_id")) for record in matches}) > 1 else ""
    raise PlatformError(
        f"{option}: {value} matches {len(matches)} objects ({listed}). {advice}{or_team}."
    )


def describe(record: Values) -> str:
    """An object, described by everything that names it."""
    names = ("id", "name", "slug", "alias", "team_id")
    return ", ".join(f"{name} {record[name]}" for name in names if record.get(name))
