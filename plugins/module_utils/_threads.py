# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a thread asks before it goes on: whether the crew that it belongs to has been given up."""

from __future__ import annotations

import threading
import time


class ThisThread(threading.local):
    """``given_up``: is set once its crew has been given up; ``None`` if it belongs to none."""

    given_up: threading.Event | None = None


this_thread = ThisThread()


def end_if_given_up() -> None:
    """End this thread if its crew has been given up."""
    if this_thread.given_up and this_thread.given_up.is_set():
        raise SystemExit


def sleep(seconds: float) -> None:
    """Sleep; end this thread if its crew is given up before or during the sleep."""
    wait = this_thread.given_up.wait if this_thread.given_up else time.sleep
    wait(seconds)
    end_if_given_up()
