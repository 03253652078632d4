# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan: its items, what was read for it, and what the task allows."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence

from ..._errors import InvalidOption
from ..._model.listing import Listing
from ..._model.platform import Platform
from ..._model.scope import Scope
from ..blueprint.options import BlueprintOptions
from ..blueprint.reading import Blueprint, FileScope
from ..blueprint.selectors import Selector
from .declarations import Declarations
from .item import TEAM_KIND, Item
from .lists import Lists
from .references import Teams


@dataclasses.dataclass(eq=False)
class Plan:
    """A plan while it is made, and as guards judge it."""

    blueprint: Blueprint
    platform: Platform
    options: BlueprintOptions
    # What the names of teams mean, also of those that only a GET shows. Set by `find_teams`.
    teams: Teams = dataclasses.field(init=False)
    # The teams to which the caller belongs. Set by `find_teams`.
    listed_teams: Listing = dataclasses.field(default_factory=lambda: Listing((), TEAM_KIND.fields))
    # What the run is about: what prune may reach, and the report covers. Set by `read_lists`.
    scopes: Collection[Scope] = ()
    # Set by `read_lists`, and extended by `find_elsewhere`.
    lists: Lists = dataclasses.field(init=False)
    # What entries without a team want absent, and is a team's, as warnings. Set by `select`.
    absent_in_own_scope: list[InvalidOption] = dataclasses.field(default_factory=list)
    # How many objects each selector of the task matches. Set by `find_matches`.
    matches: dict[Selector, int] = dataclasses.field(default_factory=dict)
    # What entries declare. Set by `find_undeclared`.
    declarations: Declarations = dataclasses.field(init=False)
    # The objects of the run, and the listed teams, that no entry declares. Set by
    # `find_undeclared`.
    undeclared: Sequence[Item] = ()

    def __post_init__(self) -> None:
        # Those of entries in the order of the blueprint, then those that `prune` adds.
        self.items = [Item(entry.kind, entry.desired, entry) for entry in self.blueprint.entries]

    @property
    def named_scopes(self) -> Sequence[FileScope]:
        """The scopes that files of the blueprint, and the task, name."""
        team = self.options.team
        return self.blueprint.scopes if team is None else (*self.blueprint.scopes, FileScope(team))

    @property
    def selected_items(self) -> list[Item]:
        return [item for item in self.items if item.is_selected]

    @property
    def deletions(self) -> Iterator[Item]:
        return (item for item in self.items if item.is_deletion)

    @property
    def writes(self) -> Iterator[Item]:
        """All that is sent but deletions."""
        return (item for item in self.items if item.is_write)

    @property
    def cascades(self) -> Iterator[tuple[Item, Item]]:
        """Each object that goes along with a step, behind the item of that."""
        for item in self.items:
            for other in item.cascade:
                yield item, other

    @property
    def deleted_items(self) -> Iterator[Item]:
        """All that is gone after the plan."""
        yield from self.deletions
        for _item, other in self.cascades:
            yield other
