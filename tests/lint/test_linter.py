# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ansible-lint says of the options of this collection's modules, in a playbook of a user."""

import json
import subprocess
from pathlib import Path
from typing import Any

import yaml
from environments import development_environment, variables

Tasks = dict[str, dict[str, Any]]
MEMBER = {"team": "acme", "email": "ada@example.com"}
WRONG: Tasks = {
    "framwork is not an option. Did you mean framework?": {
        "project": {"name": "shop", "framwork": "hugo"}
    },
    "role: must be one of OWNER, MEMBER, DEVELOPER, BILLING, VIEWER, CONTRIBUTOR, not ADMIN.": {
        "team_member": {**MEMBER, "role": "ADMIN"}
    },
    "one of the following is required: name, id.": {"project": {"framework": "hugo"}},
    "state is present but all of the following are missing: project.": {
        "alias": {"alias": "www.example.com"}
    },
    "email is required.": {"login_request": {"token_name": "job"}},
    "name must be text, and is a boolean. Quote it.": {"team": {"slug": "acme", "name": True}},
    "These options are mutually exclusive: name|id.": {"project_info": {"name": "a", "id": "b"}},
    "limits.creat is not an option. Did you mean create?": {
        "blueprint": {"directory": "blueprint", "limits": {"creat": 1, "delete": "{{ most }}"}}
    },
    "layot is not an option. Did you mean layout?": {
        "blueprint_info": {"undeclared_in": "live", "layot": "teams"}
    },
    "template is not an option. Did you mean templates?": {
        "blueprint_validate": {"directory": "a", "template": True}
    },
}
# Connection options and teams may come from the environment or from module_defaults.
RIGHT: list[dict[str, Any]] = [
    {"user_info": {}},
    {"project": {"name": "shop"}},
    {
        "project": {
            "name": "shop",
            "state": "{{ state }}",
            "team": "{{ team }}",
            "previously": ["{{ name }}"],
        }
    },
    {"alias": {"alias": "www.example.com", "state": "{{ state }}"}},
    {"team_member": {**MEMBER, "role": "{{ role }}"}},
    {"project_info": {"name": "{{ name | default(omit) }}", "id": "prj_17"}},
    {
        "blueprint": {
            "directory": "blueprint",
            "prune": "projects,aliases",
            "limits": "{{ limits }}",
        }
    },
    {"blueprint": {"blueprint": {"projects": "{{ projects }}"}, "approved": "plan.json"}},
    {"project": "{{ options }}"},
]


def lint(folder: Path, tasks: list[dict[str, Any]]) -> list[str]:
    """The messages of the rule ``args`` about these tasks."""
    playbook = [{"name": "A play", "hosts": "localhost", "gather_facts": False, "tasks": tasks}]
    (folder / "site.yml").write_text(yaml.safe_dump(playbook, sort_keys=False))
    bin_folder = development_environment()
    options = ["--offline", "--format=json", "--enable-list=args", "--project-dir=.", "site.yml"]
    done = subprocess.run(
        [bin_folder / "ansible-lint", *options],
        cwd=folder,
        env=variables(bin_folder),
        check=False,
        text=True,
        capture_output=True,
    )
    found = json.loads(done.stdout)
    return [problem["description"] for problem in found if problem["check_name"] == "args[module]"]


def named(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for number, task in enumerate(tasks):
        modules = {f"hosting.platform.{module}": options for module, options in task.items()}
        result.append({"name": f"Task {number}", **modules})
    return result


def test_wrong_options_are_found(tmp_path: Path) -> None:
    found = lint(tmp_path, named(list(WRONG.values())))
    assert sorted(found) == sorted(WRONG)


def test_right_options_and_templates_are_not(tmp_path: Path) -> None:
    assert lint(tmp_path, named(RIGHT)) == []
