# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes down every task's result, and the requests that the emulator logged during it, as lines of
JSON.
"""

from __future__ import annotations

import json
import os
import urllib.request

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: recorder
type: notification
short_description: Writes results and requests to a file
description:
  - For tests only.
"""

# The usual opener loads all certificates first, in each play.
OPENER = urllib.request.OpenerDirector()
OPENER.add_handler(urllib.request.HTTPHandler())


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "recorder"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self):
        super().__init__()
        self._seen = 0
        self._new_requests()

    def _new_requests(self):
        with OPENER.open(
            f"{os.environ['RECORDER_CONTROL_URL']}/requests?after={self._seen}"
        ) as answer:
            new = json.load(answer)
        self._seen = new[-1]["number"] if new else self._seen
        return new

    def _record(self, result, status):
        content = result.result if hasattr(result, "result") else result._result
        task = result.task if hasattr(result, "task") else result._task
        line = {
            "task": task.get_name(),
            "status": status,
            "result": content,
            "requests": self._new_requests(),
        }
        with open(os.environ["RECORDER_FILE"], "a") as record:
            record.write(json.dumps(line, default=str) + "\n")

    def v2_runner_on_ok(self, result):
        self._record(result, "ok")

    def v2_runner_on_failed(self, result, ignore_errors=False):  # noqa: ARG002
        self._record(result, "failed")

    def v2_runner_on_skipped(self, result):
        self._record(result, "skipped")

    def v2_runner_on_unreachable(self, result):
        self._record(result, "unreachable")
