# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases as records: their fields, which a project's domain records share.

How an alias is assigned and deleted is in `alias.py`.
"""

from __future__ import annotations

from ..._api.operations import Api
from ..fields import Field, Fields, Values, read_only
from ..kind import PATH_MINIMUM, Kind
from ..name_forms import host_forms, host_pattern_problem, host_problem, normalize_host
from .team import Team

# Of what is shown, a project's domain records have the same (section 2 of the specification).
ALIAS = Fields(
    *read_only("id", "teamId"),
    Field(
        "alias", writable=True, clearable=False, normalize=normalize_host, find_problem=host_problem
    ),
    *read_only(
        "domain",
        "zoneId",
        "target",
        "redirect",
        "redirectStatusCode",
        "createdAt",
        "updatedAt",
        "createdBy",
        "deploymentId",
        "projectId",
    ),
    Field("project", writable=True, returned=False),
)


class AliasRecords(Kind):
    """Aliases, as far as they are only read."""

    plural = "aliases"
    singular = "alias"
    fields = ALIAS
    name_field = "alias"
    is_unique_on_platform = True
    list_operation = staticmethod(Api.list_aliases)
    get_operation = staticmethod(Api.get_alias)
    path_minimum = PATH_MINIMUM
    forms = staticmethod(host_forms)
    pattern_problem = staticmethod(host_pattern_problem)
    scope_kind = Team

    @staticmethod
    def describe_loss(record: Values) -> str:
        """The API's specification shows no field that sets a redirect."""
        if not record.get("redirect"):
            return ""
        return (
            f"redirects to {record['redirect']}. It is exported without the redirect,"
            " because only service-specific parameters can set one."
        )
