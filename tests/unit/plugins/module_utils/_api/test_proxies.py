# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A proxy that cannot work: what to do, without its password."""

import os
import subprocess
import sys

import pytest
from client import make_api

from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError

pytestmark = pytest.mark.oldest_libraries

HIDDEN = "https://hosting.example"
VARIABLES = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
MALFORMED = [
    *(
        "http://",
        "http://:3128",
        "http://[::1",
        "http://proxy:99999",
        "http://proxy:port",
        "://proxy",
        "http:/proxy",
    ),
    *(
        "ftp://proxy:21",
        "socksx://proxy:1080",
        "http://a..b:3128",
        "user:secretive@proxy:3128",
    ),
    "http://user:secretive@:3128",
]


def failure_of(base_url: str, clock) -> ApiError:
    with pytest.raises(ApiError) as failure:
        make_api(base_url, clock).create_project({"name": "web"})
    return failure.value


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_malformed_proxy_of_each_variable_is_looked_at(monkeypatch, clock, variable):
    monkeypatch.setenv(variable, "http://:3128")
    assert "the proxy" in str(failure_of(HIDDEN, clock))
    assert clock.slept == []


@pytest.mark.parametrize("proxy", MALFORMED)
def test_a_malformed_proxy_is_not_quoted(monkeypatch, clock, proxy):
    monkeypatch.setenv("https_proxy", proxy)
    message = str(failure_of(HIDDEN, clock))
    assert "the proxy" in message
    assert "secretive" not in message


def test_a_proxy_that_is_not_used_is_not_judged(monkeypatch, emulator):
    monkeypatch.setenv("http_proxy", "http://:3128")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert make_api(emulator.base_url).get_user()["id"]


SEND = """
import sys
sys.modules["socks"] = None  # as if it were not installed
from client import make_api, make_project
make_project(make_api("https://hosting.example"))
"""


@pytest.mark.parametrize("scheme", ["socks5", "socks5h", "socks4", "SOCKS5"])
def test_a_library_that_a_proxy_needs_is_named(scheme):
    proxy = {
        "ALL_PROXY": f"{scheme}://user:secretive@proxy:1080",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-c", SEND]
    done = subprocess.run(
        command,
        env={**os.environ, **proxy},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    problem = (
        "the proxy in the environment speaks SOCKS, for which the Python library PySocks is"
        " missing."
    )
    assert (
        f"POST /projects failed: {problem} Install it: {sys.executable} -m pip install PySocks"
        in done.stderr
    )
    assert "secretive" not in done.stderr
