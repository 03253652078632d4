# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that throttles: how long it is waited for, by whom, and what the user is told."""

import threading
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from email.utils import formatdate

import pytest
from blueprints import converge
from client import ManualClock, expect_failure, make_api, make_project
from emulated import ControlledEmulator
from stub_server import StubResponse, json_response, stub_server, text_response

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Effect

pytestmark = pytest.mark.oldest_libraries

USER = json_response({"id": "usr_1"})
THROTTLED = StubResponse(429)
SERVICE_TIME = formatdate(1000, usegmt=True)
DATE = formatdate(1002, usegmt=True)
LONGEST_BY_DEFAULT = Connection("http://nowhere.example").max_retry_delay


class SharedClock(ManualClock):
    """A clock shared by the client and the platform, which advances only when the client sleeps.

    Threads sleep in parallel, so the time is set to when a sleeper wakes, rather than advanced by
    every sleep.
    """

    def __init__(self, platform: ControlledEmulator) -> None:
        super().__init__()
        self._platform = platform
        self._seen = threading.local()
        # Far from the machine's time, so that the platform's dates are interpreted by the
        # platform's clock.
        platform.set_clock(now=4_000_000_000_000, stopped=True)

    def now(self) -> float:
        moment = super().now()
        self._seen.time = moment
        return moment

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept.append(seconds)
            left = self._seen.time + seconds - self._time
            if left > 0:
                self._platform.set_clock(advance=left)
                self._time += left


def tries(api: Api) -> int:
    """After how many requests the client gives up."""
    before = api.client.run.requests
    with pytest.raises(ApiError, match="status 429") as failure:
        api.get_user()
    number = api.client.run.requests - before
    assert (f"Gave up after {number} attempts" in str(failure.value)) is (number > 1)
    return number


@pytest.mark.parametrize("jitter", [0.75, 1, 1.25])
def test_default_retries_wait_three_minutes_for_a_throttling_service(jitter):
    clock = ManualClock(jitter)
    failure = expect_failure(
        Api.get_user, THROTTLED, times=6, clock=clock, max_retry_delay=LONGEST_BY_DEFAULT
    )
    assert "Gave up after 6 attempts" in str(failure)
    assert 180 <= sum(clock.slept) <= 300
    assert clock.slept == sorted(clock.slept)
    assert max(clock.slept) <= 60
    assert str(failure).count("Try again later") == 1
    assert str(failure).count("raise") == 1


@pytest.mark.parametrize(
    ("answer", "longest", "waits"),
    [
        *(
            (StubResponse(status), LONGEST_BY_DEFAULT, [0, 0.5, 1, 2, 4])
            for status in (500, 503, 504)
        ),
        (StubResponse(500), 3, [0, 0.5, 1, 2, 3]),
        (THROTTLED, 20, [13.5, 20, 20, 20, 20]),
    ],
)
def test_other_faults_are_retried_fast_and_waits_stay_within_the_limit(
    clock, answer, longest, waits
):
    failure = expect_failure(Api.get_user, answer, times=6, clock=clock, max_retry_delay=longest)
    assert (clock.slept, failure.effect is Effect.REJECTED) == (waits, False)


@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize(
    ("retry_after", "words"),
    [("301", "wait of 301 s"), ("9" * 400, "wait"), ("Fri, 31 Dec 9999 23:59:59 GMT", "wait")],
)
def test_retry_after_above_the_limit_fails_at_once(clock, status, retry_after, words):
    answer = StubResponse(status, headers={"Retry-After": retry_after})
    message = str(
        expect_failure(make_project, answer, match=words, clock=clock, max_retry_delay=300)
    )
    assert message.count("Try again later") == 1
    assert "raise max_retry_delay" in message
    assert "max_retries" not in message
    assert clock.slept == []


@pytest.mark.parametrize("retry_after", ["1.5", "2", DATE])
def test_a_refusal_with_retry_after_waits_as_asked_and_is_told_as_throttling(clock, retry_after):
    answer = text_response("You have exceeded a secondary rate limit.", 403)
    answer = replace(
        answer, headers={**answer.headers, "Retry-After": retry_after, "Date": SERVICE_TIME}
    )
    failure = expect_failure(make_project, answer, times=3, clock=clock, max_retries=2)
    assert failure.is_throttling
    assert "The service is throttling requests." in str(failure)
    assert "allowed" not in str(failure)
    assert clock.slept == [2.0 if retry_after == DATE else float(retry_after)] * 2


@pytest.mark.parametrize("retry_after", [None, "", "soon"])
def test_a_refusal_without_a_time_to_wait_is_a_refusal(clock, retry_after):
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    failure = expect_failure(make_project, StubResponse(403, headers=headers), clock=clock)
    assert failure.effect is Effect.REJECTED
    assert "allowed" in str(failure)


def test_wait_notice_names_its_cause_and_appears_every_two_seconds():
    lines: list[str] = []
    waits = ((429, "58"), (503, "1.4"), (429, "1"))
    asking = [StubResponse(status, headers={"Retry-After": wait}) for status, wait in waits]
    with stub_server(*asking, THROTTLED, USER) as server:
        make_api(server.base_url, say=lines.append, max_retry_delay=LONGEST_BY_DEFAULT).get_user()
    assert lines == [
        "The service is throttling requests (status 429). Continuing in 58 s.",
        "The service is throttling requests (status 503). Continuing in 2 s.",
        "The service is throttling requests (status 429). Continuing in 54 s.",
    ]


def test_only_long_waits_for_a_service_that_fails_are_told():
    lines: list[str] = []
    with stub_server(*[StubResponse(500)] * 5, USER) as server:
        make_api(server.base_url, say=lines.append).get_user()
    assert [line.rpartition(". ")[2] for line in lines] == ["Retrying in 2 s.", "Retrying in 4 s."]


# Fewer than fill a page, as the clock of a test stands still while they are created.
MOST = 90
SECONDS = 45
WORKERS = 8


def most_in_a_window(times: list[int], window: str) -> int:
    """The most of these moments (ms) that lie within one window of the limiter."""
    length = SECONDS * 1000
    if window == "fixed":
        return max(Counter(moment // length for moment in times).values())
    return max(
        bisect_right(times, moment + length - 1) - place for place, moment in enumerate(times)
    )


@pytest.mark.parametrize("window", ["sliding", "fixed"])
@pytest.mark.parametrize(
    ("retry_after", "count"),
    [
        pytest.param("seconds", 1000, marks=pytest.mark.thorough),
        pytest.param("date", 300, marks=pytest.mark.thorough),
        ("none", 300),
    ],
)
def test_each_of_many_creations_is_sent_once_under_a_rate_limit(
    emulator: ControlledEmulator, window: str, retry_after: str, count: int
) -> None:
    emulator.switch(
        rate_limit=f"{MOST}/{SECONDS}", rate_limit_window=window, rate_limit_retry_after=retry_after
    )
    blueprint = {
        "projects": [{"name": f"project-{number}", "own_scope": True} for number in range(count)]
    }
    clock = SharedClock(emulator)
    summary = converge(
        emulator.base_url, blueprint, workers=WORKERS, clock=clock, max_retry_delay=300.0
    )["summary"]
    assert (summary["create"], summary["failed"]) == (count, 0)
    names = sorted(project["name"] for project in emulator.state()["projects"])
    assert names == sorted(f"project-{number}" for number in range(count)), (
        "nothing is missing, nothing there twice"
    )

    requests = emulator.requests()
    passed = [request["time"] for request in requests if request["status"] == 200]
    refused = [request["time"] for request in requests if request["status"] == 429]
    assert len(passed) + len(refused) == len(requests)
    assert most_in_a_window(passed, window) == MOST, "the service limited for real"
    # Whoever was under way comes back after the wait, which is the same for all.
    tries = 3 if retry_after == "none" else 1
    assert most_in_a_window(refused, window) <= WORKERS * (tries + 1)
