# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make demo: show the collection at work, using only this machine."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from environments import ROOT, development_environment, variables
from hosting_platform_emulator.testing.launching import running

INVENTORY = ("-i", "examples/demo/inventory.yml")
PLAY = ("ansible-playbook", *INVENTORY, "examples/demo/site.yml")
EDIT = ("--extra-vars", '{"storefront_name": "Online shop"}')
# Manual changes that the blueprint does not declare.
BY_HAND = (
    "team=storefront name=cart framework=hugo",
    "team=media name=travel state=absent",
    "team=media name=experiment",
)
# Relative to the folder of the story.
REPORT = Path(".cache/demo/report.html")
MARKDOWN = REPORT.with_suffix(".md")
BLUEPRINT = ("-e", "converge_directory=examples/demo/blueprint")
CONVERGE = ("ansible-playbook", *INVENTORY, "hosting.platform.converge", *BLUEPRINT)
PRUNE = ("-e", '{"converge_prune": ["projects"]}')


def main() -> None:
    # So that the emulator stops whatever stops the demo.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(1))

    heading(
        "Getting ready",
        "Ansible and an emulator of the platform are installed under .cache, if they are not yet.",
    )
    with running() as platform:
        print(f"The emulator listens on {platform.base_url}.")
        environment = variables(development_environment(), None, **platform.environment)
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            environment["ANSIBLE_FORCE_COLOR"] = "true"
        story(environment, ROOT)
        print(f"\nOpen the report in a browser: {(ROOT / REPORT).as_uri()}")

        if os.environ.get("KEEP"):
            page = f"{platform.base_url}/_emulator/"
            heading(
                "The emulator's page",
                f"{page} shows all objects. Press Enter to stop the emulator.",
            )
            sys.stdin.readline()

    heading(
        "Done",
        "The emulator is stopped. Look into examples/demo. The quick start says how to begin on"
        " your own.",
    )


def story(environment: Mapping[str, str], folder: Path) -> None:
    """Run the demo in a folder that contains ``examples/demo``, with the environment's Ansible."""
    changes_alone = {
        **environment,
        "ANSIBLE_DISPLAY_OK_HOSTS": "false",
        "ANSIBLE_DISPLAY_SKIPPED_HOSTS": "false",
    }
    play = partial(run, changes_alone, folder)
    converge = partial(run, environment, folder, *CONVERGE)

    heading(
        "First run", "The platform is empty. The playbook creates two teams and twenty projects."
    )
    play(*PLAY, changed=2)

    heading(
        "Second run", "Everything exists, so nothing changes. Unchanged objects are not listed."
    )
    play(*PLAY, changed=0)

    preview = (
        "A team gets another name. With --check --diff, Ansible shows what would change, and"
        " changes nothing."
    )
    heading("A preview of a change", preview)
    play(*PLAY, "--check", "--diff", *EDIT, changed=1)

    drift = "A blueprint declares the same. Three projects change by hand. A nightly check sees it."
    heading("Drift", f"{drift} So this step fails, and ends red on purpose.")
    for change in BY_HAND:
        play("ansible", *INVENTORY, "localhost", "-m", "hosting.platform.project", "-a", change)
    outputs = f"converge_report={REPORT} converge_fail_on_drift=true"
    converge("--check", "-e", outputs, fails=True)

    back = (
        "A plan shows what undoes this, and a run does it. With prune, what is undeclared is"
        " deleted."
    )
    heading("Back to the blueprint", back)
    converge(*PRUNE, "--check", "-e", f"converge_markdown={MARKDOWN}", changed=1)
    converge(*PRUNE, changed=1)


def heading(title: str, explanation: str) -> None:
    print(f"\n=== {title} ===\n{explanation}\n", flush=True)


def run(
    env: Mapping[str, str],
    folder: Path,
    *command: str,
    changed: int | None = None,
    fails: bool = False,
) -> None:
    """Run a command that fails or not, and changes so many tasks, if they are counted."""
    print(f"$ {shlex.join(command)}", flush=True)
    start = time.monotonic()
    # In one stream, so that a plan stands inside its task, as on a terminal.
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    print(
        done.stdout.strip()
        if command[0] == "ansible-playbook"
        else done.stdout.partition(" => ")[0]
    )
    print(f"\n{time.monotonic() - start:.1f} seconds", flush=True)
    if bool(done.returncode) != fails or (
        changed is not None and not re.search(rf"changed={changed}\b", done.stdout)
    ):
        sys.exit("The demo has stopped: the command above did something else than it should.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nThe demo has stopped: interrupted.")
