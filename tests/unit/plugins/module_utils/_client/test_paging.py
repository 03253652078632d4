# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paging: every item exactly once, or a failure; never a part of a list, whatever the specification leaves open."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from client import api_to
from emulated_list import EmulatedList
from hosting_platform_emulator.state.switches import SWITCHES
from hypothesis import assume, given
from hypothesis import strategies as st
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._client import paging
from ansible_collections.hosting.platform.plugins.module_utils._client.habits import Habits
from ansible_collections.hosting.platform.plugins.module_utils._client.paging import Page, PagingError, Walk, Window
from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError

FOUR_ITEMS = [10, 20, 30, 40]
WHOLE = Window()
PAGING = examples(400)
LIMITS = ("limit_cap", "limit_refuse_over")
OPEN = ("list_order", "bounds", "next_value", "next_on_full_last_page", "next_always")
WAYS = st.fixed_dictionaries({name: st.sampled_from(SWITCHES[name].values) for name in OPEN})
in_either_order = pytest.mark.parametrize("order", SWITCHES["list_order"].values)


def tied(most):
    """Few timestamps, so that ties and page edges meet often."""
    return st.sampled_from([1002, 1006, 1030]).flatmap(lambda last: st.lists(st.integers(1000, last), max_size=most))


TIED = tied(24)
DISTINCT = st.integers(0, 24).map(lambda items: range(1000, 1000 + 3 * items, 3))


@st.composite
def lists(draw, /, created=TIED, caps=(2, 9), limits=LIMITS, **switches):
    """Lists under any switches of the emulator, but for the given ones. No service gives one item at a time."""
    limit = {draw(st.sampled_from(limits)): draw(st.just(0) | st.integers(*caps))}
    return EmulatedList(draw(created), **{**draw(WAYS), **limit, **switches})


def habits_of_clients():
    """Clients that ask for small pages, or for so many that only the server's cap makes pages."""

    def with_size(page_size):
        result = Habits()
        result.page_size = page_size
        return result

    return st.builds(with_size, st.sampled_from([2, 3, 5, 100]))


def ids(items):
    return [item["id"] for item in items]


def walk(server, habits=None, bounds=WHOLE, limit=None):
    """The ids that a walk finds; ``None`` where it refuses to say."""
    try:
        return ids(Walk(habits or Habits(), server.fetch, bounds, limit).items())
    except PagingError:
        return None


@PAGING
@given(server=lists(), habits=habits_of_clients(), data=st.data())
def test_what_changes_during_the_walk_hides_nothing_that_stays(server, habits, data):
    before = server.within(WHOLE)
    change = st.integers(1000, 1040) | (st.sampled_from(before) if before else st.nothing())
    server.changes = data.draw(st.dictionaries(st.integers(1, 8), st.lists(change, min_size=1, max_size=3)))
    found = walk(server, habits)
    if found is not None:
        assert set(before) & set(server.within(WHOLE)) <= set(found) <= set(server.ids)
        assert max(Counter(found).values(), default=1) == 1


def widest_tie(server, reach=0):
    """The most items of one moment (with a ``reach``: of so many adjacent moments more)."""
    count = Counter(server.created)
    return max((sum(count[moment + step] for step in range(reach + 1)) for moment in list(count)), default=0)


def with_room_for_ties(server):
    """With inclusive bounds the moments beside it come along with a page, so all of them have to fit."""
    widest = widest_tie(server, reach=2 if server.switches["bounds"] == "inclusive" else 0)
    for limit in LIMITS:
        if 0 < server.switches[limit] <= widest:
            server.switches[limit] = widest + 1
    return server


@PAGING
@given(server=lists(next_always=False), habits=habits_of_clients())
def test_ties_narrower_than_the_cap_never_fail(server, habits):
    assert walk(with_room_for_ties(server), habits) == server.within(WHOLE)


@PAGING
@given(server=lists(limits=["limit_cap"], next_always=True))
def test_narrow_ties_never_fail_though_the_end_is_not_marked(server):
    """But for a list of a single moment: it looks like one that the cap cuts."""
    assume(len(set(server.created)) != 1)
    assert walk(with_room_for_ties(server)) == server.within(WHOLE)


@PAGING
@given(server=lists(DISTINCT, next_always=True), habits=habits_of_clients())
def test_distinct_moments_never_fail_though_the_end_is_not_marked(server, habits):
    assert walk(server, habits) == server.within(WHOLE)


@PAGING
@given(
    server=lists(),
    habits=habits_of_clients(),
    since=st.none() | st.integers(998, 1032),
    until=st.none() | st.integers(998, 1032),
    limit=st.none() | st.integers(1, 30),
)
def test_bounds_and_limit_give_what_the_server_shows_first(server, habits, since, until, limit):
    window = Window(since, until)
    assert walk(server, habits, window, limit) in (server.within(window)[:limit], None)


@PAGING
@given(server=lists(caps=(1, 1)), habits=habits_of_clients(), limit=st.none() | st.integers(1, 30))
def test_a_service_that_gives_one_item_at_a_time_cuts_no_list(server, habits, limit):
    """But for a list of a single moment: it looks like one of a single item."""
    assume(len(set(server.created)) != 1)
    assert walk(server, habits, limit=limit) in (server.within(WHOLE)[:limit], None)


@PAGING
@given(server=lists(DISTINCT, caps=(1, 1), next_always=False, next_on_full_last_page=False))
def test_distinct_moments_never_fail_though_items_come_one_at_a_time(server):
    assert walk(server) == server.within(WHOLE)


@PAGING
@given(first=lists(tied(40), caps=(20, 25)), second=lists(tied(40)), habits=habits_of_clients())
def test_what_one_list_taught_cuts_no_other(first, second, habits):
    """One client walks many lists of one service, which share its habits. A cap under 20, its default, is none."""
    second.switches = first.switches
    walk(first, habits)
    assert walk(second, habits) in (second.within(WHOLE), None)


@in_either_order
@pytest.mark.parametrize("limit", LIMITS)
def test_ties_wider_than_the_cap_fail_and_say_so(order, limit):
    server = EmulatedList([1, 2, *[500] * 30, 998, 999], list_order=order, **{limit: 25})
    with pytest.raises(PagingError) as failure:
        Walk(Habits(), server.fetch, WHOLE).items()
    assert "500" in str(failure.value)
    assert "same moment" in str(failure.value)


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
        pytest.param(EmulatedList([7] * 150), None, 2, id="tie-wider-than-a-page"),
        pytest.param(EmulatedList(FOUR_ITEMS, limit_refuse_over=60), None, 2, id="limit-refused-once"),
    ],
)
def test_no_more_requests_than_the_list_needs(server, limit, requests):
    found = Walk(Habits(), server.fetch, WHOLE, limit).items()
    assert ids(found) == server.within(WHOLE)[:limit]
    assert server.requests == requests


def test_a_refused_page_size_is_remembered_for_the_next_list():
    habits = Habits()
    Walk(habits, EmulatedList(FOUR_ITEMS, limit_refuse_over=10).fetch, WHOLE).items()
    second = EmulatedList(FOUR_ITEMS, limit_refuse_over=10)
    Walk(habits, second.fetch, WHOLE).items()
    assert second.requests == 1


def test_a_failure_after_a_refused_page_size_is_what_is_told(emulator):
    emulator.switch(limit_refuse_over=50)
    emulator.fail("GET /projects", "403", skip=1)
    with pytest.raises(ApiError) as failure:
        api_to(emulator.base_url).list_projects()
    assert failure.value.status == 403


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page([{"createdAt": 5}], None), id="item-without-id"),
        pytest.param(Page([{"id": "a"}], 5), id="more-pages-but-no-createdAt"),
        pytest.param(Page([{"id": "a", "createdAt": 1}, {"id": "b", "createdAt": 9}], 5), id="next-within-the-page"),
        pytest.param(Page([{"id": "a", "createdAt": 1}, {"id": "b", "createdAt": 2}], 1), id="it-never-moves-on"),
        pytest.param(Page([{"id": "a", "createdAt": "today"}], 5), id="createdAt-is-no-number"),
    ],
)
def test_a_list_that_cannot_be_walked_fails(page):
    with pytest.raises(PagingError):
        Walk(Habits(), lambda _window, _limit: page, WHOLE).items()


@pytest.mark.parametrize(("bound", "most"), [("MOST_ITEMS", 1_000_000), ("MOST_PAGES", 100_000)])
def test_a_list_without_end_fails(monkeypatch, bound, most):
    """New items on each page, for ever. A thousandth of the bound shows as much, and sooner."""
    assert getattr(paging, bound) == most
    monkeypatch.setattr(paging, bound, most // 1000)
    numbers = itertools.count(1)

    def fetch(_window, _limit):
        moment = -10 * next(numbers)
        moments = range(moment, moment - (10 if bound == "MOST_ITEMS" else 2), -1)
        return Page([{"id": str(moment), "createdAt": moment} for moment in moments], moments[-1])

    with pytest.raises(PagingError, match="it has more than"):
        Walk(Habits(), fetch, WHOLE).items()
    assert next(numbers) <= 103


def test_a_server_that_has_others_whenever_it_is_asked_fails_before_a_page_is_asked_for_that_none_can_hold():
    """It ignores the bounds, and says that all of its items are of one moment."""
    numbers = itertools.count(1)
    limits = []

    def fetch(_window, limit):
        limits.append(limit)
        return Page([{"id": f"{next(numbers)}", "createdAt": 5}], 5)

    with pytest.raises(PagingError, match="does not end"):
        Walk(Habits(), fetch, WHOLE).items()
    assert max(limits) < 2 * paging.MOST_ITEMS


@pytest.mark.parametrize("hidden", [0, 1])
def test_a_full_page_of_one_moment_is_never_the_whole_list_where_larger_ones_are_refused(hidden):
    """Also where a shorter list has shown that a ``next`` means nothing: the rest would be created once more."""
    habits = Habits()
    refusing = {"next_always": True, "limit_refuse_over": 3}
    shorter = EmulatedList([5], **refusing)
    assert len(Walk(habits, shorter.fetch, WHOLE).items()) == 1
    assert habits.marks_end is False
    server = EmulatedList([5] * (3 + hidden), **refusing)
    with pytest.raises(PagingError, match="refused rather than cut"):
        Walk(habits, server.fetch, WHOLE).items()


@in_either_order
def test_a_page_that_was_taken_for_the_whole_list_is_refused_once_others_follow_that_are_no_wider(order):
    """As wide as all others, it may be no more than the service returns at once."""
    habits = Habits()
    assert len(Walk(habits, EmulatedList([5], next_always=True).fetch, WHOLE).items()) == 1
    other = 9 if order == "ascending" else 1
    server = EmulatedList([*[5] * 4, other], list_order=order, next_always=True, limit_cap=3)
    with pytest.raises(PagingError, match="refused rather than cut"):
        Walk(habits, server.fetch, WHOLE).items()


@in_either_order
def test_a_first_page_of_neighbours_is_no_tie(order):
    """Its overlap is the page itself, and the next one begins with the last of them."""
    habits = Habits()
    walk(EmulatedList([5], next_always=True), habits)
    server = EmulatedList([1, 2, 3], list_order=order, bounds="inclusive", next_always=True, limit_cap=2)
    assert walk(server, habits) == server.within(WHOLE)


@in_either_order
def test_a_walk_that_goes_in_circles_fails_and_says_what_to_do(order):
    """One item at a time, bounds that include their own moment, and neighbours: the overlap is a page already."""
    server = EmulatedList([1, 2, 3, 4], list_order=order, bounds="inclusive", limit_cap=1)
    with pytest.raises(PagingError, match=r"does not end.* hold 1 at most.* page limit raised") as failure:
        Walk(Habits(), server.fetch, WHOLE).items()
    assert "since, until" in str(failure.value)


def test_small_ties_of_a_service_that_always_gives_a_next_are_whole(emulator):
    """Its other lists show that a next at the end means nothing; where none does, the list is refused."""
    emulator.switch(next_always=True)
    emulator.seed(projects=[{"name": name, "createdAt": 1000} for name in ("a", "b", "c")])
    with pytest.raises(PagingError, match="refused rather than cut"):
        api_to(emulator.base_url).list_projects()
    emulator.seed(teams=[{"slug": "acme"}])
    assert len(api_to(emulator.base_url).list_projects()) == 3
