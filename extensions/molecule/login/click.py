# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user: waits for the message, and clicks its link. Takes the emulator's address."""

from __future__ import annotations

import json
import sys
import time
import urllib.request

deadline = time.monotonic() + 60
while time.monotonic() < deadline:
    with urllib.request.urlopen(f"{sys.argv[1]}/_emulator/outbox") as answer:  # noqa: S310 (an address of the test)
        unread = [mail for mail in json.load(answer) if not mail["clicked"]]
    if unread:
        urllib.request.urlopen(unread[0]["link"]).close()  # noqa: S310
        break
    time.sleep(0.1)
