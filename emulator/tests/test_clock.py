# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator's time: what shows it, how a test moves it, and the switch `rate_limit`, which
counts on it.
"""

import time
from email.utils import parsedate_to_datetime

import httpx
import pytest

from support import DEV_TOKEN, Api, assert_refused, under

NEW_YEAR = 1_767_225_600_000


def clock(api: Api, **change: object) -> dict[str, object]:
    answer: dict[str, object] = api.post("/_emulator/clock", json=change).json()
    return answer


def date_of(api: Api) -> float:
    return parsedate_to_datetime(api.get("/user").headers["date"]).timestamp()


def test_new_object_bears_its_time(api: Api) -> None:
    clock(api, now=NEW_YEAR, stopped=True)
    assert api.new_project("a")["createdAt"] == NEW_YEAR
    assert clock(api, advance=90.5) == {"now": NEW_YEAR + 90_500, "stopped": True}
    assert (
        api.patch("/projects/a", json={"framework": "vite"}).json()["updatedAt"]
        == NEW_YEAR + 90_500
    )
    assert api.control.requests()[0]["time"] == NEW_YEAR
    assert date_of(api) == NEW_YEAR // 1000 + 90


def test_a_running_clock_goes_on_from_where_it_was_moved(api: Api) -> None:
    ahead = int(str(clock(api, advance="3600")["now"])) - time.time_ns() // 1_000_000
    assert 3_590_000 < ahead <= 3_600_000
    first = api.new_project("a")["createdAt"]
    while api.get("/_emulator/clock").json()["now"] == first:
        assert api.get("/_emulator/clock").json()["stopped"] is False
    assert 3_590 < date_of(api) - time.time() <= 3_600


def test_reset_and_delete_bring_the_machines_time_back(api: Api) -> None:
    for path, method in (("/_emulator/reset", "POST"), ("/_emulator/clock", "DELETE")):
        clock(api, now=0, stopped=True)
        before = time.time_ns() // 1_000_000
        assert api.request(method, path).is_success
        shown = api.get("/_emulator/clock").json()
        assert before <= shown["now"] <= time.time_ns() // 1_000_000
        assert shown["stopped"] is False


@pytest.fixture
def limited(api: Api) -> Api:
    """Three requests in ten seconds, on a clock that stands at the beginning of a minute."""
    api.post("/_emulator/clock", json={"now": NEW_YEAR, "stopped": True})
    api.control.switch(rate_limit="3/10")
    return api


def statuses(api: Api, count: int) -> list[int]:
    return [api.get("/user").status_code for _ in range(count)]


@under("rate_limit", "2/60")
def test_rate_limit(api: Api, switched: str) -> None:
    assert statuses(api, 4) == ([200] * 4 if switched == "none" else [200, 200, 429, 429])


def test_refused_request_is_neither_processed_nor_counted(limited: Api) -> None:
    names = ["a", "b", "c", "d", "e"]
    answers = [limited.post("/projects", json={"name": name}) for name in names]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert_refused(answers[3], 429, "")
    assert [project["name"] for project in limited.control.state()["projects"]] == names[:3]
    limited.control.advance(10)
    assert statuses(limited, 4) == [200, 200, 200, 429]
    assert [entry["status"] for entry in limited.control.requests()].count(429) == 3


@under("rate_limit_window")
def test_window(limited: Api, switched: str) -> None:
    """Three requests at 9 s: a fixed window of ten seconds ends a second later, a sliding one ten
    seconds later.
    """
    limited.control.advance(9)
    assert statuses(limited, 4) == [200, 200, 200, 429]
    limited.control.advance(1)
    assert statuses(limited, 4) == ([200, 200, 200, 429] if switched == "fixed" else [429] * 4)
    limited.control.advance(8.999)
    assert limited.get("/user").status_code == 429
    limited.control.advance(0.001)
    assert limited.get("/user").status_code == (429 if switched == "fixed" else 200)


@under("rate_limit_retry_after")
@pytest.mark.parametrize("window", ["sliding", "fixed"])
def test_retry_after(limited: Api, switched: str, window: str) -> None:
    """A request passes after the wait that it says. A date counts whole seconds from the answer's
    own.
    """
    limited.control.switch(rate_limit_window=window)
    limited.control.advance(1.25)
    assert statuses(limited, 3) == [200] * 3
    limited.control.advance(0.5)
    answer = limited.get("/user")
    assert answer.status_code == 429
    seconds = asked(answer)
    if switched == "none":
        assert seconds is None
        return
    expected = {
        "sliding": {"seconds": 10, "decimal": 9.5, "date": 11},
        "fixed": {"seconds": 9, "decimal": 8.25, "date": 9},
    }
    assert seconds == expected[window][switched]
    limited.control.advance(seconds)
    assert limited.get("/user").is_success


def asked(answer: httpx.Response) -> float | None:
    """The seconds that an answer asks to wait; a date counts from the answer's own."""
    given = answer.headers.get("retry-after")
    if given is None:
        return None
    if given[0].isdigit():
        return float(given)
    return (
        parsedate_to_datetime(given) - parsedate_to_datetime(answer.headers["date"])
    ).total_seconds()


def test_each_caller_has_a_limit_of_their_own(limited: Api, dev: Api) -> None:
    assert statuses(limited, 4) == [200, 200, 200, 429]
    assert statuses(dev, 4) == [200, 200, 200, 429]
    strangers = [
        limited.as_user(token)
        for token in (None, "unknown-token-0123", None, "another-unknown-0123")
    ]
    assert [stranger.get("/user").status_code for stranger in strangers] == [401, 401, 401, 429]
    assert limited.as_user(DEV_TOKEN).get("/user").status_code == 429
