# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the inventory plugin against a static YAML file of the same hosts: bench_inventory.py [core ...]."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from emulated import Emulated, running_emulator
from environments import ansible_environment, variables
from interpreters import OLDEST_CORE, newest_core

PROJECTS = 2000
ROUNDS = 5
PLUGIN_SOURCE = "bench.hosting_platform.yml"
STATIC_SOURCE = "static.yml"


def main(cores: list[str]) -> None:
    with running_emulator() as emulator, tempfile.TemporaryDirectory() as folder:
        projects = [{"name": f"project-{number}", "team": "acme", "framework": "astro"} for number in range(PROJECTS)]
        emulator.seed(teams=[{"slug": "acme"}], projects=projects)
        for core in cores or dict.fromkeys((OLDEST_CORE, newest_core())):
            measure(core, emulator, Path(folder))


def measure(core: str, emulator: Emulated, folder: Path) -> None:
    """Run both side by side, one after the other, so that what else the machine does slows both."""
    tools = ansible_environment(core)
    connection = {"HOSTING_PLATFORM_BASE_URL": emulator.base_url, "HOSTING_PLATFORM_ACCESS_TOKEN": emulator.token}

    def listed(source: str) -> tuple[str, float, float]:
        """What is listed, and the seconds that it took: of the clock and of this process."""
        command = [str(tools / "ansible-inventory"), "-i", source, "--list"]
        used, start = os.times(), time.monotonic()
        done = subprocess.run(
            command, cwd=folder, env=variables(tools) | connection, check=True, capture_output=True, text=True
        )
        elapsed, now = time.monotonic() - start, os.times()
        cpu = now.children_user + now.children_system - used.children_user - used.children_system
        return done.stdout, elapsed, cpu

    (folder / PLUGIN_SOURCE).write_text("plugin: hosting.platform.projects\nteams: [acme]\n")
    emulator.forget_requests()
    hosts = json.loads(listed(PLUGIN_SOURCE)[0])["_meta"]["hostvars"]
    requests = len(emulator.requests)
    plain = {
        name: {key: value["__ansible_unsafe"] if isinstance(value, dict) else value for key, value in host.items()}
        for name, host in hosts.items()
    }
    (folder / STATIC_SOURCE).write_text(yaml.safe_dump({"all": {"hosts": plain}}))
    rounds = [(listed(PLUGIN_SOURCE)[1:], listed(STATIC_SOURCE)[1:]) for _round in range(ROUNDS)]
    plugin, static = (statistics.median(one[which][0] for one in rounds) for which in (0, 1))
    plugin_cpu, static_cpu = (statistics.median(one[which][1] for one in rounds) for which in (0, 1))
    print(
        f"ansible-core {core}, {len(hosts)} hosts in {requests} requests: plugin {plugin:.2f} s (CPU {plugin_cpu:.2f}),"
        f" static YAML {static:.2f} s (CPU {static_cpu:.2f}), ratio {plugin / static:.2f}"
        f" (CPU {plugin_cpu / static_cpu:.2f})",
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
