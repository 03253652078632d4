# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects and their domain records as lists: what the module `project` does not need, and so does
not read at each start of a process.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..fields import Values
from ..platform import Platform
from ..scope import Scope
from .alias_records import PROJECT_DOMAIN
from .project import Project, find_or_assume_project
from .readers import read_objects, scope_and_page


def read_projects(platform: Platform, options: Mapping[str, Any]) -> list[Values]:
    """The project that ``name`` or ``id`` names, or all of the scope within the page options."""
    return read_objects(Project, platform, options, "name", "id")


def read_project_domains(platform: Platform, options: Mapping[str, Any]) -> list[Values]:
    """The domain records of the project that an option names."""
    scope, page = scope_and_page(platform, options)
    project = find_or_assume_project(platform, scope, options["project"])
    if project["id"] is None:
        return []
    flags = {option: options[option] for option in ("production", "redirects", "verified")}
    filters = {option: str(value).lower() for option, value in flags.items() if value is not None}
    filters["order"] = options["order"]
    return domains_of(platform, scope, project, filters, **page)


def domains_of(
    platform: Platform, scope: Scope, project: Values, filters: Values | None = None, **page: Any
) -> list[Values]:
    """The domain records of a project.

    The API may require a team: without one, the project's own is sent.
    """
    team_id = scope.team_id_for(project)
    list_domains = platform.api.list_project_domains
    records = platform.read_list(
        scope, lambda: list_domains(project["id"], team_id, filters, **page)
    )
    return [PROJECT_DOMAIN.to_result(record) for record in records]
