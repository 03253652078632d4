# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paging: every item exactly once, or a failure; never a part of a list, whatever the specification
leaves open.
"""

import itertools
from collections import Counter

import pytest
from emulated_lists import OPEN, EmulatedList, lists
from hosting_platform_emulator.state.switches import SWITCHES
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples, sampled

from ansible_collections.hosting.platform.plugins.module_utils._api import paging
from ansible_collections.hosting.platform.plugins.module_utils._api.paging import (
    Page,
    PagingError,
    Window,
    read_all_pages,
)

FOUR_ITEMS = [10, 20, 30, 40]
WHOLE = Window()
PAGING = examples(600)
# A few of one moment, as creations in parallel or a coarse clock make them; in all less than a page
# of 20.
GROUPS = st.lists(st.tuples(st.integers(1, 90), st.integers(1, 5)), max_size=60)


def moments(groups):
    """The moments of groups: how long after the one before, and how many of one moment."""
    result = []
    now = 0
    for gap, size in groups:
        now += gap
        result += [now] * size
    return result


REALISTIC = GROUPS.map(moments)
in_either_order = pytest.mark.parametrize("order", SWITCHES["list_order"].values)


def ids_read_from(server, bounds=WHOLE, limit=None):
    """The ids that a walk finds; ``None`` where it refuses to say."""
    try:
        return [item["id"] for item in read_all_pages(server.fetch, bounds, limit)]
    except PagingError:
        return None


@PAGING
@given(
    server=lists(),
    since=st.none() | st.integers(998, 1032),
    until=st.none() | st.integers(998, 1032),
    limit=st.none() | st.integers(1, 30),
)
def test_a_list_is_whole_or_refused(server, since, until, limit):
    whole = [item["createdAt"] for item in server.rows_within(Window(since, until))]
    found = ids_read_from(server, Window(since, until), limit)
    expected = server.within(Window(since, until))[:limit]
    if found is not None and server.switches["list_order"] == "ascending_pages":
        # The order of its pages is not that of one page that holds all.
        assert (sorted(found) == sorted(expected)) or limit or len(set(whole)) == 1
    else:
        assert found in (expected, None) or len(set(whole)) == 1


@PAGING
@given(server=lists(), data=st.data())
def test_concurrent_changes_hide_no_unchanged_item(server, data):
    before = server.within(WHOLE)
    change = st.integers(1000, 1040) | (st.sampled_from(before) if before else st.nothing())
    server.changes = data.draw(
        st.dictionaries(st.integers(1, 8), st.lists(change, min_size=1, max_size=3))
    )
    found = ids_read_from(server)
    if found is not None:
        assert set(before) & set(server.within(WHOLE)) <= set(found) <= set(server.ids)
        assert max(Counter(found).values(), default=1) == 1


@PAGING
@given(server=lists(REALISTIC, caps=(20, 120)))
def test_a_few_items_of_one_moment_are_never_refused(server):
    found = ids_read_from(server)
    if server.switches["list_order"] == "ascending_pages":
        assert sorted(found) == sorted(server.within(WHOLE))
    else:
        assert found == server.within(WHOLE)


@pytest.mark.parametrize("width", [1, 2, paging.SMALLEST_PAGE - 1])
@pytest.mark.parametrize("bounds", SWITCHES["bounds"].values)
def test_a_short_list_of_one_moment_is_whole_though_it_has_a_next(width, bounds):
    assert len(ids_read_from(EmulatedList([500] * width, next_always=True, bounds=bounds))) == width


@in_either_order
@pytest.mark.parametrize(
    "server",
    [
        pytest.param(
            {"created": [1, 2, *[500] * 30, 998, 999], "limit_cap": 25}, id="wider-than-a-page"
        ),
        pytest.param(
            {"created": [500] * 15, "limit_cap": 10, "next_always": True}, id="ten-of-fifteen"
        ),
        pytest.param({"created": [1, 500, 500, 500, 900], "limit_cap": 2}, id="pages-of-two"),
        pytest.param(
            {"created": [500, 500, 500, 900], "limit_cap": 2, "next_always": True},
            id="others-beyond-two",
        ),
        pytest.param(
            {"created": [500] * 4, "limit_refuse_over": 3, "next_always": True},
            id="more-is-refused",
        ),
    ],
)
def test_more_of_one_moment_than_a_page_holds_is_refused(order, server):
    with pytest.raises(PagingError, match=r"same createdAt.*since, until.*page limit raised"):
        read_all_pages(EmulatedList(list_order=order, **server).fetch, Window(0, 1000))


ADJACENT = (1000, 1001, 1002)
SMALL_PAGES = [{"limit_cap": 2}, {}, {"limit_cap": 3}, {"limit_refuse_over": 3}]
WINDOWS = [Window(*bounds) for bounds in itertools.product((None, *ADJACENT), repeat=2)]


def lists_of_adjacent_moments(size, **limits):
    """All of them, under all switches together: few are met at random."""
    for created in itertools.combinations_with_replacement(ADJACENT, size):
        for values in itertools.product(*(SWITCHES[name].values for name in OPEN)):
            yield EmulatedList(created, **dict(zip(OPEN, values, strict=True)), **limits)


@pytest.mark.parametrize("limits", SMALL_PAGES)
@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_every_small_list_of_adjacent_moments_is_whole_or_refused(size, limits):
    for server in lists_of_adjacent_moments(size, **limits):
        found = ids_read_from(server)
        if found is not None and len(set(server.created)) > 1:
            assert sorted(found) == sorted(server.ids), server.switches


@pytest.mark.parametrize("limits", sampled(SMALL_PAGES, len(SMALL_PAGES)))
@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.thorough)])
def test_every_part_of_such_a_list_is_whole_or_refused(size, limits):
    for server in lists_of_adjacent_moments(size, **limits):
        for window in WINDOWS:
            whole = server.rows_within(window)
            found = ids_read_from(server, window)
            if found is not None and len({item["createdAt"] for item in whole}) > 1:
                assert sorted(found) == sorted(item["id"] for item in whole), server.switches


@in_either_order
def test_pages_of_two_adjacent_moments_are_followed_whatever_their_order(order):
    server = EmulatedList([1000] * 75 + [1001] * 75, list_order=order, next_on_full_last_page=True)
    assert sorted(ids_read_from(server)) == sorted(server.ids)


@pytest.mark.parametrize("bounds", SWITCHES["bounds"].values)
@in_either_order
def test_a_bound_that_is_included_says_nothing_of_the_other(order, bounds):
    created = sorted([*range(1, 16)] * 3)
    server = EmulatedList(created, list_order=order, bounds=bounds, limit_refuse_over=10)
    window = Window(6, 15)
    assert sorted(ids_read_from(server, window)) == sorted(server.within(window))


def test_an_item_created_during_the_proof_of_a_short_list_is_read():
    server = EmulatedList([500], next_always=True)
    server.changes = {1: [501]}
    assert sorted(ids_read_from(server)) == sorted(server.ids)


@pytest.mark.parametrize("status", SWITCHES["limit_refuse_status"].values)
@pytest.mark.parametrize("most", range(2, 12))
def test_page_size_is_halved_until_the_service_accepts_it(most, status):
    server = EmulatedList(range(0, 300, 10), limit_refuse_over=most, limit_refuse_status=status)
    assert ids_read_from(server) == server.within(WHOLE)


@pytest.mark.parametrize(
    ("server", "limit", "requests"),
    [
        pytest.param(EmulatedList([]), None, 1, id="empty"),
        pytest.param(EmulatedList(FOUR_ITEMS), None, 1, id="one-page"),
        pytest.param(EmulatedList(list(range(0, 1000, 10))), None, 1, id="one-exactly-full-page"),
        pytest.param(EmulatedList(list(range(0, 1010, 10))), None, 2, id="one-more-than-a-page"),
        pytest.param(EmulatedList(list(range(0, 5000, 10))), None, 6, id="five-hundred"),
        pytest.param(EmulatedList(list(range(0, 5000, 10))), 100, 1, id="limited-to-a-page"),
        pytest.param(EmulatedList(list(range(0, 5000, 10))), 101, 2, id="limited-beyond-a-page"),
        pytest.param(
            EmulatedList(FOUR_ITEMS, limit_refuse_over=60), None, 2, id="limit-refused-once"
        ),
        pytest.param(EmulatedList(FOUR_ITEMS, next_always=True), None, 2, id="next-at-the-end"),
    ],
)
def test_no_more_requests_than_the_list_needs(server, limit, requests):
    assert ids_read_from(server, limit=limit) == server.within(WHOLE)[:limit]
    assert server.requests == requests


def test_a_page_that_brings_nothing_new_is_not_the_end_while_next_goes_on():
    """As where a service filters what it has cut into pages."""
    pages = {None: ([9, 8], 8), 9: ([8], 5), 6: ([5, 4], None)}

    def fetch(window, _limit):
        moments, following = pages[window.until]
        return Page([{"id": str(moment), "createdAt": moment} for moment in moments], following)

    assert [item["id"] for item in read_all_pages(fetch, WHOLE)] == ["9", "8", "5", "4"]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page([{"createdAt": 5}], None), id="item-without-id"),
        pytest.param(Page([{"id": "a"}], 5), id="more-pages-but-no-createdAt"),
        pytest.param(
            Page([{"id": "a", "createdAt": 1}, {"id": "b", "createdAt": 9}], 5),
            id="next-within-the-page",
        ),
        pytest.param(
            Page([{"id": i, "createdAt": c} for i, c in (("a", 9), ("b", 1), ("c", 5))], 1),
            id="no-order",
        ),
        pytest.param(
            Page([{"id": "a", "createdAt": 1}, {"id": "b", "createdAt": 2}], 1),
            id="it-never-moves-on",
        ),
        pytest.param(Page([{"id": "a", "createdAt": "today"}], 5), id="createdAt-is-no-number"),
    ],
)
def test_a_list_that_cannot_be_walked_fails(page):
    with pytest.raises(PagingError):
        read_all_pages(lambda _window, _limit: page, WHOLE)


@pytest.mark.parametrize(("bound", "most"), [("MOST_ITEMS", 1_000_000), ("MOST_PAGES", 100_000)])
def test_a_list_without_end_fails(monkeypatch, bound, most):
    """New items on each page, for ever. A thousandth of the bound shows as much, and sooner."""
    assert getattr(paging, bound) == most
    monkeypatch.setattr(paging, bound, most // 1000)
    numbers = itertools.count(1)

    def fetch(_window, _limit):
        moment = -10 * next(numbers)
        moments = range(moment, moment - 10, -1 if bound == "MOST_ITEMS" else -5)
        return Page([{"id": str(moment), "createdAt": moment} for moment in moments], moments[-1])

    with pytest.raises(PagingError, match="it has more than"):
        read_all_pages(fetch, WHOLE)
    assert next(numbers) <= 103
