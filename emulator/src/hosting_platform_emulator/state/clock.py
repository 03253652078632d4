# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator's clock, which a test can stop, set and advance."""

import time
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

from ..checks import Checks, Decimal, Flag, Number, read_fields
from ..errors import Refusal

_LATEST_MS = 4_102_444_800_000
"""The year 2100: an emulator started before it will not run past the year 9999."""
_LAST_HTTP_DATE = 253_402_300_799
_CHANGE: Checks = {"now": Number(), "advance": Decimal(), "stopped": Flag()}
_RESTORED: Checks = {
    "offset": Number(required=True),
    "stopped_at": Number(required=True, nullable=True),
}


class Clock:
    """The machine's time plus an offset; or a fixed moment until it is moved."""

    def __init__(self) -> None:
        self._offset = 0
        self._stopped_at: int | None = None

    def now(self) -> int:
        """The time as a JavaScript timestamp."""
        return self._stopped_at if self._stopped_at is not None else _machine_time() + self._offset

    def describe(self) -> dict[str, Any]:
        return {"now": self.now(), "stopped": self._stopped_at is not None}

    def change(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Set the time to `now`, advance it by `advance` seconds, and stop or resume; in this
        order.
        """
        desired = read_fields(given, _CHANGE, "clock")
        moment = desired.get("now", self.now()) + round(desired.get("advance", 0) * 1000)
        is_stopped = desired.get("stopped", self._stopped_at is not None)
        _require_sensible(moment)
        self._offset = 0 if is_stopped else moment - _machine_time()
        self._stopped_at = moment if is_stopped else None
        return self.describe()

    def reset(self) -> dict[str, Any]:
        """Return to the machine's time."""
        self._offset = 0
        self._stopped_at = None
        return self.describe()

    def save(self) -> dict[str, Any]:
        return {"offset": self._offset, "stopped_at": self._stopped_at}

    def restore(self, given: Mapping[str, Any]) -> None:
        saved = read_fields(given, _RESTORED, "snapshot's clock")
        stopped_at = saved["stopped_at"]
        _require_sensible(_machine_time() + saved["offset"] if stopped_at is None else stopped_at)
        self._offset = saved["offset"]
        self._stopped_at = stopped_at


def http_date(seconds: float) -> str:
    """An HTTP date, from seconds since the epoch."""
    return formatdate(min(max(seconds, 0), _LAST_HTTP_DATE), usegmt=True)


def round_down(timestamp: int, resolution_ms: int) -> int:
    return timestamp - timestamp % resolution_ms


def _require_sensible(moment: int) -> None:
    if not 0 <= moment <= _LATEST_MS:
        raise Refusal(
            f"The clock goes from 0 to {_LATEST_MS} (the year 2100), and cannot be set to {moment}"
        )


def _machine_time() -> int:
    return time.time_ns() // 1_000_000
