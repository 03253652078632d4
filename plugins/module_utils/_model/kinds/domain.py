# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains: the API lists and deletes them, and has no operation that registers one (section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ..._api.operations import Api
from ..._errors import PlatformError
from ..._text import did_you_mean
from ..fields import Field, Fields, Values, host_form, read_only
from ..kind import with_its_deletion
from ..options import SCOPE_OPTIONS, STATE_OPTION, ArgumentSpec
from ..platform import Platform
from ..resource import Resource
from ..step import Step
from .alias import Alias, lies_below
from .team import Team, read_some

DOMAIN = Fields(
    *read_only("id", "teamId"),
    Field("name", writable=True, clearable=False, form=host_form),
    *read_only("serviceType", "createdBy", "createdAt", "updatedAt", "expiresAt"),
)


class Domain(Resource):
    """A domain by name. Declaring one that is not registered is an error."""

    plural = "domains"
    singular = "domain"
    fields = DOMAIN
    name_field = "name"
    walk = staticmethod(Api.list_domains)
    form = staticmethod(host_form)
    scope_kind = Team
    argument_spec = ArgumentSpec({"name": {"type": "str", "required": True}}) | STATE_OPTION | SCOPE_OPTIONS
    touches = ("aliases",)
    goes_with: ClassVar[dict[str, Any]] = {"teams": with_its_deletion}
    removes = ("aliases",)

    # Those that are removed with the domain, once a deletion is planned.
    _aliases: Sequence[str] = ()

    def decide(self, live: Values | None) -> Step:
        if live is None and not self.wanted.is_absent:
            names = [domain["name"] for domain in self.platform.listing(Domain, self.scope)]
            raise PlatformError(
                f"name: {self.wanted.name} is not registered in {self.scope}, and the API has no operation that"
                f" registers a domain. Register it with the service first.{did_you_mean(self.wanted.name, names)}"
            )
        return super().decide(live)

    def plan(self) -> Step:
        step = super().plan()
        if step.is_deletion:
            aliases = self.platform.listing(Alias, self.scope)
            self._aliases = [alias["alias"] for alias in aliases if lies_below(alias, step.live["name"])]
        return step

    def remarks(self, _step: Step) -> Values:
        """The aliases that are removed, or were, with the domain."""
        return {"removed_aliases": list(self._aliases)}

    def delete(self, step: Step) -> None:
        self.api.delete_domain(step.live["name"], self.scope.team_id_for(step.live))


def read_domains(platform: Platform, options: Mapping[str, Any]) -> list[Values]:
    """The domain that ``name`` names, if it exists; else all of the scope within the page options."""
    return read_some(Domain, platform, options, "name")
