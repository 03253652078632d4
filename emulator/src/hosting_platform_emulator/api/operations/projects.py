# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects (§4)."""

from collections.abc import Mapping
from typing import Any

from ...checks import Checks, Text
from ...errors import Invalid
from ...state.resources import (
    add_project,
    move_project,
    remove_project,
    replace_own_alias,
    require_free_name,
)
from ...state.store import Condition
from ..call import Answer, Call
from ..operation import operation

ID_OR_NAME = ("id", "name")


def team_on_get(described: Checks, switches: Mapping[str, Any]) -> Checks:
    """§4 shows no query for these operations, yet says that operations acting for a team accept
    `teamId`.
    """
    return {} if switches["team_id_on_get"] == "refused" else described


def _domains_query(described: Checks, switches: Mapping[str, Any]) -> Checks:
    """`teamId` is required, except if a user's own scope has no id that could be sent."""
    return {**described, "teamId": Text(required=switches["personal_team_id"] == "id")}


@operation("POST /projects")
def create_project(call: Call) -> Answer:
    team_id = _team_of_body(call) or call.scope()
    call.require_access(team_id, write=True)
    call.require_ready(team_id)
    fields = call.named_body(name="projects", alias="aliases")
    fields.pop("teamId", None)
    require_free_name(call.platform, fields["name"], team_id)
    project = add_project(call.platform, team_id, call.caller, fields)
    return call.answer_creation("projects", project)


@operation("GET /projects")
def list_projects(call: Call) -> Answer:
    return call.answer_list("projects", call.reach_of_list())


@operation("GET /projects/{idOrName}", query=team_on_get)
def get_project(call: Call) -> Answer:
    reach = call.reach_of_get("project_on_get")
    project = call.find("projects", ID_OR_NAME, call.path["idOrName"], reach)
    return Answer(content=call.record("projects", project))


@operation("PATCH /projects/{idOrName}")
def update_project(call: Call) -> Answer:
    if call.switches["name_required_on_patch"] and "name" not in call.body:
        raise Invalid("name", "is required in the body")
    platform = call.platform
    project = call.find_to_change("projects", ID_OR_NAME, call.path["idOrName"])
    call.require_ready(project["teamId"], project["id"])
    team_id = _team_after(call, project["teamId"])
    changes = {**call.changes(name="projects", alias="aliases"), "teamId": team_id}
    name: str = changes.get("name") or project["name"]
    if (team_id, name) != (project["teamId"], project["name"]):
        require_free_name(platform, name, team_id, project["id"])
    if team_id != project["teamId"]:
        call.require_access(team_id, write=True)
        call.require_ready(team_id)
        move_project(platform, project, team_id)
    if "alias" in changes and changes["alias"] != (project["alias"] or ""):
        moved = {**project, "teamId": team_id}
        changes["alias"] = replace_own_alias(platform, moved, changes["alias"], call.caller)
    changed = platform.patch("projects", project, changes)
    return call.answer_patch("projects", project, changed)


@operation("DELETE /projects/{idOrName}")
def delete_project(call: Call) -> Answer:
    project = call.find_to_change("projects", ID_OR_NAME, call.path["idOrName"])
    remove_project(call.platform, project)
    return call.answer_deletion(call.record("projects", project))


@operation("GET /projects/{idOrName}/domains", query=_domains_query)
def list_project_domains(call: Call) -> Answer:
    project = call.find("projects", ID_OR_NAME, call.path["idOrName"], call.reach_of_list())
    records = Condition("projectId = ?", (project["id"],))
    columns = {
        "production": "production",
        "redirects": "redirect IS NOT NULL",
        "verified": "verified",
    }
    for field, column in columns.items():
        if field in call.query:
            records = records.also(f"({column}) = ?", call.query[field] == "true")
    return call.answer_list("project_domains", records, key="domains")


def _team_after(call: Call, current: str) -> str:
    """The project's team after a PATCH: whether a `teamId` moves it is not shown (§4)."""
    desired = _team_of_body(call) or current
    switch = call.switches["team_id_on_patch"]
    if switch == 400 and desired != current:
        raise Invalid("teamId", "is not the team of this project")
    return current if switch == "ignored" else desired


def _team_of_body(call: Call) -> str | None:
    """The `teamId` of a body is a team's id, not its slug."""
    return call.named_team(call.body, "teamId", ("id",), "is no team's id")
