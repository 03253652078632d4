# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list without a team, of which the specification does not say whose objects it shows.

Some services put what is created without a team into one of the user's teams. Their own list then is that team's, and
represents the own scope. All assumptions about this are here.
"""

from __future__ import annotations

from .._common.errors import PlatformError
from .fields import Values
from .kind import Kind
from .listing import Listing
from .platform import Platform, Scope


class OwnList:
    """All objects of a kind in the list without a team, for the caller's own scope. Empty until it is read."""

    def __init__(self, platform: Platform, kind: type[Kind], scope: Scope) -> None:
        self.items = Listing()
        self._platform = platform
        self._kind = kind
        self._scope = scope

    def read(self) -> OwnList:
        self.items = self._platform.listing(self._kind, self._scope.unfiltered)
        return self

    @property
    def teams(self) -> set[str]:
        """The teams whose objects it shows, by id; ``""`` for no team."""
        return {str(item["team_id"] or "") for item in self.items}

    @property
    def stands_for_scope(self) -> bool:
        """Return whether nothing in it can belong to another scope: it shows one team, or no team's objects."""
        return len(self.teams) == 1

    @property
    def may_be_of_a_team(self) -> bool:
        """Return whether a team may hold the own scope: not where it shows objects of teams beside the user's own."""
        return self.stands_for_scope or self.teams <= (self._scope.foreign or frozenset())

    def check_home_of(self, live: Values, name: str | None, *, is_deletion: bool) -> None:
        """Raises PlatformError if an object of this list belongs to a team, and for a deletion also if it may."""
        if not self.stands_for_scope or is_deletion:
            home = f"the team {live['team_id']}" if live["team_id"] else "the team of its project"
            raise PlatformError(
                f"team: {name} is in the list of the token's own scope, but belongs to {home}. Set team to it."
            )

    def new(self) -> Listing:
        """The objects that have appeared since this was read, whichever team the service put them in."""
        now = self._platform.listing(self._kind, self._scope.unfiltered)
        return Listing(item for item in now if not self.items.where("id", item["id"]))


def reachable(platform: Platform, kind: type[Kind], scope: Scope) -> Listing:
    """The objects that an option may refer to in a scope."""
    if scope.is_own:
        own = OwnList(platform, kind, scope).read()
        if own.stands_for_scope:
            return own.items
    return platform.listing(kind, scope)
