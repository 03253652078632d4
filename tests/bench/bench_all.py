# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures everything, and writes docs/performance.md; with the peer, its plot. `make bench` starts it.

CORE chooses an ansible-core. BENCH_PEER=1 adds a peer's module and runs on the ansible-core that comes with it.
BENCH_FULL=1 has also what starts a process for each item loop over the longest lists.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import bench_page
import bench_plot
from bench_blueprint import measure_blueprints
from bench_inventory import measure_inventory
from bench_loops import measure_loops
from bench_peer import running_peer_service
from bench_playing import Bench, Unexpected
from bench_roles import measure_roles
from emulated import running_emulator
from environments import ROOT, chosen_ansible_environment

PAGE = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "performance.svg"


def main() -> None:
    with_peer = bool(os.environ.get("BENCH_PEER"))
    tools = chosen_ansible_environment()
    with (
        running_emulator() as emulator,
        tempfile.TemporaryDirectory() as folder,
        running_peer_service() if with_peer else nullcontext() as peer,
    ):
        bench = Bench(tools, emulator, Path(folder))
        versions = bench.run("ansible-playbook", "--version").output
        core, machine = _machine(versions)
        measured = bench_page.Measured(
            machine=machine,
            loops=measure_loops(bench, peer),
            blueprints=measure_blueprints(bench),
            inventory=measure_inventory(bench),
            roles=measure_roles(bench),
        )
    results = bench_page.results(measured)
    print(results)
    if bench_page.put(PAGE, core, results):
        print(f"Written to {PAGE.relative_to(ROOT)}.")
    if with_peer:
        PLOT.write_text(bench_plot.plot(measured.loops))
        print(f"Drawn in {PLOT.relative_to(ROOT)}.")


def _machine(versions: str) -> tuple[str, str]:
    """The ansible-core, such as 2.21, and what a reader has to know of the machine."""
    found = re.search(r"\[core ((\d+\.\d+)[\w.]+)\].*python version = ([\d.]+)", versions, re.DOTALL)
    assert found, versions
    return found[2], f"ansible-core {found[1]}, Python {found[3]}, {os.cpu_count()} processors, {os.uname().sysname}"


if __name__ == "__main__":
    try:
        main()
    except Unexpected as problem:
        sys.exit(f"The bench has stopped: {problem}")
