# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains: the API lists and deletes them, and has no operation that registers one (section 4)."""

from __future__ import annotations

import functools
import typing as t

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._fields import DOMAIN, Values, is_same_host
from ansible_collections.hosting.platform.plugins.module_utils._plan import Step, plan_absent
from ansible_collections.hosting.platform.plugins.module_utils._resources._base import Resource
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import (
    Platform,
    Scope,
    ambiguous,
    page_of,
)


class Domain(Resource):
    """A domain by name. Wanting one that is not there is an error."""

    key = "domain"
    fields = DOMAIN

    def __init__(self, platform: Platform, options: t.Mapping[str, t.Any]) -> None:
        super().__init__(platform, options)
        self._aliases: list[str] = []

    @functools.cached_property
    def scope(self) -> Scope:
        return self.platform.scope(self.options["team"])

    def find(self) -> Values | None:
        return self.match(self.platform.domains(self.scope))

    def match(self, items: t.Sequence[Values]) -> Values | None:
        name = self.wanted["name"]
        matches = [item for item in items if is_same_host(item["name"], name)]
        if len(matches) > 1:
            raise ambiguous("name", name, matches)
        return matches[0] if matches else None

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
            self._aliases = self._aliases_of(step.live)
        return step

    def remarks(self, _step: Step) -> Values:
        """The aliases that go, or went, with the domain."""
        return {"removed_aliases": self._aliases}

    def delete(self, step: Step) -> None:
        self.api.delete_domain(step.live["name"], self.scope.team_id or step.live["team_id"] or None)

    def _aliases_of(self, live: Values) -> list[str]:
        aliases = self.platform.aliases(self.scope, lambda alias: is_same_host(alias["domain"], live["name"]))
        return [alias["alias"] for alias in aliases]


def read_domains(platform: Platform, options: t.Mapping[str, t.Any]) -> list[Values]:
    """The domain that ``name`` names, if it is there; else all of the scope within the page options."""
    page = page_of(options)
    scope = platform.scope(options["team"])
    if options["name"] is None:
        return platform.domains(scope, **page)
    found = Domain(platform, options).find()
    return [found] if found else []
