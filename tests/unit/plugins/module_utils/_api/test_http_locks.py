# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An object that is locked (423): the request was not processed, and is sent again."""

import pytest
from client import expect_failure, make_api
from stub_server import json_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import Effect

LOCKED = json_response({"code": 423, "message": "it is being changed"}, 423)
DONE = json_response({"id": "prj_1", "name": "web"})
CALLS = {
    "GET": lambda api: api.get_project("web"),
    "POST": lambda api: api.create_project({"name": "web"}),
    "assignment": lambda api: api.assign_alias("web", {"alias": "www.example.com"}),
    "PATCH": lambda api: api.update_project("web", {"framework": "astro"}),
    "DELETE": lambda api: api.delete_project("web"),
}


@pytest.mark.parametrize("max_retries", [0, 5])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_request_is_sent_again_while_the_object_is_locked(clock, call, max_retries):
    with stub_server(LOCKED, LOCKED, LOCKED, DONE) as server:
        call(make_api(server.base_url, clock, max_retries=max_retries))
    assert len(server.requests) == 4
    assert clock.slept == [1, 2, 4]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_one_that_stays_locked_is_refused_and_says_so(call):
    failure = expect_failure(call, *[LOCKED] * 4, times=4)
    assert failure.effect is Effect.REJECTED
    assert str(failure).endswith(
        "failed: status 423, the API says: it is being changed. The object is locked: another"
        " change of it may be under way. Try again later."
    )


def test_an_invitation_is_sent_once():
    expect_failure(
        lambda api: api.invite_member("acme", {"email": "dev@example.com"}), LOCKED, match="locked"
    )
