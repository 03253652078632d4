# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The thirteen fields of aliases and of a project's domain records (section 2 of the specification)."""

from __future__ import annotations

from .._resources.fields import Field, Fields

DOMAIN_RECORD = (
    Field("id", "id"),
    Field("team_id", "teamId"),
    Field("alias", "alias", writable=True, clearable=False),
    Field("domain", "domain"),
    Field("zone_id", "zoneId"),
    Field("target", "target"),
    Field("redirect", "redirect"),
    Field("redirect_status_code", "redirectStatusCode"),
    Field("created_at", "createdAt"),
    Field("updated_at", "updatedAt"),
    Field("created_by", "createdBy"),
    Field("deployment_id", "deploymentId"),
    Field("project_id", "projectId"),
)
PROJECT_DOMAIN = Fields(*DOMAIN_RECORD)
