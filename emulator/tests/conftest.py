# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from collections.abc import Iterator

import pytest

from hosting_platform_emulator import running
from hosting_platform_emulator.state.switch import Value
from support import DEV_EMAIL, DEV_TOKEN, NEW_YEAR, OWNER_TOKEN, Api


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """One emulator for all tests, each of which starts from nothing."""
    with running(owner_token=OWNER_TOKEN) as platform:
        yield platform.base_url


@pytest.fixture
def api(base_url: str) -> Iterator[Api]:
    """The owner's client, to an emulator that was reset."""
    with Api(base_url) as client:
        assert client.post("/_emulator/reset").is_success
        yield client


@pytest.fixture
def dev(api: Api) -> Iterator[Api]:
    """Another user's client."""
    api.control.seed(users=[{"email": DEV_EMAIL, "token": DEV_TOKEN}])
    with api.as_user(DEV_TOKEN) as client:
        yield client


@pytest.fixture
def switched(api: Api, request: pytest.FixtureRequest) -> Value:
    """The value that a switch was set to for this test."""
    name, value = request.param
    assert api.control.switch(**{name: value})[name] == value
    chosen: Value = value
    return chosen


@pytest.fixture
def stopped_clock(api: Api) -> None:
    api.post("/_emulator/clock", json={"now": NEW_YEAR, "stopped": True})


@pytest.fixture
def acme(api: Api) -> Api:
    """The team acme with a project, an alias and a domain, all of long ago."""
    api.control.seed(
        teams=[{"slug": "acme", "createdAt": 1}],
        projects=[{"name": "old", "team": "acme", "alias": "", "createdAt": 2}],
        aliases=[{"alias": "old.example.com", "project": "old", "team": "acme"}],
        domains=[{"name": "old.example.net", "team": "acme"}],
    )
    return api
