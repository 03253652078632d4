# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The person at the terminal, to whom the task ``blueprint`` shows its plan, and whom it asks.

Only Ansible's parent process has the terminal: import this before the fork.
"""

from __future__ import annotations

import os

from ansible import constants
from ansible.errors import AnsibleError
from ansible.utils import color
from ansible.utils.display import Display

from ...module_utils._text import escape_line
from ..reports._plan_text import BOLD, WARNING
from ..reports._quoting import quote_name

PATIENCE_SECONDS = 3600
YES = "yes"
# The option, and the guard.
CONFIRM = "confirm"
# As core shows a diff, and its warnings.
COLORS = {
    "+": "COLOR_DIFF_ADD",
    "-": "COLOR_DIFF_REMOVE",
    "~": "COLOR_CHANGED",
    WARNING: "COLOR_WARN",
}
# Workers have no terminal since ansible-core 2.19, so this is found out before the first fork.
HAS_TERMINAL = os.isatty(0) and os.isatty(1)
# What ends a question without an answer: its end, Ctrl-C and Ctrl-D.
INTERRUPTS = [b"", b"\x03", b"\x04"]
# A controller's runner, and navigator, have a terminal that nobody types into.
IS_CONTROLLED = (
    "AWX_ISOLATED_DATA_DIR" in os.environ
    or os.environ.get("ANSIBLE_STDOUT_CALLBACK") == "awx_display"
)


def why_not_interactive(has_no_log: bool) -> str:
    """Why nobody can be asked; empty if somebody may be there."""
    if has_no_log:
        return "the task has no_log, so the plan must not be shown"
    if IS_CONTROLLED:
        return "a controller runs this task, so nobody can answer"
    return "" if HAS_TERMINAL else "there is no terminal, so nobody can answer"


def ask_to_apply(plan: str, host: str, base_url: str) -> str:
    """Ask below the plan, whose last line has the counts, and return the answer, empty if there is
    none.
    """
    target = f"to {escape_line(base_url)} (host {escape_line(host)})"
    text = f"{plan}\nApply this plan {target}? Type {YES} to apply it; anything else cancels: "
    try:
        answer = Display().prompt_until(text, seconds=PATIENCE_SECONDS, interrupt_input=INTERRUPTS)
    except AnsibleError:  # no terminal after all, or an interrupt
        return ""
    return str(answer.decode(errors="replace").strip())


def describe_refusal(answer: str) -> str:
    """Why the guard refuses the run."""
    refusal = "the plan was not confirmed."
    if not answer:
        return refusal
    return f"{refusal} The answer was {quote_name(answer)}. To apply the plan, type {YES}."


def in_color(text: str, role: str) -> str:
    """The text as its role is shown."""
    if not role:
        return text
    if role == BOLD:
        return f"\033[1m{text}\033[0m" if color.ANSIBLE_COLOR else text
    return str(color.stringc(text, constants.config.get_config_value(COLORS[role])))
