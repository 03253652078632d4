# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of scenarios as playbooks."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from real_modules import REAL_SCENARIOS
from scenarios import SCENARIOS, Scenario, act
from services import Service

Plays = list[dict[str, Any]]

PROBE = "hosting.platform.probe"
TABLES: dict[str, Sequence[Scenario]] = {"probe": SCENARIOS, "real": REAL_SCENARIOS, "plays": ()}
# What `make test` plays of the first: the crash after a request is among them.
TABLES["sample"] = SCENARIOS[::3]


def _play(service: Service, hosts: str, *tasks: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    environment = {
        "HOSTING_PLATFORM_BASE_URL": service.base_url,
        "HOSTING_PLATFORM_ACCESS_TOKEN": service.token,
        "HOSTING_PLATFORM_MAX_RETRY_DELAY": "0.01",
    }
    return {
        "hosts": hosts,
        "gather_facts": False,
        "environment": environment,
        "tasks": [*tasks],
        **keywords,
    }


def playbook(table: str, service: Service) -> Plays:
    """The plays of one of the tables."""
    return _task_per_scenario(TABLES[table], service) if TABLES[table] else _plays(service)


def _task_per_scenario(scenarios: Sequence[Scenario], service: Service) -> Plays:
    tasks = [scenario.as_task(number) for number, scenario in enumerate(scenarios)]
    names = (
        "{"
        + ", ".join(f"'r{number}': r{number} | default('none')" for number in range(len(tasks)))
        + "}"
    )
    keep = {
        "name": "keep",
        "ansible.builtin.copy": {
            "dest": "{{ registered_file }}",
            "content": "{{ " + names + " | to_json }}",
        },
        "check_mode": False,
        "diff": False,
        "no_log": True,
    }
    return [_play(service, "one", *tasks, keep)]


def _plays(service: Service) -> Plays:
    """Scenarios that cannot stand beside other tasks: it ends the play, or concerns several
    hosts.
    """
    task = {PROBE: act("change", "warn", name="{{ inventory_hostname }}")}
    failing = {PROBE: act("{{ 'fail' if inventory_hostname == 'one' else 'change' }}")}
    rescued = {
        "block": [{"name": "fails in a block", PROBE: act("fail")}],
        "rescue": [
            {"name": "rescues", **task},
            {"name": "says", "ansible.builtin.debug": {"var": "ansible_failed_result.msg"}},
        ],
    }
    handlers = [{"name": "handle", PROBE: act("change", "warn", name="h")}]
    local = partial(_play, service, "local")
    return [
        local(
            {"name": "free strategy", "loop": [1, 2], **task},
            name="free",
            strategy="ansible.builtin.free",
        ),
        local(
            {"name": "pinned strategy", **task},
            name="host_pinned",
            strategy="ansible.builtin.host_pinned",
        ),
        local({"name": "serial", **task}, name="serial", serial=1),
        local({"name": "throttled", "throttle": 1, **task}, name="throttle"),
        local({"name": "notifies", "notify": "handle", **task}, name="handlers", handlers=handlers),
        local(rescued, name="rescue"),
        _play(service, "localhost", {"name": "implicit localhost", **task}, name="implicit"),
        local(
            {"name": "fatal for all", **failing},
            {"name": "never reached", **task},
            name="fatal",
            any_errors_fatal=True,
        ),
    ]
