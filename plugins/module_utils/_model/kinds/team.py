# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams, which are scopes: how one is found and joined, and what its writes send (section 4 of the specification)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..._api.operations import Api
from ..._api.retries import create_once
from ..._errors import InvalidOption, Outcome, PlatformError
from ..._text import did_you_mean
from ..fields import Field, Fields, Values, read_only
from ..kind import PATH_MINIMUM
from ..listing import Listing
from ..named import NamedResource
from ..options import NAMED_OPTIONS, ArgumentSpec, check_filled, page_of
from ..platform import Missing, Platform, Scope
from ..resource import Resource
from ..step import Step

TEAM = Fields(
    Field("id"),
    Field("slug", writable=True, clearable=False),
    Field("name", writable=True, max_length=256),
    Field("description", writable=True, returned=False, max_length=140),
    Field("emailDomain", writable=True, returned=False),
    *read_only("avatar", "createdBy", "createdAt", "updatedAt"),
)


class Team(NamedResource):
    """A team. ``description`` and ``email_domain`` are write-only: accepted on update, and never shown by the API."""

    plural = "teams"
    singular = "team"
    fields = TEAM
    name_field = "slug"
    walk = staticmethod(Api.list_teams)
    read = staticmethod(Api.get_team)
    path_minimum = PATH_MINIMUM
    argument_spec = (
        TEAM.argument_spec()
        | NAMED_OPTIONS
        | ArgumentSpec(
            {"write_only_fields": {"type": "str", "choices": ["on_create", "always"], "default": "on_create"}},
            {"required_one_of": [("slug", "id")]},
        )
    )
    is_scope = True
    is_in_team = False
    is_prunable = False
    touches = ("projects", "aliases", "domains")
    unshown = TEAM.write_only

    def with_shown(self, items: Listing) -> Listing:
        """The teams that the user belongs to, plus those of the wanted slugs that a GET shows even so."""
        if items.where("id", self.wanted.id) if self.wanted.id else items.where("slug", self.wanted.name):
            return items
        slugs = [slug for slug in self.wanted.previously if not items.where("slug", slug)]
        shown = [self.platform.shown(Team, address) for address in (self.wanted.id or self.wanted.name, *slugs)]
        return Listing([*items, *filter(None, shown)]) if any(shown) else items

    def address(self, live: Values) -> Any:
        """The id, or the slug if the id is too short for a path."""
        return live["id"] if len(str(live["id"])) >= PATH_MINIMUM else live["slug"]

    def read_again(self, live: Values) -> Values | None:
        return super().read_again(live) or self.platform.shown(Team, live["id"])

    def remarks(self, step: Step) -> Values:
        return {"not_compared": self.not_compared(step)}

    def create(self, step: Step) -> Values:
        values = {option: value for option, value in step.changes.items() if option in TEAM.returned}
        return TEAM.shown(self.api.create_team(TEAM.body(values)))

    def complete(self, step: Step, item: Values) -> Values:
        """Send the write-only fields, which the API accepts only on update."""
        item = super().complete(step, item)
        values = {option: value for option, value in step.changes.items() if option in TEAM.write_only}
        if not values:
            return item
        try:
            return self._patched(item, values)
        except PlatformError as error:
            names = " and ".join(values)
            error.explain(
                f"The team was created, but its {names} could not be set: run the task once with"
                " write_only_fields=always."
            )
            error.result = {"changed": True, self.singular: item}
            raise

    def update(self, step: Step) -> Values:
        return self._patched(step.live, step.changes)

    def _patched(self, live: Values, changes: Values) -> Values:
        return self.confirmed(TEAM.shown(self.api.update_team(self.address(live), TEAM.body(changes))), live, changes)

    def delete(self, step: Step) -> None:
        self.api.delete_team(self.address(step.live))


def scope_of(platform: Platform, options: Mapping[str, Any]) -> Scope:
    """The scope of the option ``team``; without it, the caller's own. Raises Missing for a team that does not exist."""
    return scope_of_team(platform, options["team"]) if options.get("team") else Scope()


def scope_and_page(platform: Platform, options: Mapping[str, Any], *names: str) -> tuple[Scope, dict[str, int | None]]:
    """The scope and the page options of a list. Raises InvalidOption, also if one of the options ``names`` is empty."""
    page = page_of(options)
    check_filled(options, *names)
    return scope_of(platform, options), page


def read_some(kind: type[Resource], platform: Platform, options: Mapping[str, Any], *names: str) -> list[Values]:
    """The object that one of the options names, if it exists; else all of the scope within the page options."""
    scope, page = scope_and_page(platform, options, *names)
    if all(options[name] is None for name in names):
        return platform.some(kind, scope, page)
    found = kind(kind.check({**options, "state": "absent"}), platform, scope).find()
    return [found] if found else []


def scope_of_team(platform: Platform, team: str) -> Scope:
    """The scope of the team that an option names. Raises Missing if it does not exist."""
    found = find_team(platform, team)
    if found is None:
        near = did_you_mean(team, [known["slug"] for known in platform.listing(Team, Scope())])
        raise Missing(f"team: {team} is neither the id nor the slug of a team that this token can see.{near}")
    return Scope(found)


def scopes_of_teams(platform: Platform, teams: Sequence[str]) -> list[Scope]:
    """The scopes of the teams that an option ``teams`` lists. Raises InvalidOption, and Missing as above."""
    if "" in teams:
        raise InvalidOption("teams", "an item is empty. Remove it. Without teams, your own scope is read as well.")
    return [scope_of_team(platform, team) for team in teams]


def find_team(platform: Platform, id_or_slug: str) -> Values | None:
    """The team that an option ``team`` means: the list contains only those that the user belongs to."""
    return platform.find(Team, Scope(), "team", id_or_slug) or platform.shown(Team, id_or_slug)


def read_teams(platform: Platform, options: Mapping[str, Any]) -> list[Values]:
    """The team that ``team`` names, if it exists; else all that the user belongs to, within the page options."""
    page = page_of(options)
    check_filled(options, "team")
    if options["team"] is None:
        return platform.some(Team, Scope(), page)
    found = find_team(platform, options["team"])
    return [found] if found else []


def join_team(platform: Platform, options: Mapping[str, Any], check_mode: bool) -> dict[str, Any]:
    """Join with an invite code, by a GET with side effects, unless the team is already in the caller's list. The team
    is sent as given: others cannot be looked up.
    """
    team, code, parameter = options["team"], options["invite_code"], options["invite_code_parameter"]
    check_filled(options, "team", "invite_code_parameter")

    def listed() -> Values | None:
        platform.lists.forget()
        return platform.find(Team, Scope(), "team", team)

    def join() -> Values:
        return TEAM.result(platform.api.join_team(team, {parameter: code} if code else {}))

    item, changed = listed(), False
    if item is None and check_mode:
        item, changed = dict.fromkeys(TEAM.returned), True
    elif item is None:
        item, lost = create_once(platform.api.http.retries(), join, listed)
        changed = lost is None or lost.outcome is not Outcome.REFUSED
    return {"changed": changed, "team": item, "diff": {"before": {}, "after": {"team": team} if changed else {}}}
