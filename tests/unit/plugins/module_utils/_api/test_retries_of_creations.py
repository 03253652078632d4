# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A creation whose answer was lost may arrive late: looks come first, and only then another try."""

from __future__ import annotations

from typing import Any

import pytest
from client import ManualClock, http_to

from ansible_collections.hosting.platform.plugins.module_utils._api.retries import create_once
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Fault, Outcome

MADE = {"id": "prj_1"}
BROKEN = Fault("status 500.", Outcome.BROKEN, temporary=True, status=500)
UNKNOWN = Fault("no answer within the timeout.", Outcome.UNKNOWN, temporary=True)
REFUSED = Fault("status 409.", Outcome.REFUSED, status=409)


class Service:
    """Loses or refuses creations. What it then has made appears after so many seconds."""

    def __init__(self, *faults: Fault | None, arrives_after: float | None = None, **options: Any) -> None:
        self.clock = ManualClock()
        self._began = self.clock.now()
        self._http = http_to("http://nowhere.example", self.clock, **options)
        self._faults, self._arrives_after = list(faults), arrives_after
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
def test_what_arrives_within_seven_seconds_is_adopted(fault, arrives_after):
    service = Service(fault, arrives_after=arrives_after, max_retry_delay=0.0)
    made, lost = service.create()
    assert (made, lost and lost.fault) == (MADE, fault)
    assert [event for event, _at in service.events].count("send") == 1


def test_what_was_broken_is_sent_again_after_four_looks_each_time():
    service = Service(BROKEN, BROKEN, None)
    assert service.create() == (MADE, None)
    looks = [("look", 0), ("look", 1), ("look", 3), ("look", 7)]
    assert service.events == [
        *[("send", 0), *looks],
        *[("send", 7), *((look, 7 + at) for look, at in looks)],
        ("send", 14.5),
    ]


def test_what_is_unknown_is_looked_for_until_the_retries_are_used_up_and_never_sent_again():
    service = Service(UNKNOWN, max_retries=3)
    with pytest.raises(ApiError, match="Whether it was created is unknown"):
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
