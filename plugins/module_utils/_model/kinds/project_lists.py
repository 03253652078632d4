# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain records of projects, and aliases as lists: what the modules `project` and `alias` do
not need, and so do not read at each start of a process.
"""

from __future__ import annotations

import functools
from typing import Any

from ..fields import Field, Fields, Values
from ..missing import find_or_assume
from ..name_forms import host_problem, is_same_host
from ..options import Options
from ..platform import Platform
from ..scope import Scope
from .alias_records import ALIAS, AliasRecords
from .project import Project, project_name
from .readers import scope_and_page

# Options of alias_info.
HOST_FILTERS = Fields(
    *(
        Field(option, writable=True, clearable=False, find_problem=host_problem)
        for option in ("alias", "domain")
    )
)


def read_project_domains(platform: Platform, options: Options) -> list[Values]:
    """The domain records of the project that an option names."""
    scope, page = scope_and_page(platform, options)
    project = find_or_assume(platform, Project, scope, options["project"])
    if project["id"] is None:
        return []
    filters = {
        option: str(options[option]).lower()
        for option in ("production", "redirects", "verified")
        if options[option] is not None
    }
    return domains_of(platform, scope, project, **filters, order=options["order"], **page)


def domains_of(platform: Platform, scope: Scope, project: Values, **query: Any) -> list[Values]:
    """The domain records of a project.

    The API may require a team: without one, the project's own is sent.
    """
    team_id = scope.team_id_for(project)
    records = platform.read_list(
        scope,
        lambda: platform.api.list_project_domains(project["id"], teamId=team_id, **query),
    )
    return [ALIAS.to_result(record) for record in records]


def read_aliases(platform: Platform, options: Options) -> list[Values]:
    """The alias that ``alias`` names, if it exists; else all that match the other options, within
    the page options.

    Each also holds ``project``, the name of its project.
    """
    HOST_FILTERS.check(options)
    platform = platform.with_task_cache()
    scope, page = scope_and_page(platform, options)
    if options["alias"] is not None:
        match = platform.find(AliasRecords, scope, options["alias"])
        found = [match] if match else []
    else:
        found = _list_aliases(platform, scope, options, page)

    @functools.cache
    def name_of(project_id: str) -> str | None:
        return project_name(platform, scope, project_id)

    return [{**alias, "project": name_of(str(alias["project_id"] or ""))} for alias in found]


def _list_aliases(
    platform: Platform, scope: Scope, options: Options, page: Options
) -> list[Values]:
    """The aliases of a project, or of all, and perhaps of one domain: the service's own filter for
    a domain is not specified.
    """
    query = page
    if options["project"] is not None:
        project = find_or_assume(platform, Project, scope, options["project"])
        if project["id"] is None:
            return []
        query = {"projectId": project["id"], **page}
    domain = options["domain"]
    if domain is None:
        return platform.list_page(AliasRecords, scope, query)
    aliases = platform.list_page(AliasRecords, scope, {**query, "limit": None})
    matching = [alias for alias in aliases if is_same_host(alias["domain"], domain)]
    return matching[: page["limit"]]
