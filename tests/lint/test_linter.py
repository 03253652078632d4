# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ansible-lint says of the options of this collection's modules, in a playbook of a user, and
that nothing is sent for it.
"""

import json
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from environments import development_environment, variables

Tasks = dict[str, dict[str, Any]]
MEMBER = {"team": "acme", "email": "ada@example.com"}
# Each message begins so, and continues with what there is.
WRONG: Tasks = {
    "Unsupported parameters for (basic.py) module: framwork.": {
        "project": {"name": "shop", "framwork": "hugo"}
    },
    "value of role must be one of: OWNER, MEMBER, DEVELOPER": {
        "team_member": {**MEMBER, "role": "ADMIN"}
    },
    "one of the following is required: name, id": {"project": {"framework": "hugo"}},
    "state is present but all of the following are missing: project": {
        "alias": {"alias": "www.example.com"}
    },
    "missing required arguments: email": {"login_request": {"token_name": "job"}},
    "Unsupported parameters for (basic.py) module: limits.creat.": {
        "blueprint": {"directory": "blueprint", "limits": {"creat": 1, "delete": "{{ most }}"}}
    },
    "Unsupported parameters for (basic.py) module: layot.": {
        "blueprint_info": {"undeclared_in": "live", "layot": "teams"}
    },
    "Unsupported parameters for (basic.py) module: directry.": {
        "blueprint_validate": {"directory": "blueprint", "directry": "b"}
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
            "timeout": "{{ seconds }}",
        }
    },
    {"alias": {"alias": "www.example.com", "state": "{{ state }}"}},
    {"team_member": {**MEMBER, "role": "{{ role }}"}},
    {"project_info": {"name": "{{ name | default(omit) }}", "id": "prj_17"}},
    {"blueprint": {"directory": "blueprint", "prune": "projects,aliases", "limits": "{{ most }}"}},
    {"blueprint": {"directory": "blueprint", "limits": {"delete": "{{ most }}"}}},
    {"blueprint": {"blueprint": {"projects": "{{ projects }}"}, "approved": "plan.json"}},
]
TASKS = [*WRONG.values(), *RIGHT]


@pytest.fixture(scope="module")
def service() -> Iterator[socket.socket]:
    """A service that answers nobody, and whoever connects to it stays in its queue."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def environment(service: socket.socket) -> dict[str, str]:
    port = service.getsockname()[1]
    return {
        **variables(development_environment()),
        "HOSTING_PLATFORM_ACCESS_TOKEN": "a-token-of-the-user",
        "HOSTING_PLATFORM_BASE_URL": f"http://127.0.0.1:{port}",
    }


def was_called(service: socket.socket) -> bool:
    return bool(select.select([service], [], [], 0)[0])


@pytest.fixture(scope="module")
def lint_messages(
    tmp_path_factory: pytest.TempPathFactory, service: socket.socket
) -> dict[str, str]:
    """What the rule ``args`` says, by the name of the task."""
    folder = tmp_path_factory.mktemp("lint")
    tasks = []
    for number, task in enumerate(TASKS):
        ((module, options),) = task.items()
        tasks.append({"name": f"Task {number}", f"hosting.platform.{module}": options})
    playbook = [{"name": "A play", "hosts": "localhost", "gather_facts": False, "tasks": tasks}]
    text = yaml.safe_dump(playbook, sort_keys=False)
    (folder / "site.yml").write_text(text)
    command = ["ansible-lint", "--offline", "--format=json", "--project-dir=.", "site.yml"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(service),
        check=False,
        text=True,
        capture_output=True,
    )
    lines = text.splitlines()
    return {
        lines[problem["location"]["lines"]["begin"] - 1].rpartition("name: ")[2]: problem[
            "description"
        ]
        for problem in json.loads(done.stdout)
        if problem["check_name"] == "args[module]"
    }


def test_wrong_options_are_found_and_templates_are_not(lint_messages: dict[str, str]) -> None:
    assert list(lint_messages) == [f"Task {number}" for number in range(len(WRONG))]
    for beginning, message in zip(WRONG, lint_messages.values(), strict=True):
        assert message.startswith(beginning)


@pytest.mark.usefixtures("lint_messages")
def test_the_linter_sends_no_request(service: socket.socket) -> None:
    """Not even where the linter does not replace AnsibleModule in time."""
    assert not was_called(service)
    plugin = "ansible_collections.hosting.platform.plugins.action.user_info"
    done = subprocess.run(
        [sys.executable, "-c", f"from {plugin} import main; main(); print('judged')"],
        input=json.dumps({"ANSIBLE_MODULE_ARGS": {}}),
        env=environment(service),
        check=True,
        text=True,
        capture_output=True,
    )
    assert done.stdout == "judged\n"
    assert not was_called(service)
