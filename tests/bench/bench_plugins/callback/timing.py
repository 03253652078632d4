# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints nothing; writes down how long each task took, and how much memory the largest worker."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import sys
import time
from typing import Any

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: timing
type: stdout
short_description: Writes the time of each task to a file
description:
  - For the bench only. It takes the place of what usually prints, because modules differ in how
    much they have printed.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "timing"

    def v2_playbook_on_task_start(self, task: Any, is_conditional: bool) -> None:  # noqa: ARG002
        self._task = task.get_name()
        self._processor_start = _processor_seconds()
        self._start = time.perf_counter()

    def v2_runner_on_ok(self, result: Any) -> None:
        seconds = time.perf_counter() - self._start
        _wait_for_workers()
        processor_seconds = _processor_seconds() - self._processor_start
        self._write(
            task=self._task,
            seconds=seconds,
            processor_seconds=processor_seconds,
            changed=result.is_changed(),
        )

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:  # noqa: ARG002
        print(f"{self._task}: {json.dumps(result._result, default=str)[:2000]}", file=sys.stderr)

    def v2_playbook_on_stats(self, stats: Any) -> None:  # noqa: ARG002
        _wait_for_workers()
        self._write(worker_peak=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)

    def _write(self, **line: Any) -> None:
        with open(os.environ["TIMING_FILE"], "a") as record:
            record.write(json.dumps(line) + "\n")


def _wait_for_workers() -> None:
    """The used time is known only of processes that have ended."""
    for worker in multiprocessing.active_children():
        worker.join()


def _processor_seconds() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
