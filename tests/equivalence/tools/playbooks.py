# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of scenarios as playbooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from real_modules import REAL_SCENARIOS
from scenarios import SCENARIOS, Scenario, act
from services import Service

Plays = list[dict[str, Any]]

PROBE = "hosting.platform.probe"


def connection(service: Service) -> dict[str, str]:
    return {
        "HOSTING_PLATFORM_BASE_URL": service.base_url,
        "HOSTING_PLATFORM_ACCESS_TOKEN": service.token,
        "HOSTING_PLATFORM_MAX_RETRY_DELAY": "0.01",
    }


def probe(service: Service) -> Plays:
    return _one_by_one(SCENARIOS, service)


def real(service: Service) -> Plays:
    return _one_by_one(REAL_SCENARIOS, service)


def _one_by_one(scenarios: Sequence[Scenario], service: Service) -> Plays:
    tasks = [scenario.as_task(number) for number, scenario in enumerate(scenarios)]
    names = "{" + ", ".join(f"'r{number}': r{number} | default('none')" for number in range(len(tasks))) + "}"
    keep = {
        "name": "keep",
        "ansible.builtin.copy": {"dest": "{{ registered_file }}", "content": "{{ " + names + " | to_json }}"},
        "check_mode": False,
        "diff": False,
        "no_log": True,
    }
    return [{"hosts": "one", "gather_facts": False, "environment": connection(service), "tasks": [*tasks, keep]}]


def plays(service: Service) -> list[dict[str, Any]]:
    """Scenarios that cannot stand beside other tasks: it ends the play, or concerns several hosts."""
    common = {"gather_facts": False, "environment": connection(service)}
    task = {PROBE: act("change", "warn", name="{{ inventory_hostname }}")}
    failing = {PROBE: act("{{ 'fail' if inventory_hostname == 'one' else 'change' }}")}
    return [
        {
            "hosts": "local",
            **common,
            "name": "free",
            "strategy": "ansible.builtin.free",
            "tasks": [{"name": "free strategy", "loop": [1, 2], **task}],
        },
        {
            "hosts": "local",
            **common,
            "name": "host_pinned",
            "strategy": "ansible.builtin.host_pinned",
            "tasks": [{"name": "pinned strategy", **task}],
        },
        {"hosts": "local", **common, "name": "serial", "serial": 1, "tasks": [{"name": "serial", **task}]},
        {"hosts": "local", **common, "name": "throttle", "tasks": [{"name": "throttled", "throttle": 1, **task}]},
        {
            "hosts": "local",
            **common,
            "name": "handlers",
            "tasks": [{"name": "notifies", "notify": "handle", **task}],
            "handlers": [{"name": "handle", PROBE: act("change", "warn", name="h")}],
        },
        {
            "hosts": "local",
            **common,
            "name": "rescue",
            "tasks": [
                {
                    "block": [{"name": "fails in a block", PROBE: act("fail")}],
                    "rescue": [
                        {"name": "rescues", **task},
                        {"name": "says", "ansible.builtin.debug": {"var": "ansible_failed_result.msg"}},
                    ],
                }
            ],
        },
        {"hosts": "localhost", **common, "name": "implicit", "tasks": [{"name": "implicit localhost", **task}]},
        {
            "hosts": "local",
            **common,
            "name": "fatal",
            "any_errors_fatal": True,
            "tasks": [{"name": "fatal for all", **failing}, {"name": "never reached", **task}],
        },
    ]
