# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The works that the bench measures: loops, blueprints, outputs and an inventory."""

import json

import yaml
from measuring import ROUNDS, Bench, Task

TEAM = "acme"
# What takes tenths of seconds, and seconds.
SOME = 5
FEW = 3


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
        ("inventory of the same hosts in a YAML file", "static.yml"),
    ):
        commands[name] = ("ansible-inventory", "-i", file, "--list")
    (bench.folder / "bench.hosting_platform.yml").write_text(
        f"plugin: hosting.platform.projects\nteams: [{TEAM}]\n"
    )
    listed, _seconds = bench.run(*commands["inventory of 2,000 projects"])
    static = {"all": {"hosts": json.loads(listed)["_meta"]["hostvars"]}}
    (bench.folder / "static.yml").write_text(yaml.safe_dump(static))
    bench.race(commands, FEW)
