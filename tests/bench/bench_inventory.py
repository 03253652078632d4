# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory plugin beside a static YAML file of the same hosts."""

from __future__ import annotations

import json

import yaml
from bench_playing import Bench, Times

HOSTS = 2000
ROUNDS = 5
PLUGIN = "projects plugin"
STATIC = "static YAML file"
SOURCES = {PLUGIN: "bench.hosting_platform.yml", STATIC: "static.yml"}


def measure_inventory(bench: Bench) -> Times:
    """Seconds of ansible-inventory --list."""
    projects = [{"name": f"project-{number}", "team": "acme", "framework": "astro"} for number in range(HOSTS)]
    bench.emulator.reset()
    bench.emulator.seed(teams=[{"slug": "acme"}], projects=projects)
    (bench.folder / SOURCES[PLUGIN]).write_text("plugin: hosting.platform.projects\nteams: [acme]\n")
    hosts = json.loads(bench.run("ansible-inventory", "-i", SOURCES[PLUGIN], "--list").output)["_meta"]["hostvars"]
    (bench.folder / SOURCES[STATIC]).write_text(yaml.safe_dump({"all": {"hosts": hosts}}))
    times = Times()
    for _round in range(ROUNDS):
        for what, source in SOURCES.items():
            times.add(what, bench.run("ansible-inventory", "-i", source, "--list").seconds)
    return times
