# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command: its options, its signals, a database file that outlives it; and its container, run
without one.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from support import BARE_COMMAND, OWNER_TOKEN, Api, command, running, started

OWNER_VARIABLE = "HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN"


def refused_start(line: list[str]) -> str:
    """The explanation of a start that fails."""
    result = subprocess.run(line, capture_output=True, text=True, timeout=20, check=False)
    assert result.returncode == 1
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def test_ready_file_holds_the_base_url(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    with running("--ready-file", str(ready)) as base_url, Api(base_url) as api:
        assert ready.read_text() == base_url
        assert api.get("/user").is_success


@pytest.mark.parametrize("there", [False, True], ids=["new", "there already"])
def test_the_database_file_is_its_owners_alone(tmp_path: Path, there: bool) -> None:
    database = tmp_path / "platform.db"
    if there:
        database.touch(0o666)
        database.chmod(0o666)
    with running("--database", str(database)) as base_url, Api(base_url) as api:
        api.new_project("web")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert "platform.db-wal" in modes
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize(
    ("options", "variable"),
    [
        (["--owner-token", OWNER_TOKEN], "two words"),
        (["--owner-token-file", "token"], ""),
        ([], OWNER_TOKEN),
    ],
    ids=["option", "file", "environment"],
)
def test_owner_token_comes_from_option_file_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], variable: str
) -> None:
    (tmp_path / "token").write_text(f"{OWNER_TOKEN}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(OWNER_VARIABLE, variable)
    with started([*BARE_COMMAND, *options]) as base_url:
        assert Api(base_url).get("/user").is_success


@pytest.mark.parametrize(
    ("value", "part"), [(None, OWNER_VARIABLE), ("", OWNER_VARIABLE), ("two words", "printable")]
)
def test_a_start_without_a_token_is_explained(
    monkeypatch: pytest.MonkeyPatch, value: str | None, part: str
) -> None:
    monkeypatch.delenv(OWNER_VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(OWNER_VARIABLE, value)
    said = refused_start(BARE_COMMAND)
    assert part in said
    assert "two words" not in said


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_state_survives(tmp_path: Path, end: signal.Signals) -> None:
    database = str(tmp_path / "platform.db")
    with started(command("--database", database), end=end) as base_url, Api(base_url) as api:
        api.new_project("web", framework="vite")
        before = api.control.state()
        token = api.post("/auth/signin", json={"email": "x@example.com", "tokenName": "x"}).json()[
            "token"
        ]
    with running("--database", database) as base_url, Api(base_url) as api:
        assert api.control.state() == before
        assert api.get("/projects/web").json()["framework"] == "vite"
        api.get(urlsplit(api.get("/_emulator/outbox").json()[0]["link"]).path)
        assert api.get("/auth/verify", params={"email": "x@example.com", "token": token}).is_success


def test_a_database_belongs_to_one_emulator(tmp_path: Path) -> None:
    database = str(tmp_path / "platform.db")
    with running("--database", database) as base_url:
        assert "platform.db" in refused_start(command("--database", database))
        with Api(base_url) as api:
            assert api.new_project("web")["name"] == "web"


@pytest.mark.parametrize(
    ("option", "value", "part"),
    [
        ("--switch", "not_found=418", "404, 400, 403"),
        ("--switch", "not_found", "NAME=VALUE"),
        ("--seed", "no-such-file.json", "no-such-file.json"),
        *(
            ("--owner-token", value, "--owner-token takes printable ASCII")
            for value in ("", "two words", "tokén")
        ),
        *(
            ("--owner-token-file", file, f"{file} takes printable")
            for file in ("/dev/null", __file__, sys.executable)
        ),
        ("--owner-token-file", "no-such-file", "No such file"),
        ("--host", "192.0.2.1", "192.0.2.1"),
        ("--port", "65536", "65535"),
        ("--certificate", __file__, "a certificate in PEM format"),
        ("--key", __file__, "--key requires --certificate"),
        ("--base-path", "/a?b", "--base-path"),
    ],
)
def test_wrong_options_are_explained(
    monkeypatch: pytest.MonkeyPatch, option: str, value: str, part: str
) -> None:
    monkeypatch.setenv(OWNER_VARIABLE, OWNER_TOKEN)
    said = refused_start([*BARE_COMMAND, option, value])
    assert part in said
    assert "two words" not in said


def test_base_path() -> None:
    with running("--base-path", "/api/v1/") as base_url:
        assert urlsplit(base_url).path == "/api/v1"
        with Api(base_url) as api:
            project = api.new_project("a/b")
            assert api.get("/projects/a%2Fb").json() == project
            assert api.control.requests()[-1]["path"] == "/api/v1/projects/a%2Fb"
            token = api.post(
                "/auth/signin", json={"email": "x@example.com", "tokenName": "x"}
            ).json()["token"]
            assert httpx.get(api.get("/_emulator/outbox").json()[0]["link"]).is_success
            assert api.get(
                "/auth/verify", params={"email": "x@example.com", "token": token}
            ).is_success
            root = f"http://{urlsplit(base_url).netloc}"
            assert httpx.get(f"{root}/_emulator/state").json() == api.control.state(), (
                "control lies outside as well"
            )
            headers = {"Authorization": f"Bearer {OWNER_TOKEN}"}
            for path in ("/user", "/api/v1", "/api/v10/user", "/"):
                assert httpx.get(root + path, headers=headers).status_code == 501


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_stop_it_cleanly_even_in_a_slow_request(
    tmp_path: Path, number: signal.Signals
) -> None:
    said = tmp_path / "stderr"
    with said.open("w") as stderr, started(command(), stderr, end=number) as base_url:
        api = Api(base_url)
        api.control.fault("GET /user", "slow", delay=60)
        with pytest.raises(httpx.ReadTimeout):
            api.get("/user", timeout=0.1)
        assert api.get("/projects").is_success
    assert "Traceback" not in said.read_text()


FILE = (Path(__file__).parents[1] / "Containerfile").read_text(encoding="utf-8")
INSTRUCTIONS = dict(re.findall(r"^(\w+) (.+)$", FILE.replace("\\\n", ""), re.MULTILINE))
STATE = INSTRUCTIONS["VOLUME"]
ENTRYPOINT: list[str] = json.loads(INSTRUCTIONS["ENTRYPOINT"])
HEALTH: list[str] = json.loads(INSTRUCTIONS["HEALTHCHECK"].partition("CMD ")[2])


def is_healthy(address: str) -> bool:
    check = [part.replace("http://127.0.0.1:8080", address) for part in HEALTH]
    return (
        subprocess.run([sys.executable, *check[1:]], check=False, capture_output=True).returncode
        == 0
    )


def test_it_serves_a_job_and_ends_when_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry point, with options of the environment and arguments of its own.

    The signal to end is for the emulator's process and no shell's: otherwise a container is killed
    after ten seconds.
    """
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(Path(sys.executable).parent), *os.get_exec_path()])
    )
    monkeypatch.setenv("HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN", OWNER_TOKEN)
    monkeypatch.setenv(
        "HOSTING_PLATFORM_EMULATOR_OPTIONS", "--allow-host platform --switch not_found=403"
    )
    entry = [
        part.replace(STATE, str(tmp_path)).replace("--port 8080", "--port 0") for part in ENTRYPOINT
    ]
    with started([*entry, "--switch", "list_order=ascending"]) as base_url:
        address = base_url.replace("0.0.0.0", "127.0.0.1")
        assert is_healthy(address)
        with Api(address, headers={"Host": "platform:8080"}) as api:
            switches = api.get("/_emulator/switches").json()
        assert (switches["not_found"], switches["list_order"]) == (403, "ascending")
        assert [file for file in tmp_path.iterdir() if file.name.startswith("state.db")]
    assert not is_healthy(address)
