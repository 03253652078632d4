# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams: how one is found, and what its writes send (section 4 of the specification)."""

from __future__ import annotations

import functools
import typing as t

from .._client.errors import PlatformError
from .._client.http import UNADDRESSABLE
from .._fields import TEAM, Values
from .._plan import Step, plan_present
from ._listing import Listing
from ._named import NamedResource
from ._options import (
    ID_OPTION,
    STATE_OPTION,
    ArgumentSpec,
    check_filled,
    page_of,
)
from ._platform import (
    TEAM_PATH_MINIMUM,
    Platform,
    Scope,
)


class Team(NamedResource):
    """A team. ``description`` and ``email_domain`` are write-only: taken on update, and never shown by the API."""

    kind = "teams"
    key = "team"
    fields = TEAM
    name_field = "slug"
    argument_spec: t.ClassVar[ArgumentSpec] = {
        **TEAM.argument_spec(),
        **ID_OPTION,
        **STATE_OPTION,
        "write_only_fields": {"type": "str", "choices": ["on_create", "always"], "default": "on_create"},
    }
    rules: t.ClassVar[dict[str, t.Any]] = {"required_one_of": [("slug", "id")]}

    @functools.cached_property
    def scope(self) -> Scope:
        """A team is in no other; its options name no ``team``."""
        return Scope()

    def every(self) -> Listing:
        """The list holds only the teams that the user belongs to; one GET may show the sought one all the same."""
        items = super().every()
        if not (items.where("id", self.id) if self.id else items.where("slug", self.name)):
            shown = self.get(self.id or self.name)
            return Listing([*items, shown]) if shown else items
        return items

    def get(self, address: t.Any) -> Values | None:
        return self.platform.get_team(address)

    def plan_for(self, live: Values | None) -> Step:
        if self.is_wanted and live is not None:
            return plan_present(TEAM, self.wanted, live, resend=self._resends)
        return super().plan_for(live)

    @property
    def _resends(self) -> bool:
        return bool(self.options["write_only_fields"] == "always")

    def remarks(self, step: Step) -> Values:
        """The given options of which nobody can tell whether they are as wanted."""
        is_unknown = self.is_wanted and step.action != "create" and not self._resends
        return {"not_compared": [option for option in TEAM.write_only if option in self.wanted and is_unknown]}

    def create(self, step: Step) -> Values:
        values = {option: value for option, value in step.changes.items() if option in TEAM.returned}
        return TEAM.result(self.api.create_team(TEAM.body(values)))

    def complete(self, step: Step, item: Values) -> Values:
        """The API takes the write-only fields on update only."""
        item = super().complete(step, item)
        values = {option: value for option, value in step.changes.items() if option in TEAM.write_only}
        if not values:
            return item
        try:
            return self.confirmed(self.api.update_team(self._path(item), TEAM.body(values)), item, values)
        except PlatformError as error:
            names = " and ".join(values)
            error.explain(
                f"The team was created, and its {names} not set: run the task once with write_only_fields=always."
            )
            error.result = {"changed": True, self.key: item}
            raise

    def update(self, step: Step) -> Values:
        answer = self.api.update_team(self._path(step.live), TEAM.body(step.changes))
        return self.confirmed(answer, step.live, step.changes)

    def delete(self, step: Step) -> None:
        self.api.delete_team(self._path(step.live))

    def _path(self, live: Values) -> str:
        """The id, or the slug where the id is shorter than a path value may be."""
        for value in (live["id"], live["slug"]):
            if value is not None and len(str(value)) >= TEAM_PATH_MINIMUM and value not in UNADDRESSABLE:
                return str(value)
        raise PlatformError(
            f"team {live['slug']} cannot be addressed: the API takes no path value under {TEAM_PATH_MINIMUM}"
            f" characters, and its id ({live['id']}) and its slug are shorter."
        )


def read_teams(platform: Platform, options: t.Mapping[str, t.Any]) -> list[Values]:
    """The team that ``team`` names, if it is there; else all that the user belongs to, within the page options."""
    page = page_of(options)
    check_filled(options, "team")
    if options["team"] is None:
        return platform.some("teams", Scope(), page)
    found = platform.find_team(options["team"])
    return [found] if found else []
