# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains (section 4): the API lists and deletes them, and cannot register one."""

from __future__ import annotations

from types import MappingProxyType

from ..._api.operations import Api
from ..fields import Field, Fields, read_only
from ..kind import Desired, on_deletion
from ..name_forms import host_forms, host_pattern_problem, host_problem, normalize_host
from ..options import SCOPE_OPTIONS, STATE_OPTION, ArgumentSpec
from ..resource import Resource
from ..step import Step
from .team import Team

DOMAIN = Fields(
    *read_only("id", "teamId"),
    Field(
        "name", writable=True, clearable=False, normalize=normalize_host, find_problem=host_problem
    ),
    *read_only("serviceType", "createdBy", "createdAt", "updatedAt", "expiresAt"),
)


class Domain(Resource):
    """A domain by name. Declaring one that is not registered is an error."""

    plural = "domains"
    singular = "domain"
    fields = DOMAIN
    name_field = "name"
    list_operation = staticmethod(Api.list_domains)
    forms = staticmethod(host_forms)
    pattern_problem = staticmethod(host_pattern_problem)
    scope_kind = Team
    argument_spec = ArgumentSpec(
        {"name": {"type": "str", "required": True}, **STATE_OPTION, **SCOPE_OPTIONS}
    )
    also_changes = ("aliases",)
    cascades_from = MappingProxyType({"teams": on_deletion})
    documented_cascades = ("aliases",)

    @staticmethod
    def is_creatable(_desired: Desired) -> bool:
        """False: the API has no operation that registers a domain."""
        return False

    def describe_missing(self) -> str:
        name = str(self.desired.name)
        return (
            f"name: {name} is not registered in {self.scope}, and the API cannot register"
            " domains. Register it with the service first."
            f"{self.platform.suggest(Domain, self.scope, name)}"
        )

    def delete(self, step: Step) -> None:
        self.api.delete_domain(step.live["name"], team_id=self.scope.team_id_for(step.live))
