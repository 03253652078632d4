# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator's time: what shows it, and how a test moves it."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime

from support import Api

NEW_YEAR = 1_767_225_600_000


def clock(api: Api, **change: object) -> dict[str, object]:
    answer: dict[str, object] = api.post("/_emulator/clock", json=change).json()
    return answer


def date_of(api: Api) -> float:
    return parsedate_to_datetime(api.get("/user").headers["date"]).timestamp()


def test_what_is_created_bears_its_time(api: Api) -> None:
    clock(api, now=NEW_YEAR, stopped=True)
    assert api.new_project("a")["createdAt"] == NEW_YEAR
    assert clock(api, advance=90.5) == {"now": NEW_YEAR + 90_500, "stopped": True}
    assert api.patch("/projects/a", json={"framework": "vite"}).json()["updatedAt"] == NEW_YEAR + 90_500
    assert api.control.requests()[0]["time"] == NEW_YEAR
    assert date_of(api) == NEW_YEAR // 1000 + 90


def test_a_running_clock_goes_on_from_where_it_was_moved(api: Api) -> None:
    ahead = int(str(clock(api, advance="3600")["now"])) - time.time_ns() // 1_000_000
    assert 3_590_000 < ahead <= 3_600_000
    first = api.new_project("a")["createdAt"]
    while api.get("/_emulator/clock").json()["now"] == first:
        assert api.get("/_emulator/clock").json()["stopped"] is False
    assert 3_590 < date_of(api) - time.time() <= 3_600


def test_it_stops_and_goes_on(api: Api) -> None:
    stopped = clock(api, stopped=True)["now"]
    assert api.get("/_emulator/clock").json() == {"now": stopped, "stopped": True}
    assert clock(api, stopped=False)["stopped"] is False


def test_a_planned_date_follows_it(api: Api) -> None:
    clock(api, now=NEW_YEAR, stopped=True)
    api.control.fault("GET /user", "429", retry_after="date:5")
    assert api.get("/user").headers["retry-after"] == "Thu, 01 Jan 2026 00:00:05 GMT"


def test_seeded_times_end_with_it(api: Api) -> None:
    """Names may repeat, whatever the switch says."""
    clock(api, now=NEW_YEAR, stopped=True)
    created = api.control.seed(projects=[{"name": name} for name in "abb"])["projects"]
    assert [project["createdAt"] for project in created] == [NEW_YEAR - 2, NEW_YEAR - 1, NEW_YEAR]


def test_reset_and_delete_bring_the_machines_time_back(api: Api) -> None:
    for path, method in (("/_emulator/reset", "POST"), ("/_emulator/clock", "DELETE")):
        clock(api, now=0, stopped=True)
        before = time.time_ns() // 1_000_000
        assert api.request(method, path).is_success
        shown = api.get("/_emulator/clock").json()
        assert before <= shown["now"] <= time.time_ns() // 1_000_000
        assert shown["stopped"] is False
