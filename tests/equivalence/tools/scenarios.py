# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keywords and settings around a module. The outcome of each must be the same, whichever way the
module ran.
"""

from typing import Any

HERE = "in the worker's own process"
PROBE = "hosting.platform.probe"


class Scenario:
    """One task: the module's options, the task's keywords, and the way it has to take when the fast
    path is on.

    ``aside``: keys of the result that are new in every run, or that only interpreter discovery
    adds.
    """

    def __init__(
        self,
        name: str,
        options: dict[str, Any],
        *,
        module: str = PROBE,
        way: str = HERE,
        aside: tuple[str, ...] = (),
        **task: Any,
    ) -> None:
        self.name = name
        self.way = way
        self.aside = aside
        self._module = {} if "local_action" in task else {module: options or None}
        self._task = task

    def as_task(self, number: int) -> dict[str, Any]:
        # `until` and `failed_when` of the scenarios call the result r.
        register = "r" if {"until", "failed_when"} & self._task.keys() else f"r{number}"
        return {
            "name": self.name,
            **self._module,
            "register": register,
            "ignore_errors": True,
            **self._task,
        }


def act(*acts: str, **options: Any) -> dict[str, Any]:
    return {"name": "thing", "act": list(acts), **options}


def python(interpreter: str) -> dict[str, Any]:
    return {"ansible_python_interpreter": interpreter}


OMIT = "{{ omit }}"
CONTROLLERS_BIN = "{{ ansible_playbook_python | dirname }}"
ASYNC: dict[str, Any] = {"async": 20}
RETRIED: dict[str, Any] = {"until": "r is success", "retries": 5, "delay": 0}
UNREACHABLE: dict[str, Any] = {"ignore_unreachable": True}
ENVIRONMENT = {
    "SEEN_A": "1 '2' \"3\" $HOME",
    "SEEN_B": True,
    "SEEN_C": 4,
    "SEEN_D": None,
    "SEEN_E": "ü",
}
ANOTHER_TOKEN = {"HOSTING_PLATFORM_ACCESS_TOKEN": "anothertokenhere"}
SWITCH = "HOSTING_PLATFORM_IN_PROCESS"
OF_THE_GROUP = {"group/hosting.platform.all": {"count": 8, "ca_path": "/x"}}
LOOP_CONTROL = {"loop_var": "thing", "index_var": "i", "extended": True, "label": "{{ thing }}!"}
BASH = {"ansible_shell_executable": "/bin/bash"}

# A process says this of its end, the worker of the exception that it has caught.
TOLD_OF_A_CRASH = ("msg", "exception", "module_stderr", "module_stdout", "rc", "invocation")
NOT_UTF_8 = act(anything="{{ lookup('ansible.builtin.env', 'NO_TEXT') }}")

SCENARIOS = [
    Scenario("unchanged", act("get")),
    Scenario("create with diff", act("change"), diff=True),
    Scenario("create in check mode", act("change", "check"), check_mode=True, diff=True),
    Scenario("task no_log", act("change", "secret"), no_log=True),
    Scenario(
        "task no_log in a loop",
        act("change", "secret", name="{{ item }}"),
        no_log=True,
        loop=[1, 2],
    ),
    Scenario("secret in the answer", act("secret")),
    Scenario("secret in a failure", act("secret_failure")),
    Scenario("secret that was asked for", act("hand_out", "secret")),
    Scenario("warning, and a failure", act("warn", "fail")),
    Scenario("logs", act("log")),
    Scenario("secret found on the way", act("secret_found")),
    Scenario("environment", act("environ"), environment=ENVIRONMENT),
    Scenario(
        "environment for a new process",
        act("environ"),
        environment={"PYTHONPATH": "/nowhere", "SEEN_A": 1},
    ),
    Scenario("environment is taken back", act("environ")),
    Scenario(
        "environment per item",
        act("environ"),
        environment={"SEEN_ITEM": "{{ item }}"},
        loop=["a", "b"],
    ),
    Scenario("environment with a token", act("get", access_token=OMIT), environment=ANOTHER_TOKEN),
    Scenario("switched off by the task", act("warn"), way=SWITCH, environment={SWITCH: False}),
    Scenario("unknown argument", act(unknown=1), way="none"),
    Scenario("bad choice", act(state="maybe"), way="none"),
    Scenario("bad type", act(count="many", flag="perhaps"), way="none"),
    Scenario("text that is none", act(name=True, tags=[1.5]), way="none"),
    Scenario("dictionary as text", act(settings="size=9")),
    Scenario("no dictionary", act(settings="9"), way="none"),
    Scenario(
        "text that is none, and a process of its own",
        act(name=True),
        way="none",
        environment={SWITCH: False},
    ),
    Scenario("required_by", {"count": 1, "name": OMIT}),
    Scenario(
        "types are converted",
        act(count="5", flag="no", tags="a,b", settings={"size": "9"}, anything=[1, "{{ 2 }}"]),
    ),
    Scenario("path is expanded", act(ca_path="~/x")),
    Scenario("text", act("unicode", name="ü \U0001f600 \u2028")),
    Scenario("text that looks like a template", act("unicode", anything="{{ '{{' }} x }}")),
    Scenario("not UTF-8", NOT_UTF_8, way="none"),
    Scenario("undefined variable", act(anything="{{ nothing_of_that_name }}"), way="none"),
    Scenario("omit", act(count=OMIT, tags=OMIT)),
    Scenario("vaulted option", act(anything="{{ vaulted }}")),
    Scenario("become", act("change"), way="become", become=True, become_method="su"),
    Scenario("async", act("change"), way="async", **ASYNC, poll=1),
    Scenario("async that is not waited for", act("change"), way="async", **ASYNC, poll=0),
    Scenario("delegated to localhost", act("change"), delegate_to="localhost"),
    Scenario("delegated to a local host", act("change"), delegate_to="two"),
    Scenario(
        "delegated to a remote host",
        act("change"),
        way="connection ssh",
        delegate_to="far",
        **UNREACHABLE,
    ),
    Scenario("local_action", {}, local_action={"module": PROBE, "name": "x"}),
    Scenario("retries until it works", act("flaky", name="u1"), **RETRIED),
    Scenario("retries in a loop", act("flaky", name="{{ item }}"), **RETRIED, loop=["u2", "u3"]),
    Scenario("retries exhausted", act("fail"), **{**RETRIED, "retries": 2}),
    Scenario("module_defaults", act("change"), module_defaults={PROBE: {"count": 7}}),
    Scenario("module_defaults of a group", act("change"), module_defaults=OF_THE_GROUP),
    Scenario("loop", act("get", "change", name="{{ item }}"), loop=["a", "b", "c"]),
    Scenario(
        "loop with everything",
        act("warn", name="{{ thing }}"),
        loop=["a", "b"],
        loop_control=LOOP_CONTROL,
    ),
    Scenario("loop over nothing", act(), way="none", loop=[]),
    Scenario("loop, one fails", act("{{ item }}"), loop=["change", "fail", "crash", "change"]),
    Scenario("skipped", act(), way="none", when=False),
    Scenario(
        "warnings stay their item's",
        act("{{ item }}", name="w{{ item }}"),
        loop=["warn", "change", "change"],
    ),
    Scenario("failed_when", act("change"), failed_when="r.changed"),
    Scenario("failed_when never", act("fail"), failed_when=False),
    Scenario("changed_when", act("change"), changed_when=False),
    Scenario("API fails", act("get_fails")),
    Scenario("unreachable server", act("unreachable")),
    Scenario(
        "crash before the first request", act("crash"), way="RuntimeError before the first request"
    ),
    Scenario("crash after a request", act("crash_after_request"), aside=TOLD_OF_A_CRASH),
    Scenario("directory", act("directory")),
    Scenario("changes directory", act("change_directory", "directory"), loop=[1, 2]),
    Scenario("keys that core treats", act("keys")),
    Scenario("timeout", act("sleep"), aside=("timedout",), timeout=8),
    Scenario(
        "timeout in a loop",
        act("{{ item }}"),
        aside=("timedout",),
        timeout=8,
        loop=["change", "sleep", "change"],
    ),
    Scenario("timeout not reached", act("change"), timeout=30),
    Scenario(
        "another interpreter", act("python"), way="interpreter", vars=python("{{ other_python }}")
    ),
    Scenario(
        "no such interpreter", act("python"), way="interpreter", vars=python("/no/such/python")
    ),
    Scenario(
        "the controller's interpreter by another name",
        act("python"),
        vars=python(f"{CONTROLLERS_BIN}/python3"),
    ),
    Scenario(
        "a discovered interpreter",
        act("change"),
        aside=("ansible_facts", "warnings"),
        vars=python("auto_silent"),
    ),
    Scenario("run_once", act("change"), run_once=True),
    Scenario(
        "short name",
        act("warn", unknown=1),
        way="none",
        module="probe",
        collections=["hosting.platform"],
    ),
    Scenario("variable params", {}, args={"act": ["change"]}),
    Scenario("another shell", act("environ"), vars=BASH, environment={"SEEN_A": "a b"}),
    Scenario("pipelining", act("change"), vars={"ansible_pipelining": True}),
    Scenario(
        "environment is a fact", act(), loop=[1], environment="{{ {'SEEN_X': item | string} }}"
    ),
]
