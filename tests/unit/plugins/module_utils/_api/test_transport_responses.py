# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dates and numbers of the service: whatever it writes, reading them raises nothing."""

import json
import math
from email.utils import formatdate

import pytest
from client import expect_failure, make_api
from hypothesis import given
from hypothesis import strategies as st
from stub_server import StubResponse, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._api.retries import (
    retry_after_seconds,
    seconds_of_date,
)
from ansible_collections.hosting.platform.plugins.module_utils._api.transport import parse_json

HOSTILE_DATES = [
    "1 Jan 99999999999999999999 00:00:00 GMT",
    "Wed, 21 Oct 2015 99999999999999999999:28:00 GMT",
    f"1 Jan {'9' * 5000}",
    "Wed, 21 Oct 2015 07:28:00 +999999999999999999",
    "Wed, 99 Foo 2025 99:99:99 GMT",
    "-1",
    "\xa0",
]


def test_a_date_is_read_as_seconds():
    assert seconds_of_date("Wed, 21 Oct 2015 07:28:00 GMT") == 1_445_412_480
    assert seconds_of_date("Wed, 21 Oct 2015 07:28:00 -0000") == 1_445_412_480


@pytest.mark.parametrize("header", [None, "", *HOSTILE_DATES])
def test_a_hostile_date_is_none(header):
    assert seconds_of_date(header) is None


@given(
    text=st.text(st.characters(max_codepoint=0xFF), max_size=60)
    | st.from_regex(r"\d+ Jan \d+ \d+:\d+ [-+]\d+")
)
def test_reading_any_header_raises_nothing(text):
    date = seconds_of_date(text)
    wait = retry_after_seconds(text, 0.0)
    assert date is None or math.isfinite(date)
    assert wait is None or wait >= 0


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        *(("7", 7), (" 7 ", 7), ("-5", 0), ("9" * 5000, math.inf)),
        *(("1.5", 1.5), (" 0.25", 0.25), ("2.", 2), (".5", 0.5), ("-1.5", 0)),
        *(
            (header, None)
            for header in (
                "7s",
                "1e3",
                "²",
                "soon",
                "1e999",
                "nan",
                "inf",
                "",
                ".",
                "1,5",
                "1.5.2",
                "1.5s",
                "٣",
            )
        ),
    ],
)
def test_a_number_of_seconds_is_read_whatever_its_length_and_nothing_else(header, wait):
    assert retry_after_seconds(header) == wait


def test_retry_after_date_counts_from_the_services_clock():
    assert retry_after_seconds(formatdate(1020, usegmt=True), 1000.0) == 20


def projects(*created: str, following: str = "null") -> StubResponse:
    """A page of projects that were created at these times, as JSON."""
    items = ", ".join(
        f'{{"id": "{number}", "createdAt": {time}}}' for number, time in enumerate(created)
    )
    body = f'{{"projects": [{items}], "pagination": {{"next": {following}}}}}'
    return StubResponse(200, body.encode(), {"Content-Type": "application/json"})


@given(text=st.text(st.characters(exclude_categories=())), as_ascii=st.booleans())
def test_half_a_character_is_replaced_and_all_else_is_kept(text, as_ascii):
    body = json.dumps({text: [text]}, ensure_ascii=as_ascii).encode("utf-8", "surrogatepass")
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    found = parse_json(body)
    assert found == {whole: [whole]} or not as_ascii
    assert json.dumps(found, ensure_ascii=False).encode()
    assert (found == {text: [text]}) == (whole == text)


HOSTILE_NUMBERS = ["1" + "0" * 400, "-1" + "0" * 400, "1e999", "-1e999", "true", '"soon"', "{}"]


@pytest.mark.parametrize("created", HOSTILE_NUMBERS)
def test_a_hostile_time_of_creation_fails_no_list(created):
    with stub_server(projects(created, "5.5", "4.5", following="3"), projects()) as server:
        assert len(make_api(server.base_url).list_projects()) == 3


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_json_constants_that_are_not_numbers_are_unexpected_bodies(constant):
    expect_failure(
        Api.list_projects,
        projects(constant),
        match="not the JSON that the API specifies",
        max_retries=0,
    )


@pytest.mark.parametrize("following", [*HOSTILE_NUMBERS, "1.5", "9" * 17])
def test_a_hostile_next_is_a_list_that_was_not_promised(following):
    page = projects("1.5", "1" + "0" * 400, following=following)
    expect_failure(Api.list_projects, page, match="not the JSON", max_retries=0)


@pytest.mark.parametrize("text", ["", "Access denied", "The team has reached its limit."])
def test_a_403_says_its_own_reason_first(text):
    failure = expect_failure(Api.get_user, StubResponse(403, text.encode()))
    said = f", the API says: {text.rstrip('.')}." if text else "."
    advice = "Check that the token's user is allowed to do this."
    assert str(failure) == f"GET /user failed: status 403{said} {advice}"
