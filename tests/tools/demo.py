# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make demo: the collection at work, with nothing but this machine."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import time

from emulator_process import emulator
from environments import CACHE, ROOT, demo_environment, variables
from interpreters import NoPython

INVENTORY = ("-i", "examples/demo/inventory.yml")
PLAY = ("ansible-playbook", *INVENTORY, "examples/demo/site.yml")
EDIT = ("--extra-vars", '{"storefront_name": "Online shop"}')
# What somebody does by hand, behind the blueprint's back.
BY_HAND = (
    "team=storefront name=cart framework=hugo",
    "team=media name=travel state=absent",
    "team=media name=experiment",
)
REPORT = CACHE / "demo" / "report.html"
MARKDOWN = CACHE / "demo" / "report.md"
DRIFT = ("ansible-playbook", *INVENTORY, "hosting.platform.converge", "--check")


class Surprise(Exception):
    """The demo did not go as it should."""


def main() -> None:
    # So that the emulator is stopped by whatever stops the demo.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    heading("Getting ready", "Ansible and an emulator of the platform are installed under .cache, if they are not yet.")
    tools = demo_environment()
    token = secrets.token_hex(20)
    with emulator(tools, token) as base_url:
        print(f"The emulator listens on {base_url}.")
        environment = variables(
            tools,
            HOSTING_PLATFORM_BASE_URL=base_url,
            HOSTING_PLATFORM_ACCESS_TOKEN=token,
            ANSIBLE_DISPLAY_OK_HOSTS="false",
        )
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            environment["ANSIBLE_FORCE_COLOR"] = "true"

        heading(
            "First run", "The platform is empty. The playbook wants two teams and twenty projects: it creates them."
        )
        play(environment, PLAY, tasks_changed=2)

        heading("Second run", "All of it is there: nothing changes. (What is as it should be is not listed.)")
        play(environment, PLAY, tasks_changed=0)

        heading(
            "An edit, looked at first",
            "A team gets another name. --check --diff shows what would change, and leaves it.",
        )
        play(environment, (*PLAY, "--check", "--diff", *EDIT), tasks_changed=1)

        heading(
            "Drift",
            "A blueprint declares the same platform. Somebody changes three things by hand, and a check finds them.",
        )
        for change in BY_HAND:
            play(environment, ("ansible", *INVENTORY, "localhost", "-m", "hosting.platform.project", "-a", change))
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        files = (
            "-e",
            "converge_directory=examples/demo/blueprint",
            "-e",
            f"converge_report={REPORT.relative_to(ROOT)}",
            "-e",
            f"converge_markdown={MARKDOWN.relative_to(ROOT)}",
        )
        # Its last line says what has drifted.
        environment |= {"ANSIBLE_DISPLAY_OK_HOSTS": "true", "ANSIBLE_DISPLAY_SKIPPED_HOSTS": "false"}
        play(environment, (*DRIFT, *files), tasks_changed=1)
        print(f"\nThe report is a page for your browser: {REPORT.as_uri()}")

        if os.environ.get("KEEP"):
            heading("The emulator's page", f"{base_url}/_emulator/ shows what is there. Enter stops the emulator.")
            sys.stdin.readline()

    heading(
        "Done",
        "The emulator is stopped. The playbook is examples/demo/site.yml, the blueprint examples/demo/blueprint;"
        " README.md tells how to go on.",
    )


def heading(title: str, explanation: str) -> None:
    print(f"\n=== {title} ===\n{explanation}\n", flush=True)


def play(environment: dict[str, str], command: tuple[str, ...], tasks_changed: int | None = None) -> None:
    print(f"$ {shlex.join(command)}", flush=True)
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, text=True, stdout=subprocess.PIPE)
    print(done.stdout.strip() if command[0] == "ansible-playbook" else done.stdout.partition(" => ")[0])
    print(f"\n{time.monotonic() - start:.1f} seconds", flush=True)
    recap = re.search(r"changed=(\d+)", done.stdout)
    if done.returncode:
        raise Surprise("The command above should not have failed.")
    if tasks_changed is not None and (not recap or int(recap[1]) != tasks_changed):
        raise Surprise(f"{tasks_changed} tasks should have changed something.")


if __name__ == "__main__":
    try:
        main()
    except (NoPython, Surprise) as problem:
        sys.exit(f"\nThe demo has stopped: {problem}")
    except KeyboardInterrupt:
        sys.exit("\nThe demo has stopped: interrupted.")
