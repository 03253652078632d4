# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A new kind is its own file and one line of the registry: all that blueprints do follows from what
it declares.
"""

from typing import Any, ClassVar

import pytest
from blueprints import (
    actions,
    check_then_converge,
    converge,
    converge_or_result,
    export,
    refusal_message,
    refusal_without_requests,
)

from ansible_collections.hosting.platform.plugins.module_utils._model.fields import (
    Field,
    Fields,
    Values,
    is_same,
    read_only,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kind import on_deletion
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds import registry
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.options import (
    SCOPE_OPTIONS,
    STATE_OPTION,
    ArgumentSpec,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.resource import Resource
from ansible_collections.hosting.platform.plugins.module_utils._model.step import Step

STORE: list[dict[str, Any]] = []

VARIABLE = Fields(
    *read_only("id", "teamId", "projectId"),
    Field("name", writable=True, clearable=False),
    Field("value", writable=True),
    Field("project", writable=True, returned=False),
)


class Variable(Resource):
    """A variable of a project, kept in a list of this test: all but its storage is the
    collection's.
    """

    plural = "variables"
    singular = "variable"
    fields = VARIABLE
    name_field = "name"
    argument_spec = ArgumentSpec(
        {**VARIABLE.definitions(), **STATE_OPTION, **SCOPE_OPTIONS},
        {"required_one_of": [("name",)]},
    )
    references: ClassVar[Any] = {"project": Project}
    cascades_from: ClassVar[Any] = {
        "teams": on_deletion,
        "projects": lambda step, item: is_same(item["project_id"], step.live["id"]),
    }

    @staticmethod
    def list_operation(_api: Any, /, **query: Any) -> list[Values]:
        return [dict(item) for item in STORE if item["teamId"] == query["teamId"]]

    def _values_for(self, live: Values | None) -> Values:
        return {
            option: value
            for option, value in super()._values_for(live).items()
            if option != "project"
        }

    def create(self, step: Step) -> Values:
        project = self.referenced["project"]
        item = {"id": f"var_{len(STORE)}", "teamId": self.scope.team_id, "projectId": project["id"]}
        STORE.append({**item, **VARIABLE.body(step.changes)})
        return VARIABLE.to_result(STORE[-1])

    def update(self, step: Step) -> Values:
        stored = next(item for item in STORE if item["id"] == step.live["id"])
        stored.update(VARIABLE.body(step.changes))
        return VARIABLE.to_result(stored)

    def delete(self, step: Step) -> None:
        STORE[:] = [item for item in STORE if item["id"] != step.live["id"]]


@pytest.fixture
def variables(monkeypatch):
    """The kind, planted: nothing but the registry is told."""
    STORE.clear()
    monkeypatch.setitem(registry.KINDS, "variables", Variable)
    return STORE


BLUEPRINT: dict[str, Any] = {
    "teams": [{"slug": "acme"}],
    "projects": [{"name": "web", "team": "acme"}],
    "variables": [{"name": "DEBUG", "value": "1", "project": "web", "team": "acme"}],
}


@pytest.mark.usefixtures("variables")
def test_a_planted_kind_is_created_changed_pruned_exported_and_reported(emulator):
    converge(emulator.base_url, BLUEPRINT, check_mode=True)
    assert STORE == []
    created = check_then_converge(emulator.base_url, BLUEPRINT)
    assert ("variables", "DEBUG", "create") in actions(created)
    assert [item["value"] for item in STORE] == ["1"]

    changed = {**BLUEPRINT, "variables": [{**BLUEPRINT["variables"][0], "value": "0"}]}
    (row,) = [
        row for row in converge(emulator.base_url, changed)["results"] if row["kind"] == "variables"
    ]
    assert (row["action"], row["diff"]) == (
        "update",
        {"before": {"value": "1"}, "after": {"value": "0"}},
    )

    exported = export(emulator.base_url, kinds=["teams", "projects", "variables"])
    assert exported["variables"] == [
        {"name": "DEBUG", "value": "0", "project": "web", "team": "acme"}
    ]
    assert actions(converge(emulator.base_url, exported, prune=["variables"])) == []

    STORE.append({**STORE[0], "id": "var_9", "name": "FORGOTTEN"})
    shown = converge(emulator.base_url, changed)
    assert [(row["kind"], row["name"]) for row in shown["undeclared"]] == [
        ("variables", "FORGOTTEN")
    ]
    pruned = converge(emulator.base_url, changed, prune=["variables"])
    assert actions(pruned) == [("variables", "FORGOTTEN", "delete")]
    assert [item["name"] for item in STORE] == ["DEBUG"]


@pytest.mark.usefixtures("variables")
def test_a_planted_kind_stands_in_several_projects_and_teams(emulator):
    def project(name: str, team: str, *variables: str) -> dict[str, Any]:
        return {"name": name, "team": team, "variables": list(variables)}

    blueprint = {
        "teams": [{"slug": "acme"}, {"slug": "zeta"}],
        "projects": [
            project("web", "acme", "DEBUG", "LEVEL"),
            project("api", "acme", "PORT"),
            project("web", "zeta", "DEBUG"),
        ],
    }
    check_then_converge(emulator.base_url, blueprint)
    assert sorted(item["name"] for item in STORE) == ["DEBUG", "DEBUG", "LEVEL", "PORT"]
    assert len({item["projectId"] for item in STORE}) == 3
    exported = export(emulator.base_url, kinds=["teams", "projects", "variables"])
    assert actions(converge(emulator.base_url, exported, prune=["variables"])) == []
    twice = {"projects": [project("web", "acme", "DEBUG"), project("api", "acme", "DEBUG")]}
    emulator.forget_requests()
    message = refusal_without_requests(emulator, twice)
    assert message.endswith("is already declared by projects[0].variables[0] DEBUG.")


@pytest.mark.usefixtures("variables")
def test_a_planted_kind_is_guarded_and_checked(emulator):
    unknown = {"variables": [{"name": "X", "valu": "1"}]}
    assert "unknown option valu. Did you mean value?" in refusal_without_requests(emulator, unknown)
    converge(emulator.base_url, BLUEPRINT)
    emulator.forget_requests()
    gone = {"projects": [{"name": "web", "team": "acme", "state": "absent"}]}
    assert "variable DEBUG, which is protected" in refusal_message(
        emulator, gone, protect=["DEBUG"]
    )
    assert "variable DEBUG of acme" in refusal_message(emulator, gone, limits={"delete": 0})
    message = refusal_message(
        emulator, {"variables": [{"name": "X", "project": "wbe", "team": "acme"}]}
    )
    assert (
        "variables[0] X: project: wbe is not declared and does not exist in team acme. Did you"
        " mean web?" in message
    )


@pytest.mark.usefixtures("variables")
def test_an_unforeseen_failure_is_its_entry_s_and_loses_no_other(emulator, monkeypatch):
    def absurd(*_arguments):
        raise OverflowError("int too large to convert to float")

    converge(emulator.base_url, {kind: BLUEPRINT[kind] for kind in ("teams", "projects")})
    monkeypatch.setattr(Variable, "create", absurd)
    more = {**BLUEPRINT, "projects": [*BLUEPRINT["projects"], {"name": "api", "team": "acme"}]}
    failed = converge_or_result(emulator.base_url, more)
    assert (
        "variables[0] DEBUG: Unexpected OverflowError: int too large to convert to float."
        in failed["msg"]
    )
    assert actions(failed) == [("projects", "api", "create"), ("variables", "DEBUG", "create")]
    assert [row["changed"] for row in failed["results"]] == [False, False, True, False]
    assert "failure" not in failed["results"][-1]


def test_every_kind_declares_what_exists():
    for kind in registry.KINDS.values():
        others = {
            *kind.also_changes,
            *kind.cascades_from,
            *kind.documented_cascades,
            *kind.embeds.values(),
        }
        assert others <= set(registry.KINDS), kind.plural
        assert kind.name_field in kind.argument_spec.options
        assert {*kind.references, *kind.embeds} <= set(kind.argument_spec.options)
        assert ("previous_team" in kind.argument_spec.options) is kind.is_movable
        assert ("previously" in kind.argument_spec.options) is kind.is_renamable
        assert {*kind.other_identifiers} <= set(kind.argument_spec.options)
        assert all(
            registry.KINDS[embedded].is_unique_on_platform for embedded in kind.embeds.values()
        )
        assert {other.plural for other in kind.references.values()} <= set(registry.KINDS)
    assert [kind.plural for kind in registry.KINDS.values() if not kind.is_in_team] == ["teams"]
    assert all(
        kind.is_listed and "teams" in kind.cascades_from for kind in registry.prunable_kinds()
    )
