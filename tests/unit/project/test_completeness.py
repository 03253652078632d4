# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing is left out: the API's operations, the client's methods, the modules and their
documentation.
"""

import inspect
import re
import runpy
from importlib import import_module
from itertools import chain
from typing import Any

import pytest
import yaml
from client import make_api
from environments import ROOT
from stub_server import json_response, stub_server

from ansible_collections.hosting.platform.plugins.doc_fragments.api import ModuleDocFragment
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.options import (
    LIMITED,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias_records import (
    ALIAS,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import DOMAIN
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import PROJECT
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import (
    listed_kinds,
    prunable_kinds,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import TEAM
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import (
    TEAM_MEMBER,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.user import USER

OPERATIONS = yaml.safe_load((ROOT / "tests/operations.yml").read_text())
MODULES = {path.stem: path.read_text() for path in (ROOT / "plugins/modules").glob("*.py")}
OFFLINE = {"blueprint_validate"}  # it serves no operation
METHODS = {
    name
    for name, _method in inspect.getmembers(Api, inspect.isfunction)
    if not name.startswith("_")
}
EVERY_LIST: dict[str, list[str]] = {key: [] for key in ("projects", "teams", "domains", "aliases")}
ANSWER = json_response(
    {"id": "id_1", **EVERY_LIST, "pagination": {"count": 0, "next": None, "prev": None}}
)
BODIES = {"body": {"name": "a"}, "invite": {"inviteCode": "code"}}


def section(module: str, name: str):
    """A documentation section of a module, parsed."""
    text = re.search(rf'^{name} = r"""\n(.*?)^"""', MODULES[module], re.MULTILINE | re.DOTALL)
    assert text, f"{module} has no {name}"
    return yaml.safe_load(text[1])


def test_all_twenty_two_operations_are_in_the_table_once():
    assert len({row["operation"] for row in OPERATIONS}) == len(OPERATIONS) == 22
    assert all(row["modules"] for row in OPERATIONS)


def test_operations_and_client_methods_correspond():
    assert sorted(row["method"] for row in OPERATIONS) == sorted(METHODS)


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row["method"])
def test_the_method_sends_its_operation(row):
    method, path = row["operation"].split(" ")
    addresses = [f"a {name}" for name in re.findall(r"{(\w+)}", path)]
    parameters = inspect.signature(getattr(Api, row["method"])).parameters
    needed = [
        name
        for name, parameter in parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        and parameter.default is parameter.empty
        and name != "self"
    ]
    others = needed[len(addresses) :]
    if "body" in parameters and method in ("POST", "PATCH"):
        others = ["body"]
    with stub_server(ANSWER) as server:
        arguments = {name: BODIES.get(name, f"a {name}") for name in others}
        getattr(make_api(server.base_url), row["method"])(*addresses, **arguments)
    (request,) = server.requests
    assert request.method == method
    assert request.target.split("?")[0] == re.sub(r"{(\w+)}", r"a%20\1", path)
    assert bool(request.body) is (method in ("POST", "PATCH"))


def test_every_module_serves_an_operation_and_every_operation_a_module():
    served = set(chain.from_iterable(row["modules"] for row in OPERATIONS))
    assert served == set(MODULES) - OFFLINE


def options_of(module):
    return section(module, "DOCUMENTATION")["options"]


def comparable(options):
    """What documentation and specification both say of each option."""
    usual = {"type": "str", "elements": None, "choices": None, "default": None, "required": False}
    return {
        name: {key: option.get(key, value) for key, value in usual.items()}
        for name, option in options.items()
    }


@pytest.mark.parametrize("module", MODULES)
def test_documented_options_are_those_of_the_specification(module):
    code = import_module(f"ansible_collections.hosting.platform.plugins.modules.{module}")
    specified = code.OPTIONS if module in OFFLINE else code.MODULE.specification.options
    documentation = section(module, "DOCUMENTATION")
    documented = documentation.get("options", {})
    for fragment in documentation["extends_documentation_fragment"]:
        _namespace, _name, file, *part = fragment.split(".")
        if file == "api":
            text = getattr(ModuleDocFragment, (part or ["documentation"])[0].upper())
            documented = {**yaml.safe_load(text).get("options", {}), **documented}
    assert comparable(documented) == comparable(specified)


@pytest.mark.parametrize("module", ["project", "blueprint"])
def test_unlisted_fields_names_every_field_that_it_clears(module):
    (text, *_more) = options_of(module)["unlisted_fields"]["description"]
    assert set(re.findall(r"\b[OC]\((\w+)\)", text)) ^ set(PROJECT.resettable) == set()


def test_twelve_steps_set_every_writable_field():
    rows = runpy.run_path(str(ROOT / "tests/integration/test_resource_modules.py"))["RESOURCES"]
    options: dict[str, dict[str, Any]] = {module: {} for module, *_options in rows}
    for module, *steps in rows:
        for step in steps:
            options[module].update(step)
    writable = {"project": PROJECT, "team": TEAM, "alias": ALIAS}
    assert {
        module: set(fields.writable) - options[module].keys() for module, fields in writable.items()
    } == {module: set() for module in options}


@pytest.mark.parametrize(
    ("role", "module", "left_out"),
    [
        ("converge", "blueprint", {"team", "own_scope"}),
        ("export", "blueprint_info", {"workers"}),
    ],
)
def test_the_options_of_a_role_are_those_of_its_module(role, module, left_out):
    specifications = yaml.safe_load((ROOT / f"roles/{role}/meta/argument_specs.yml").read_text())
    options = specifications["argument_specs"]["main"]["options"]
    assert {name.removeprefix(f"{role}_") for name in options} == options_of(
        module
    ).keys() - left_out
    tasks = (ROOT / f"roles/{role}/tasks/main.yml").read_text()
    assert [
        name for name in options if f'{name.removeprefix(f"{role}_")}: "{{{{ {name}' not in tasks
    ] == []
    # Types alone: the module checks the rest, and says more about it.
    keys = set(chain.from_iterable(options.values()))
    assert keys == {"description", "type", "elements"}
    documented = options_of(module)
    # In a task they are paths. The module is given what their files say.
    documented |= {"undeclared_in": {"type": "list", "elements": "path"}}
    for name, option in options.items():
        of_module = documented[name.removeprefix(f"{role}_")]
        assert (option["type"], option.get("elements")) == (
            of_module["type"],
            of_module.get("elements"),
        ), name


def test_documented_default_of_a_role_is_the_one_that_it_uses():
    """It stands in words, as core would refuse null for an option with a default."""
    (login,) = (ROOT / "roles").glob("*/defaults/main.yml")
    specifications = yaml.safe_load((login.parents[1] / "meta/argument_specs.yml").read_text())
    options = specifications["argument_specs"]["main"]["options"]
    (default,) = re.findall(r"By default (\d+)", str(options["login_wait_timeout"]["description"]))
    assert yaml.safe_load(login.read_text()) == {"login_wait_timeout": int(default)}
    assert [name for name, option in options.items() if "default" in option] == []


def test_the_choices_of_options_are_those_of_the_registry():
    options = options_of("blueprint")
    exported = options_of("blueprint_info")["kinds"]
    assert options["prune"]["choices"] == [kind.plural for kind in prunable_kinds()]
    assert list(options["limits"]["suboptions"]) == list(LIMITED)
    assert exported["choices"] == [kind.plural for kind in listed_kinds()]
    assert set(exported["default"]) <= set(exported["choices"])


RETURNED = {
    "project": ("project", PROJECT.returned),
    "project_info": ("projects", PROJECT.returned),
    "project_domain_info": ("domains", ALIAS.returned),
    "team": ("team", TEAM.returned),
    "team_info": ("teams", TEAM.returned),
    "team_join": ("team", TEAM.returned),
    "team_member": ("team_member", (*TEAM_MEMBER.returned, "role", "user_id")),
    "domain": ("domain", DOMAIN.returned),
    "domain_info": ("domains", DOMAIN.returned),
    "alias": ("alias", ALIAS.returned),
    "alias_info": ("aliases", (*ALIAS.returned, "project")),
    "user_info": ("user", USER.returned),
}


@pytest.mark.parametrize("module", RETURNED)
def test_the_documented_fields_are_those_of_the_table(module):
    key, fields = RETURNED[module]
    documented = section(module, "RETURN")[key]["contains"]
    assert sorted(documented) == sorted(fields)
