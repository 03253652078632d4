# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bench's results as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bench_blueprint as blueprint
import bench_inventory as inventory
import bench_loops as loops
import bench_roles as roles
from bench_loops import DEBUG, label
from bench_peer import PEER
from bench_playing import Times


@dataclass
class Measured:
    machine: str
    loops: loops.Loops
    blueprints: blueprint.Blueprints
    inventory: Times
    roles: Times

    def most(self, *, oldest: float, newer: float) -> float:
        """The goal: `debug` and `uri` take less time on the oldest ansible-core, so the same work weighs more there."""
        return oldest if "core 2.16" in self.machine else newer


@dataclass
class Goal:
    """``processor``: the same figure of processor time, which other work of the machine hardly moves."""

    work: str
    figure: float
    at_most: float | None = None
    at_least: float | None = None
    processor: float | None = None
    unit: str = "x"

    @property
    def is_reached(self) -> bool:
        return self.figure <= self.at_most if self.at_most else self.figure >= (self.at_least or 0)

    def row(self) -> tuple[str, ...]:
        limit = f"at most {self.at_most:g}" if self.at_most else f"at least {self.at_least:g}"
        processor = f"{_short(self.processor)} {self.unit}" if self.processor else ""
        verdict = "yes" if self.is_reached else "**no**"
        return (self.work, f"{_short(self.figure)} {self.unit}", processor, f"{limit} {self.unit}", verdict)


def put(page: Path, core: str, results: str) -> bool:
    """Replace the results of that ansible-core, if the page has a place for them."""
    before = page.read_text(encoding="utf-8")
    start, end = f"<!-- results of ansible-core {core} -->", "<!-- end of results -->"
    place = re.compile(f"({re.escape(start)}\n).*?({end})", re.DOTALL)
    page.write_text(place.sub(lambda found: f"{found[1]}\n{results}\n{found[2]}", before), encoding="utf-8")
    return bool(place.search(before))


def results(measured: Measured) -> str:
    """Goals first, then the figures behind them."""
    single, peaks = measured.loops, measured.blueprints.worker_peaks
    parts = [
        f"{measured.machine}.",
        _table(
            ("goal", "measured", "of processor time", "wanted", "reached"),
            (goal.row() for goal in (*_loop_goals(measured), *_other_goals(measured))),
        ),
        "Milliseconds per item of a loop, and how many times those of `debug`, without latency:",
        _loop_table(single.without_latency),
        f"The same, where every request takes {loops.LATENCY_MS} ms longer:",
        _loop_table(single.with_latency),
        f"A loop of {loops.CONNECT_SIZE}, where also every connection takes {loops.CONNECT_LATENCY_MS} ms longer:",
        _loop_table(single.with_connect_latency),
        "A whole playbook of one task, from the start of `ansible-playbook` to its end:",
        _table(
            ("task", "seconds", "x `debug`"),
            (
                (name, f"{single.whole_playbooks.median(name):.2f}", _short(single.whole_playbooks.ratio(name, DEBUG)))
                for name in single.whole_playbooks
            ),
        ),
        "The most memory that Ansible's worker had, in MB:",
        _table(
            ("task", "`debug`", "ours", "more"),
            (
                (work, f"{beside:.0f}", f"{ours:.0f}", f"{ours - beside:.0f}")
                for work, beside, ours in (
                    (
                        f"loop of {loops.MEMORY_SIZE:,} projects",
                        single.worker_peaks[DEBUG],
                        single.worker_peaks[loops.PROJECT],
                    ),
                    *(
                        (f"blueprint of {size:,} projects", peak[blueprint.DEBUG], peak[blueprint.UNCHANGED])
                        for size, peak in peaks.items()
                    ),
                )
            ),
        ),
        "One task, in seconds:",
        _table(("task", "seconds"), _seconds(measured)),
    ]
    return "\n\n".join(parts) + "\n"


def _beside(work: str, times: Times, one: str, other: str, at_most: float) -> Goal:
    return Goal(work, times.ratio(one, other), at_most=at_most, processor=times.processor_ratio(one, other))


def _loop_goals(measured: Measured) -> Iterator[Goal]:
    times, far = measured.loops.without_latency, measured.loops.with_connect_latency
    size = loops.CONNECT_SIZE
    one, hundred = ({name: label(name, count) for name in (*loops.FAST, *loops.SLOW, PEER)} for count in (1, 100))
    ours, debug, uri, created = loops.PROJECT, DEBUG, loops.URI, loops.CREATE

    most = measured.most(oldest=1.3, newer=1.1)
    yield _beside("loop of 100 unchanged projects, beside `debug`", times, hundred[ours], hundred[debug], most)
    yield Goal("the same, faster than `uri`", times.ratio(hundred[uri], hundred[ours]), at_least=50)
    if hundred[PEER] in times:
        yield Goal(f"the same, faster than `{PEER}`", times.ratio(hundred[PEER], hundred[ours]), at_least=90)
    most = measured.most(oldest=1.5, newer=1.4)
    yield _beside("one task, unchanged, beside `debug`", times, one[ours], one[debug], most)
    yield Goal("the same, faster than `uri`", times.ratio(one[uri], one[ours]), at_least=12)
    if label(PEER, size) in far:
        work = (
            f"loop of {size} unchanged at {loops.LATENCY_MS} ms, and {loops.CONNECT_LATENCY_MS} ms once a"
            f" connection, faster than `{PEER}`"
        )
        yield Goal(work, far.ratio(label(PEER, size), label(ours, size)), at_least=45)
    yield _beside("loop of 100 creations, beside `debug`", times, hundred[created], hundred[debug], 1.5)
    yield _beside("the same with a request log, beside none", times, hundred[loops.LOGGED], hundred[created], 1.02)
    as_module, empty = hundred[loops.AS_MODULE], hundred[loops.EMPTY]
    yield _beside("as a module, loop of 100, beside an empty module", times, as_module, empty, 1.8)


def _other_goals(measured: Measured) -> Iterator[Goal]:
    result = measured.blueprints
    small, large = blueprint.SIZES
    one, many = map(blueprint.with_workers, blueprint.WORKERS)
    work = f"blueprint of {small:,} unchanged projects, beside one `uri` task"
    most = measured.most(oldest=1.5, newer=0.8)
    yield _beside(work, result.side_by_side, blueprint.UNCHANGED, blueprint.URI, most)
    work = f"blueprint of {small:,} creations at {blueprint.CREATING_LATENCY_MS} ms, 8 workers faster than 1"
    yield Goal(work, result.creating.ratio(one, many), at_least=5.5)
    work = f"blueprint of {large:,} unchanged projects, beside {small:,}"
    yield _beside(work, result.by_size, blueprint.of_size(large), blueprint.of_size(small), 11)
    peak = result.worker_peaks[large]
    more = peak[blueprint.UNCHANGED] - peak[blueprint.DEBUG]
    yield Goal("the same, memory of the worker above that of `debug`", more, at_most=130, unit="MB")
    work = f"all three outputs of a converge of {roles.SIZE} changes, beside its plan"
    yield _beside(work, measured.roles, roles.OUTPUTS, roles.PLAN, 1)
    work = f"inventory of {inventory.HOSTS:,} projects, beside a static YAML file"
    yield _beside(work, measured.inventory, inventory.PLUGIN, inventory.STATIC, 0.75)


def _seconds(measured: Measured) -> Iterator[tuple[str, str]]:
    small, large = blueprint.SIZES
    result = measured.blueprints
    yield "`uri`", f"{result.side_by_side.median(blueprint.URI):.2f}"
    yield f"blueprint of {small:,} projects, unchanged", f"{result.side_by_side.median(blueprint.UNCHANGED):.2f}"
    yield f"blueprint of {large:,} projects, unchanged", f"{result.by_size.median(blueprint.of_size(large)):.2f}"
    for workers in blueprint.WORKERS:
        name = f"blueprint of {small:,} creations at {blueprint.CREATING_LATENCY_MS} ms, {workers} workers"
        yield name, f"{result.creating.median(blueprint.with_workers(workers)):.2f}"
    times = measured.roles
    yield f"plan of {roles.SIZE} changes", f"{times.median(roles.PLAN):.2f}"
    yield "its three outputs", f"{times.median(roles.OUTPUTS):.2f}"
    yield f"export of {roles.SIZE} projects in {roles.FILES} files", f"{times.median(roles.WHOLE_EXPORT):.2f}"
    for source in inventory.SOURCES:
        yield f"`ansible-inventory --list`, {source}", f"{measured.inventory.median(source):.2f}"


def _loop_table(times: Times) -> str:
    sizes = [size for size in loops.ROUNDS if label(DEBUG, size) in times]

    def cell(contender: str, size: int) -> str:
        name = label(contender, size)
        if name not in times:
            return ""
        return f"{_short(times.median(name) / size * 1000)} ms ({_short(times.ratio(name, label(DEBUG, size)))} x)"

    contenders = [name for name in (*loops.FAST, *loops.SLOW, PEER) if label(name, sizes[0]) in times]
    heads = ["one task" if size == 1 else f"{size:,} items" for size in sizes]
    return _table(["task", *heads], ([name, *(cell(name, size) for size in sizes)] for name in contenders))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


def _short(figure: float) -> str:
    """Two significant digits are all that repeated runs agree on; below ten a third shows on which side of a goal."""
    return f"{figure:.2f}" if figure < 10 else f"{figure:,.0f}"
