# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make demo: the collection at work, with nothing but this machine."""

from __future__ import annotations

import re
import secrets
import shlex
import signal
import subprocess
import sys
import time

from emulator_process import emulator
from environments import ROOT, demo_environment, variables
from interpreters import NoPython

PLAY = ("ansible-playbook", "-i", "examples/demo/inventory.yml", "examples/demo/site.yml")
EDIT = ("--extra-vars", '{"storefront_name": "Online shop"}')


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

        heading(
            "First run", "The platform is empty. The playbook wants two teams and twenty projects: it creates them."
        )
        play(environment, tasks_changed=2)

        heading("Second run", "All of it is there: nothing changes. (What is as it should be is not listed.)")
        play(environment, tasks_changed=0)

        heading(
            "An edit, looked at first",
            "A team gets another name. --check --diff shows what would change, and leaves it.",
        )
        play(environment, "--check", "--diff", *EDIT, tasks_changed=1)

    heading("Done", "The emulator is stopped. The playbook is examples/demo/site.yml; README.md tells how to go on.")


def heading(title: str, explanation: str) -> None:
    print(f"\n=== {title} ===\n{explanation}\n", flush=True)


def play(environment: dict[str, str], *options: str, tasks_changed: int) -> None:
    command = [*PLAY, *options]
    print(f"$ {shlex.join(command)}", flush=True)
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, text=True, stdout=subprocess.PIPE)
    print(done.stdout.strip())
    print(f"\n{time.monotonic() - start:.1f} seconds", flush=True)
    recap = re.search(r"changed=(\d+)", done.stdout)
    if done.returncode or not recap or int(recap[1]) != tasks_changed:
        raise Surprise(f"{tasks_changed} tasks should have changed something, and none should have failed.")


if __name__ == "__main__":
    try:
        main()
    except (NoPython, Surprise) as problem:
        sys.exit(f"\nThe demo has stopped: {problem}")
    except KeyboardInterrupt:
        sys.exit("\nThe demo has stopped: interrupted.")
