# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two certificates, an address without a server, and no settings of this machine that change what a
client does.
"""

import socket

import pytest
from certificates import Certified, self_signed

SETTINGS = (
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "NETRC",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
)


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch):
    for variable in SETTINGS:
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.upper(), raising=False)


@pytest.fixture(scope="session")
def own(tmp_path_factory) -> Certified:
    return self_signed(tmp_path_factory.mktemp("own"), "own")


@pytest.fixture(scope="session")
def other(tmp_path_factory) -> Certified:
    return self_signed(tmp_path_factory.mktemp("other"), "other")


@pytest.fixture
def nobody() -> str:
    """A host and port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"127.0.0.1:{listening.getsockname()[1]}"
