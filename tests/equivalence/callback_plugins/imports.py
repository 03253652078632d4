# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes down what each worker loads and compiles: modules and patterns that were not there before it was forked."""

from __future__ import annotations

DOCUMENTATION = """
name: imports
type: notification
short_description: Write down what workers import and compile
description: A line of JSON for each worker, the name of its task, and the modules and patterns that it loaded.
"""

import json
import os
import re
import sys
from multiprocessing import util
from pathlib import Path
from typing import Any

from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "imports"

    def __init__(self) -> None:
        super().__init__()
        self._task = ""
        util.register_after_fork(self, CallbackModule._remember)

    def v2_playbook_on_task_start(self, task: Any, is_conditional: bool) -> None:  # noqa: ARG002 (core names it)
        self._task = task.get_name()

    def _remember(self) -> None:
        """In the worker that was just forked: look again at its end."""
        util.Finalize(None, self._write, args=(_loaded(),), exitpriority=0)

    def _write(self, before: set[str]) -> None:
        with Path(os.environ["IMPORTS_FILE"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([self._task, sorted(_loaded() - before)]) + "\n")


def _loaded() -> set[str]:
    patterns: Any = re._cache  # where `re` keeps what it was given as text
    return {*sys.modules, *(f"pattern {pattern!r}" for _kind, pattern, _flags in patterns)}
