# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator as a library: `running()` and what it gives, and the plugin of pytest, which is only
installed.
"""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from certificates import self_signed

from hosting_platform_emulator import ControlError, HostingPlatform, StartFailed, running
from support import Api


def owner(platform: HostingPlatform) -> Api:
    return Api(platform.base_url, platform.token)


def test_an_emulator_for_the_length_of_a_block() -> None:
    with running() as platform, running() as other, owner(platform) as api:
        assert platform.environment == {
            "HOSTING_PLATFORM_BASE_URL": platform.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN": platform.token,
        }
        api.new_project("web")
        assert (len(platform.state()["projects"]), other.state()["projects"]) == (1, [])
        assert platform.token != other.token
    with pytest.raises(httpx.ConnectError):
        httpx.get(platform.base_url)


def test_library_controls_the_emulator() -> None:
    with running() as platform, owner(platform) as api:
        with pytest.raises(ControlError, match="POST /_emulator/seed: 400 A seed has no `castles`"):
            platform.seed(castles=[])
        assert platform.seed(projects=[{"name": "web"}])["projects"][0]["name"] == "web"
        both = platform.seed(
            {"teams": [{"slug": "acme"}]}, projects=[{"name": "b", "team": "acme"}]
        )
        assert both.keys() == {"teams", "projects"}
        assert platform.switch(not_found=403, limit_cap="5")["limit_cap"] == 5
        assert platform.switch({"not_found": 400})["not_found"] == 400
        assert platform.fault("GET /user", "503", count=1)["remaining"] == 1
        assert [api.get(path).status_code for path in ("/user", "/user", "/projects/x")] == [
            503,
            200,
            400,
        ]
        assert [request["status"] for request in platform.requests()] == [503, 200, 400]
        assert [request["path"] for request in platform.requests(after=2)] == ["/projects/x"]
        before = platform.snapshot()
        platform.reset()
        platform.restore(before)
        assert [project["name"] for project in platform.state()["projects"]] == ["web", "b"]
        platform.scenario({"switches": {"not_found": 404}})
        assert api.get("/projects/x").status_code == 404


def test_options(tmp_path: Path) -> None:
    emulator = running(
        owner_token="a-token-of-mine-0123",
        owner_email="me@example.com",
        base_path="api/v1/",
        database=tmp_path / "x.db",
        switches={"extra_fields": True, "limit_cap": 7},
        log_limit=1,
    )
    with emulator as platform, owner(platform) as api:
        assert platform.token == "a-token-of-mine-0123"
        assert platform.base_url.endswith("/api/v1")
        assert api.get("/user").json()["email"] == "me@example.com"
        assert "nodeVersion" in api.get("/user").json()
        requests = platform.requests()
        assert (len(requests), requests.forgotten) == (1, 1)


def test_https(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path, "localhost")
    trust = ssl.create_default_context(cafile=certificate)
    with running(certificate=certificate, key=key) as platform:
        assert platform.base_url.startswith("https://127.0.0.1:")
        assert platform.fault("GET /user", "reset")["remaining"] == 1
        with Api(platform.base_url, platform.token, verify=trust) as api:
            with pytest.raises(httpx.TransportError):
                api.get("/user")
            assert api.get("/user").is_success


def test_a_start_that_fails_says_why() -> None:
    with pytest.raises(StartFailed, match="404, 400, 403"), running(switches={"not_found": 418}):
        pytest.fail("it started")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartFailed, match="Address already in use"), running(port=port):
            pytest.fail("it started")


PARENT = """
from hosting_platform_emulator import running
with running() as platform:
    print(platform.base_url, platform.token, flush=True)
    input()
"""


@pytest.mark.skipif(not shutil.which("ps"), reason="ps is not installed")
def test_it_ends_with_the_process_that_started_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        base_url, token = parent.stdout.readline().decode().split()
        shown = subprocess.run(
            ["ps", "-A", "-ww", "-o", "args"], capture_output=True, text=True, check=True
        ).stdout
        assert "hosting_platform_emulator" in shown
        assert token not in shown, "the command line shows no token"
        os.kill(parent.pid, signal.SIGKILL)
    address = urlsplit(base_url)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            socket.create_connection(
                (str(address.hostname), int(address.port or 0)), timeout=5
            ).close()
        except (ConnectionRefusedError, ConnectionResetError):
            # A reset: the connection was waiting while the socket was closed.
            return
    pytest.fail("it still listens")


@pytest.mark.parametrize("turn", [1, 2])
def test_the_fixture_is_fresh_each_time(hosting_platform: HostingPlatform, turn: int) -> None:
    with Api(hosting_platform.base_url, hosting_platform.token) as api:
        assert hosting_platform.state()["projects"] == [], f"turn {turn}"
        assert api.get("/projects/none").status_code == 404
        api.new_project("web")
    hosting_platform.switch(not_found=403)
