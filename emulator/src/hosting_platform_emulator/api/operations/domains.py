# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains and aliases (§4)."""

from collections.abc import Mapping
from typing import Any

from ...checks import Checks, Text
from ...description import DOMAINS_WITHOUT_LIMIT
from ...errors import Refusal
from ...state.resources import (
    add_alias,
    find_alias,
    move_alias,
    remove_alias,
    remove_domain,
    require_takeable,
)
from ..call import Answer, Call
from ..operation import operation
from .projects import team_on_get


@operation("GET /domains")
def list_domains(call: Call) -> Answer:
    return call.answer_list("domains", call.reach_of_list(), newest=DOMAINS_WITHOUT_LIMIT)


@operation("DELETE /domains/{domain}")
def delete_domain(call: Call) -> Answer:
    domain = call.find_to_change("domains", ("name",), call.path["domain"])
    remove_domain(call.platform, domain)
    return Answer(204)


@operation("GET /aliases", query=lambda described, _: {**described, "domain": Text()})
def list_aliases(call: Call) -> Answer:
    if "domain" in call.query:
        raise Refusal("The specification does not show how GET /aliases filters by domain.", 501)
    reach = call.reach_of_list()
    if "projectId" in call.query:
        reach = reach.also("projectId = ?", call.query["projectId"])
    return call.answer_list("aliases", reach)


@operation("GET /aliases/{idOrAlias}", query=team_on_get)
def get_alias(call: Call) -> Answer:
    reach = call.reach_of_get("alias_on_get")
    alias = call.find("aliases", ("id", "alias"), call.path["idOrAlias"], reach)
    return Answer(content=call.record("aliases", alias))


def _assignment(described: Checks, switches: Mapping[str, Any]) -> Checks:
    names = {"alias": switches["alias_shape"]}
    return {names.get(field, field): check for field, check in described.items()}


@operation("POST /{projectName}/alias", body=_assignment)
def assign_alias(call: Call) -> Answer:
    """Create the alias, or move it here from another project."""
    shape = call.switches["alias_shape"]
    fields = call.named_body(**{shape: "aliases"})
    alias = fields.pop(shape)
    columns = ("id", "name") if call.switches["alias_project_by"] == "id_or_name" else ("name",)
    project = call.find_to_change("projects", columns, call.path["projectName"])
    call.require_ready(project["teamId"], project["id"])
    existing = find_alias(call.platform, alias)
    if existing is None:
        record = add_alias(call.platform, project, call.caller, {"alias": alias, **fields})
    else:
        require_takeable(call.platform, existing, project, call.caller, "assignment_takes")
        record = move_alias(call.platform, existing, project, fields)
    results = {
        "record": call.record("aliases", record),
        "project": {"alias": record["alias"]},
        "empty": None,
    }
    return Answer(call.switches["create_status"], results[call.switches["alias_result"]])


@operation("DELETE /aliases/{aliasId}")
def delete_alias(call: Call) -> Answer:
    alias = call.find_to_change("aliases", ("id",), call.path["aliasId"])
    remove_alias(call.platform, alias)
    return Answer(204)
