# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what stands in ROWS, and writes the table of this ansible-core into docs/performance.md:
`make bench`.
"""

import ast
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from emulated import ControlledEmulator, running_emulator
from environments import ROOT, chosen_ansible_environment, variables

PAGE = ROOT / "docs/performance.md"
PLUGINS = Path(__file__).with_name("bench_plugins")
TEAM = "acme"
ROUNDS = 15
# What takes tenths of seconds, and seconds.
SOME = 5
FEW = 3
Task = dict[str, Any]
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


class Seconds(NamedTuple):
    """What something took: seconds of the clock, and of processors, which other work of the machine
    hardly moves.
    """

    clock: float
    processor: float


class Bench:
    """``times``: what each work took, round after round; ``peaks``: MB that its largest
    worker had; ``requests``: how many it sent.
    """

    def __init__(self, tools: Path, emulator: ControlledEmulator, folder: Path) -> None:
        self.emulator = emulator
        self.folder = folder
        self.times: dict[str, list[Seconds]] = {}
        self.peaks: dict[str, float] = {}
        self.requests: dict[str, int] = {}
        self._tools = tools
        self._environment = {
            **variables(tools),
            "HOSTING_PLATFORM_BASE_URL": emulator.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN": emulator.token,
            "ANSIBLE_LIBRARY": str(PLUGINS / "modules"),
            "ANSIBLE_CALLBACK_PLUGINS": str(PLUGINS / "callback"),
            "ANSIBLE_STDOUT_CALLBACK": "timing",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "TIMING_FILE": str(folder / "times.jsonl"),
        }

    def play(self, tasks: Mapping[str, Task], rounds: int, **extra_vars: Any) -> None:
        """Play the tasks of one playbook in turns: what else the machine does hits all alike."""
        named = [{"name": name, **task} for name, task in tasks.items()] * rounds
        interpreter = {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        play = {"hosts": "localhost", "gather_facts": False, "vars": interpreter, "tasks": named}
        (self.folder / "playbook.yml").write_text(yaml.safe_dump([play], sort_keys=False))
        (self.folder / "vars.json").write_text(json.dumps(extra_vars))
        (self.folder / "times.jsonl").unlink(missing_ok=True)
        self.run("ansible-playbook", "playbook.yml", "--extra-vars", "@vars.json")
        *lines, last = map(json.loads, (self.folder / "times.jsonl").read_text().splitlines())
        for line in lines:
            assert line["changed"] is line["task"].startswith(
                ("loop of 100 creations", "creations", "plan")
            ), line
            self._add(line["task"], Seconds(line["seconds"], line["processor_seconds"]))
        self.peaks |= dict.fromkeys(tasks, last["worker_peak"] / 1024)

    def race(self, commands: Mapping[str, tuple[str, ...]], rounds: int = ROUNDS) -> None:
        """Run whole commands in turns, from their start to their end."""
        for _round in range(rounds):
            for name, command in commands.items():
                self._add(name, self.run(*command)[1])

    def run(self, program: str, *arguments: str) -> tuple[str, Seconds]:
        used = os.times()
        start = time.perf_counter()
        command: list[str | Path] = [self._tools / program, *arguments]
        where: dict[str, Any] = {"cwd": self.folder, "env": self._environment}
        done = subprocess.run(command, **where, check=False, capture_output=True, text=True)
        clock = time.perf_counter() - start
        now = os.times()
        if done.returncode:
            sys.exit(f"The bench has stopped: {done.stdout}\n{done.stderr}")
        processor = (
            now.children_user + now.children_system - used.children_user - used.children_system
        )
        return done.stdout, Seconds(clock, processor)

    def _add(self, name: str, seconds: Seconds) -> None:
        self.times.setdefault(name, []).append(seconds)


def projects(size: int, framework: str = "astro", team: str = TEAM) -> list[dict[str, str]]:
    return [
        {"name": f"project-{number}", "team": team, "framework": framework}
        for number in range(size)
    ]


def begin(bench: Bench, size: int) -> None:
    """The platform holds one team with so many projects."""
    bench.emulator.reset()
    add_team(bench, TEAM, projects(size))


def add_team(bench: Bench, slug: str, holding: list[dict[str, str]] | None = None) -> None:
    bench.emulator.seed(teams=[{"slug": slug}], projects=holding or [])


def uri(bench: Bench, project: str) -> Task:
    """The task of core that gets one project, and compares nothing."""
    headers = {"Authorization": f"Bearer {bench.emulator.token}"}
    return {
        "ansible.builtin.uri": {
            "url": f"{bench.emulator.base_url}/projects/{project}",
            "headers": headers,
        }
    }


def measure_loops(bench: Bench) -> None:
    begin(bench, 100)

    def contenders(item: str) -> tuple[Task, Task]:
        name = f"project-{item}"
        return (
            {"hosting.platform.project": {"name": name, "team": TEAM, "framework": "astro"}},
            {"ansible.builtin.debug": {"msg": name}},
        )

    project, debug = contenders("0")
    bench.play({"one unchanged project": project, "one `debug`": debug}, ROUNDS)
    # In a play of its own: what follows a process that others have started is slower.
    beside = {
        "one unchanged project beside `uri`": project,
        "one `uri`": uri(bench, "project-0"),
    }
    bench.play(beside, SOME)

    project, debug = contenders("{{ item }}")
    hundred, twenty = ({"loop": f"{{{{ range({size}) | list }}}}"} for size in (100, 20))
    loops = {
        "loop of 100 unchanged projects": {**project, **hundred},
        "loop of 100 `debug`": {**debug, **hundred},
    }
    bench.play(loops, ROUNDS)
    bench.play({"loop of 100 `uri`": {**uri(bench, "project-{{ item }}"), **hundred}}, 1)

    for number in range(SOME):
        # In a new team each time, so that the list of projects is as short for the last creation as
        # for the first.
        team = f"new-{number}"
        add_team(bench, team)
        creations = {
            "hosting.platform.project": {"name": "new-{{ item }}", "team": team},
            **hundred,
        }
        loops = {
            "loop of 100 creations": creations,
            "a loop of 100 `debug` beside it": {**debug, **hundred},
        }
        bench.play(loops, 1)

    as_module = {**project, **twenty, "environment": {"HOSTING_PLATFORM_IN_PROCESS": "false"}}
    empty = {"empty": {"name": "project-{{ item }}"}, **twenty}
    named = ("loop of 20 unchanged projects, as a module", "loop of 20 of an empty module")
    bench.play(dict(zip(named, (as_module, empty), strict=True)), FEW)


def measure_blueprints(bench: Bench) -> None:
    def blueprint_of(variable: str) -> Task:
        return {"hosting.platform.blueprint": {"blueprint": f"{{{{ {variable} }}}}"}}

    begin(bench, 1_000)
    thousand = {
        "blueprint of 1,000 unchanged projects": blueprint_of("wanted"),
        "a `uri` beside it": uri(bench, "project-0"),
    }
    bench.play(thousand, SOME, wanted={"projects": projects(1_000)})

    large = {"projects": projects(10_000, team="large")}
    add_team(bench, "large", large["projects"])
    given = {"large": large, "small": {"projects": projects(1_000)}}
    beside = {
        "blueprint of 10,000 unchanged projects": "large",
        "blueprint of 1,000 beside it": "small",
    }
    bench.play({name: blueprint_of(variable) for name, variable in beside.items()}, SOME, **given)
    debug = {"ansible.builtin.debug": {"msg": "{{ large | length }}"}}
    bench.play({"`debug` of 10,000 projects": debug}, 1, **given)

    bench.emulator.reset()
    bench.emulator.switch(latency_ms=20)
    for workers, name in ((8, "8 workers"), (1, "1 worker")):
        team = f"team-{workers}"
        add_team(bench, team)
        options = {"blueprint": "{{ wanted }}", "workers": workers}
        task = {
            f"creations of 1,000 projects at 20 ms, {name}": {"hosting.platform.blueprint": options}
        }
        bench.play(task, 1, wanted={"projects": projects(1_000, team=team)})
    bench.emulator.switch(latency_ms=0)

    plain = projects(1_000, team="plain")
    aliased = [
        {**project, "alias": f"{project['name']}.example.com"}
        for project in projects(1_000, team="aliased")
    ]
    wanted = {
        "creations of 1,000 projects": plain,
        "creations of 1,000 projects, each with an alias": aliased,
    }
    for name, entries in wanted.items():
        add_team(bench, entries[0]["team"])
        bench.emulator.forget_requests()
        bench.play({name: blueprint_of("wanted")}, 1, wanted={"projects": entries})
        sent = bench.emulator.requests()
        bench.requests[name] = len(sent) + sent.forgotten


def measure_outputs(bench: Bench) -> None:
    outputs = {"report": "report.html", "markdown": "report.md", "plan": "plan.json"}
    begin(bench, 500)
    plan = {"hosting.platform.blueprint": {"blueprint": "{{ wanted }}"}, "check_mode": True}
    told = {
        "hosting.platform.blueprint": {"blueprint": "{{ wanted }}", **outputs},
        "check_mode": True,
    }
    tasks = {
        "plan of 500 changes": plan,
        "plan of 500 changes with a page, Markdown and a plan file": told,
    }
    bench.play(tasks, ROUNDS, wanted={"projects": projects(500, "vite")})

    begin(bench, 60)
    (bench.folder / "blueprint").mkdir()
    (bench.folder / "blueprint/projects.yml").write_text(yaml.safe_dump(projects(60)))
    debug = {
        "hosts": "localhost",
        "gather_facts": False,
        "tasks": [{"ansible.builtin.debug": {"msg": "Hello"}}],
    }
    (bench.folder / "debug.yml").write_text(yaml.safe_dump([debug]))
    given = {
        "converge_directory": "blueprint",
        **{f"converge_{name}": file for name, file in outputs.items()},
    }
    converge = (
        "ansible-playbook",
        "hosting.platform.converge",
        "--check",
        "--extra-vars",
        json.dumps(given),
    )
    names = (
        "playbook `converge` with three outputs and 60 unchanged entries",
        "playbook of one `debug`",
    )
    bench.race(dict(zip(names, (converge, ("ansible-playbook", "debug.yml")), strict=True)))


def measure_inventory(bench: Bench) -> None:
    begin(bench, 2_000)
    commands = {}
    for name, file in (
        ("inventory of 2,000 projects", "bench.hosting_platform.yml"),
        (ROWS[-1].beside, "static.yml"),
    ):
        commands[name] = ("ansible-inventory", "-i", file, "--list")
    (bench.folder / "bench.hosting_platform.yml").write_text(
        f"plugin: hosting.platform.projects\nteams: [{TEAM}]\n"
    )
    listed, _seconds = bench.run(*commands["inventory of 2,000 projects"])
    static = {"all": {"hosts": json.loads(listed)["_meta"]["hostvars"]}}
    (bench.folder / "static.yml").write_text(yaml.safe_dump(static))
    bench.race(commands, FEW)


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
