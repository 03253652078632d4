# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what stands in ROWS, and writes the table of this ansible-core into docs/performance.md:
`make bench`.
"""

import ast
import os
import re
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from emulated import running_emulator
from environments import ROOT, chosen_ansible_environment
from measuring import Bench, Seconds
from works import measure_blueprints, measure_inventory, measure_loops, measure_outputs

PAGE = ROOT / "docs/performance.md"
# Nodes of the syntax trees of the plugins, or the package, of others, counted as ours are.
SIZES = {"hetzner.hcloud 6.10.0": 89_173, "octodns 1.22.0": 59_406, "community.dns 4.1.0": 58_052}


class Row(NamedTuple):
    """A goal: ``work`` takes at most so many times as long as what is ``beside`` it; ``oldest`` on
    ansible-core 2.16.

    In the row of memory, the figures are the peak of a worker in MB, and their difference; in that
    of requests, their numbers.
    """

    work: str
    beside: str
    at_most: float
    oldest: float | None = None
    is_memory: bool = False
    is_requests: bool = False


ROWS = (
    Row("loop of 100 unchanged projects", "loop of 100 `debug`", 1.12, 1.3),
    Row("loop of 100 unchanged projects", "loop of 100 `uri`", 0.02),
    Row("one unchanged project", "one `debug`", 1.45, 1.5),
    Row("one unchanged project beside `uri`", "one `uri`", 0.08),
    Row("loop of 100 creations", "a loop of 100 `debug` beside it", 1.5, 2.5),
    Row("loop of 20 unchanged projects, as a module", "loop of 20 of an empty module", 1.6),
    Row("blueprint of 1,000 unchanged projects", "a `uri` beside it", 0.65, 1.5),
    Row("blueprint of 10,000 unchanged projects", "blueprint of 1,000 beside it", 10),
    Row(
        "blueprint of 10,000 unchanged projects", "`debug` of 10,000 projects", 130, is_memory=True
    ),
    Row(
        "creations of 1,000 projects at 20 ms, 8 workers",
        "creations of 1,000 projects at 20 ms, 1 worker",
        0.18,
    ),
    Row("creations of 1,000 projects, each with an alias", "creations of 1,000 projects", 2.2),
    Row(
        "creations of 1,000 projects, each with an alias",
        "creations of 1,000 projects",
        2.05,
        is_requests=True,
    ),
    Row("plan of 500 changes with a page, Markdown and a plan file", "plan of 500 changes", 1.5),
    Row(
        "playbook `converge` with three outputs and 60 unchanged entries",
        "playbook of one `debug`",
        1.6,
    ),
    Row("inventory of 2,000 projects", "inventory of the same hosts in a YAML file", 0.75),
)


def table(bench: Bench, core: str) -> Iterator[str]:
    yield "| work | compared with | measured | of processor time | goal | reached |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in ROWS:
        figure, processor = ratios(bench.times[row.work], bench.times[row.beside])
        if row.is_memory:
            figure = bench.peaks[row.work] - bench.peaks[row.beside]
        if row.is_requests:
            figure = bench.requests[row.work] / bench.requests[row.beside]
        unit = "MB more" if row.is_memory else "x"
        unit = "x the requests" if row.is_requests else unit
        at_most = row.oldest if row.oldest and core == "2.16" else row.at_most
        cells = (
            f"{figure:.3g} {unit}",
            "" if row.is_memory or row.is_requests else f"{processor:.3g} x",
            f"at most {at_most} {unit}",
            "yes" if figure <= at_most else "no",
        )
        yield f"| {row.work} | {row.beside} | {' | '.join(cells)} |"


def ratios(ours: list[Seconds], beside: list[Seconds]) -> tuple[float, float]:
    """Of the clock and of the processor: medians, which single slow rounds do not move."""
    clock, processor = medians(ours)
    other_clock, other_processor = medians(beside)
    return clock / other_clock, processor / other_processor


def medians(rounds: list[Seconds]) -> tuple[float, float]:
    """Of the clock and of the processor."""
    return (
        statistics.median(seconds[0] for seconds in rounds),
        statistics.median(seconds[1] for seconds in rounds),
    )


def nodes(folder: Path) -> int:
    """The nodes of the syntax trees of all Python files below a folder."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in folder.rglob("*.py")]
    return sum(len(list(ast.walk(tree))) for tree in trees)


def sizes(folder: Path) -> str:
    """A line that compares the size of our plugins with others'."""
    others = ", ".join(f"{name} {size:,}" for name, size in SIZES.items())
    return f"Syntax nodes of plugins: {nodes(folder):,} ({others})."


def put(page: str, core: str, results: str) -> str:
    """The page with these results in the place of those of the same ansible-core."""
    pattern = rf"(?<=<!-- results of ansible-core {re.escape(core)} -->\n).*?(?=<!-- end)"
    return re.sub(pattern, lambda _found: f"\n{results}\n\n", page, flags=re.DOTALL)


def main() -> None:
    tools = chosen_ansible_environment()
    with running_emulator() as emulator, tempfile.TemporaryDirectory() as folder:
        bench = Bench(tools, emulator, Path(folder))
        said = bench.run("ansible-playbook", "--version")[0]
        found = re.search(
            r"\[core ((\d+\.\d+)[\w.]+)\].*python version = ([\d.]+)", said, re.DOTALL
        )
        assert found, said
        for measure in (measure_loops, measure_blueprints, measure_outputs, measure_inventory):
            measure(bench)
    machine = (
        f"ansible-core {found[1]}, Python {found[3]}, {os.cpu_count()} processors,"
        f" {os.uname().sysname}."
    )
    results = "\n".join([machine, "", *table(bench, found[2])])
    print(results)
    print(sizes(ROOT / "plugins"))
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), found[2], results), encoding="utf-8")


if __name__ == "__main__":
    main()
