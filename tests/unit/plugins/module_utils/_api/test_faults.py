# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A request that fails says what to look at: the token that is meant."""

import pytest
from stub_server import StubResponse, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._api.http import HttpClient
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError

TOKEN = "another-token-0123456789"
DEFAULTS = {"timeout": 5.0, "max_retries": 5, "max_retry_delay": 30.0, "validate_certs": True}


def token_place(place, tmp_path):
    """The options of a connection that has its token from a place, and how messages say it."""
    file = tmp_path / "token"
    file.touch(mode=0o600)
    file.write_text(TOKEN)
    return {
        "option": ({"access_token": TOKEN}, {"access_token": TOKEN}, "access_token"),
        "variable": ({"access_token": TOKEN}, {}, "HOSTING_PLATFORM_ACCESS_TOKEN"),
        "file": ({"access_token_path": str(file)}, {}, f"the token in {file}"),
    }[place]


@pytest.mark.parametrize("place", ["option", "variable", "file"])
def test_a_token_that_is_not_accepted_is_said_by_its_place_and_the_host(place, tmp_path):
    options, given, said = token_place(place, tmp_path)
    with stub_server(StubResponse(401)) as server:
        connection = Connection.from_options(
            {**DEFAULTS, "base_url": server.base_url, **options}, token_required=True, given=given
        )
        with pytest.raises(ApiError) as failure:
            Api(HttpClient(connection, Run())).get_user()
    host = server.base_url.removeprefix("http://")
    assert str(failure.value) == (
        f"GET /user failed: status 401. Check {said}: {host} does not accept it."
    )
