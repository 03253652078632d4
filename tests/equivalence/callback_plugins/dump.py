# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes every result that core hands to callbacks as one JSON line: values, types and (from 2.19
on) tags.
"""

from __future__ import annotations

import json
import os

from ansible.plugins.callback import CallbackBase

try:
    from ansible.module_utils._internal._datatag import AnsibleTagHelper
except ImportError:
    AnsibleTagHelper = None

DOCUMENTATION = """
name: dump
type: aggregate
short_description: Writes every result to a file
description:
  - For tests only.
"""


def exact(value):
    """The value with the name of each type: `True` is not `1`, an unsafe text is not a text."""
    kind = type(value).__name__
    if AnsibleTagHelper:
        kind += "".join(sorted(tag.__name__ for tag in AnsibleTagHelper.tag_types(value)))
    if isinstance(value, dict):
        return [kind, {f"{type(key).__name__}:{key}": exact(item) for key, item in value.items()}]
    if isinstance(value, (list, tuple)):
        return [kind, [exact(item) for item in value]]
    if value is None or isinstance(value, (str, int, float, bool)):
        return [kind, value]
    return [kind, repr(value)]


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "dump"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # Closed with the run.
        self._file = open(os.environ["DUMP_FILE"], "w", buffering=1)  # noqa: SIM115

    def _write(self, event, result, **_ignored):
        line = {"event": event, "task": result._task.get_name(), "host": result._host.get_name()}
        line |= {"result": exact(result._result)}
        self._file.write(json.dumps(line, ensure_ascii=True) + "\n")


def _event(name):
    return lambda self, result, **_details: self._write(name, result)


EVENTS = [
    "runner_on_ok",
    "runner_on_failed",
    "runner_on_skipped",
    "runner_on_unreachable",
    "runner_item_on_ok",
    "runner_item_on_failed",
    "runner_item_on_skipped",
    "runner_retry",
    "runner_on_async_ok",
    "runner_on_async_failed",
    "on_file_diff",
]
for name in EVENTS:
    setattr(CallbackModule, f"v2_{name}", _event(name))
