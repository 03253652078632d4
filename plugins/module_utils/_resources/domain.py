# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains: the API lists and deletes them, and has no operation that registers one (section 4)."""

from __future__ import annotations

import typing as t

from .._client.errors import PlatformError
from .._fields import DOMAIN, Values, host_form
from .._plan import Step, plan_absent
from ._base import Resource
from ._listing import Listing
from ._options import (
    STATE_OPTION,
    TEAM_OPTION,
    ArgumentSpec,
    page_of,
)
from ._platform import Platform, Scope, sole


class Domain(Resource):
    """A domain by name. Wanting one that is not there is an error."""

    kind = "domains"
    key = "domain"
    fields = DOMAIN
    name_field = "name"
    argument_spec: t.ClassVar[ArgumentSpec] = {"name": {"type": "str", "required": True}, **STATE_OPTION, **TEAM_OPTION}

    def __init__(self, platform: Platform, options: t.Mapping[str, t.Any]) -> None:
        super().__init__(platform, options)
        self._aliases: list[str] = []

    def match(self, items: Listing) -> Values | None:
        return sole("name", self.wanted["name"], items, {"name": host_form})

    def plan_for(self, live: Values | None) -> Step:
        if not self.is_wanted:
            return plan_absent(DOMAIN, live)
        if live is None:
            raise PlatformError(
                f"name: {self.wanted['name']} is not registered in {self.scope}, and the API has no operation that"
                " registers a domain. Register it with the service first."
            )
        return Step("none", live, live)

    def plan(self) -> Step:
        step = super().plan()
        if step.action == "delete":
            self._aliases = [alias["alias"] for alias in aliases_of(self.platform, self.scope, step.live["name"])]
        return step

    def remarks(self, _step: Step) -> Values:
        """The aliases that go, or went, with the domain."""
        return {"removed_aliases": self._aliases}

    def delete(self, step: Step) -> None:
        self.api.delete_domain(step.live["name"], self.scope.team_id_for(step.live))


def aliases_of(platform: Platform, scope: Scope, domain: str) -> list[Values]:
    """The aliases that go with a deleted domain. The API does not say which these are: those whose ``domain`` it is,
    and those that are its name or lie below it.
    """
    name = host_form(domain)

    def goes(alias: Values) -> bool:
        host = host_form(alias["alias"])
        return host_form(alias["domain"]) == name or host == name or host.endswith(f".{name}")

    return [alias for alias in platform.every("aliases", scope) if goes(alias)]


def read_domains(platform: Platform, options: t.Mapping[str, t.Any]) -> list[Values]:
    """The domain that ``name`` names, if it is there; else all of the scope within the page options."""
    page = page_of(options)
    if options["name"] is None:
        return platform.some("domains", platform.scope(options["team"]), page)
    found = Domain(platform, options).find()
    return [found] if found else []
