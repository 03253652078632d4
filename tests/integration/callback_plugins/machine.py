# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells what became of a play in one line of JSON: standard output is for a machine to read."""

from __future__ import annotations

import json

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: machine
type: stdout
short_description: Tells what became of a play as JSON
description:
  - For tests only.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "machine"

    def v2_playbook_on_stats(self, stats):
        self._display.display(json.dumps({host: stats.summarize(host) for host in stats.processed}))
