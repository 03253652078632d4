# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams, which are scopes: how one is found and joined, and what its writes send (section 4)."""

from __future__ import annotations

from ..._api.operations import Api
from ..._errors import PlatformError
from ..fields import Field, Fields, Values, read_only
from ..kind import PATH_MINIMUM
from ..listing import Listing
from ..options import NAMED_OPTIONS, ArgumentSpec
from ..step import Action, Step
from .named import NamedResource

TEAM = Fields(
    Field("id"),
    Field("slug", writable=True, clearable=False),
    Field("name", writable=True, max_length=256),
    Field("description", writable=True, returned=False, max_length=140),
    Field("emailDomain", writable=True, returned=False),
    *read_only("avatar", "createdBy", "createdAt", "updatedAt"),
)


class Team(NamedResource):
    """A team.

    ``description`` and ``email_domain`` are write-only: accepted on update, and never shown.
    """

    plural = "teams"
    singular = "team"
    fields = TEAM
    name_field = "slug"
    list_operation = staticmethod(Api.list_teams)
    get_operation = staticmethod(Api.get_team)
    path_minimum = PATH_MINIMUM
    argument_spec = ArgumentSpec(
        {
            **TEAM.definitions(),
            **NAMED_OPTIONS,
            "write_only_fields": {
                "type": "str",
                "choices": ["on_create", "always"],
                "default": "on_create",
            },
        },
        {"required_one_of": [("slug", "id")]},
    )
    is_in_team = False
    also_changes = ("projects", "aliases", "domains")
    write_only_options = TEAM.write_only
    lists_not_compared = True

    def with_unlisted(self, records: Listing) -> Listing:
        """The user's teams, and others of the desired slugs that a GET shows."""
        if records.where(*self.identifier):
            return records
        slugs = [slug for slug in self.desired.previous_names if not records.where("slug", slug)]
        addresses = (self.desired.id or self.desired.name, *slugs)
        unlisted = [self.platform.get(Team, address) for address in addresses]
        return records.plus(*filter(None, unlisted))

    def create(self, step: Step) -> Values:
        body = TEAM.body(TEAM.visible(step.changes))
        return TEAM.from_api(self.api.create_team(body))

    def finish_write(self, step: Step, answer: Values) -> Values:
        """Also send the write-only fields of a creation, which the API accepts only on update."""
        record = super().finish_write(step, answer)
        values = {
            option: value for option, value in step.changes.items() if option in TEAM.write_only
        }
        if not values or step.live:
            return record
        rest = Step(Action.UPDATE, record, record, values)
        try:
            return super().finish_write(rest, self.update(rest))
        except PlatformError as error:
            names = " and ".join(values)
            error.add_sentence(
                f"The team was created, but {names} could not be set. To send them, set"
                " write_only_fields: always once."
            )
            error.result = {"changed": True, self.singular: record}
            raise

    def update(self, step: Step) -> Values:
        body = TEAM.body(step.changes)
        address = self.address(step.live)
        return TEAM.from_api(self.write(self.api.update_team, address, body, about=step.live))

    def delete(self, step: Step) -> None:
        self.api.delete_team(self.address(step.live))
