# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A creation whose answer was lost may arrive late: looks come first, and only then another try."""

from typing import Any

import pytest
from client import ManualClock, make_client

from ansible_collections.hosting.platform.plugins.module_utils._api.retries import create_once
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    Effect,
    Fault,
)

MADE = {"id": "prj_1"}
BROKEN = Fault("status 500.", Effect.INTERRUPTED, temporary=True, status=500)
UNKNOWN = Fault("no response within the timeout.", Effect.UNKNOWN, temporary=True)
REFUSED = Fault("status 409.", Effect.REJECTED, status=409)


class Service:
    """Loses or refuses creations. What it then has made appears after so many seconds."""

    def __init__(
        self, *faults: Fault | None, arrives_after: float | None = None, **options: Any
    ) -> None:
        self.clock = ManualClock()
        self._began = self.clock.now()
        self._http = make_client("http://nowhere.example", self.clock, **options)
        self._faults = list(faults)
        self._arrives_after = arrives_after
        self.events: list[tuple[str, float]] = []

    def _note(self, event: str) -> float:
        self.events.append((event, self.clock.now() - self._began))
        return self.events[-1][1]

    def _send(self) -> dict[str, Any]:
        self._note("send")
        fault = self._faults.pop(0)
        if fault:
            raise ApiError("POST /projects", "/projects", fault)
        return MADE

    def _look(self) -> dict[str, Any] | None:
        now = self._note("look")
        return MADE if self._arrives_after is not None and now >= self._arrives_after else None

    def create(self) -> tuple[dict[str, Any], ApiError | None]:
        return create_once(self._http.retries(), self._send, self._look)


@pytest.mark.parametrize("fault", [BROKEN, UNKNOWN])
@pytest.mark.parametrize("arrives_after", [0, 0.5, 3, 7])
def test_creation_that_arrives_within_seven_seconds_is_adopted(fault, arrives_after):
    service = Service(fault, arrives_after=arrives_after, max_retry_delay=0.0)
    made, lost = service.create()
    assert (made, lost and lost.fault) == (MADE, fault)
    assert [event for event, _at in service.events].count("send") == 1


def test_interrupted_creation_is_resent_after_four_lookups():
    service = Service(BROKEN, BROKEN, None)
    assert service.create() == (MADE, None)
    looks = [("look", 0), ("look", 1), ("look", 3), ("look", 7)]
    looks_again = [(look, 7 + at) for look, at in looks]
    assert service.events == [("send", 0), *looks, ("send", 7), *looks_again, ("send", 14.5)]


def test_creation_of_unknown_effect_is_looked_up_but_never_resent():
    service = Service(UNKNOWN, max_retries=3)
    with pytest.raises(ApiError, match="It is unknown whether the object was created"):
        service.create()
    assert service.events == [("send", 0), *(("look", at) for at in (0, 1, 3, 7, 7, 7.5, 8.5))]


@pytest.mark.parametrize("arrives_after", [0, None])
def test_after_a_refusal_there_is_one_look(arrives_after):
    service = Service(REFUSED, arrives_after=arrives_after)
    if arrives_after is None:
        with pytest.raises(ApiError, match="409"):
            service.create()
    else:
        assert service.create()[0] == MADE
    assert service.events == [("send", 0), ("look", 0)]
