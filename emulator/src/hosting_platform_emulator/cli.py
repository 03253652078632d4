# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `hosting-platform-emulator`."""

import argparse
import logging
import os
import re
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import uvicorn

from . import __version__
from .application import Application
from .control.access import Access
from .control.emulator import Emulator, Scenario
from .documents import document_of
from .errors import Refusal
from .serving.request_log import DEFAULT_LIMIT
from .serving.wire import Protocol
from .state.store import IN_MEMORY, Store, UnusableDatabase
from .state.switches import Switches

OWNER_TOKEN = "HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN"


class _Server(uvicorn.Server):
    """Announces its address once it is listening."""

    def __init__(self, config: uvicorn.Config, base_url: str, given: argparse.Namespace) -> None:
        super().__init__(config)
        self._base_url = base_url
        self._ready_file: Path | None = given.ready_file
        if given.until_stdin_closes:
            threading.Thread(target=self._end_with_stdin, daemon=True).start()

    def _end_with_stdin(self) -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready_file:
            _write_whole(self._ready_file, self._base_url)
        print(f"listening on {self._base_url}", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Requests cut off by the shutdown are not errors.
        logging.getLogger("uvicorn.error").disabled = True
        await super().shutdown(sockets)


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        emulator = _emulator(given)
        base_path = _base_path(given.base_path)
        access = Access(given.host, given.allow_host)
        config = _config(Application(emulator, access, base_path), given)
        listener = _listener(given.host, given.port)
        address = _address(listener, given.host, secure=bool(given.certificate))
        emulator.base_url = address + base_path
        # The server re-raises the signals that stopped it; here they mean a clean exit.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        _Server(config, emulator.base_url, given).run(sockets=[listener])
    except (UnusableDatabase, Refusal, OSError, OverflowError, ValueError) as error:
        print(f"hosting-platform-emulator: {error}", file=sys.stderr)
        return 1
    emulator.store.close()
    return 0


def _config(application: Application, given: argparse.Namespace) -> uvicorn.Config:
    config = uvicorn.Config(
        application,
        http=Protocol,
        loop="auto",
        lifespan="off",
        interface="asgi3",
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=120,
        timeout_graceful_shutdown=1,
        ssl_certfile=given.certificate,
        ssl_keyfile=given.key,
    )
    if given.key and not given.certificate:
        raise ValueError("--key requires --certificate")
    try:
        config.load()
    except ssl.SSLError as error:
        raise ValueError(
            "--certificate takes a certificate in PEM format,"
            f" with its private key or beside --key: {error}"
        ) from error
    return config


def _base_path(given: str) -> str:
    """The base path as a prefix of request paths; empty if there is none."""
    path = f"/{given.strip('/')}" if given.strip("/") else ""
    if not re.fullmatch(r"(/[!$&-.0-;=@-Z_a-z~]+)*", path):
        raise ValueError(f"--base-path takes a path as it stands in a URL, not {given!r}")
    return path


def _write_whole(file: Path, text: str) -> None:
    """Write the file atomically, so that a process waiting for it never sees a partial one."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)


def _parser() -> argparse.ArgumentParser:
    description = "The hosting platform's management API, with stored state."
    parser = argparse.ArgumentParser(prog="hosting-platform-emulator", description=description)
    parser.add_argument("--version", action="version", version=__version__)
    _add_addresses(parser)
    _add_owner(parser)
    _add_state(parser)
    _add_process(parser)
    return parser


def _add_addresses(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1")
    add("--port", type=int, default=8080, help="0 picks a free one (default: %(default)s)")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name that control requests may use",
    )
    add("--base-path", default="", metavar="PATH", help="a path below which the API lies")
    add("--certificate", metavar="FILE", help="serve HTTPS with this certificate (PEM) ...")
    add("--key", metavar="FILE", help="... and this private key")


def _add_owner(parser: argparse.ArgumentParser) -> None:
    owner = parser.add_mutually_exclusive_group()
    owner.add_argument("--owner-token", metavar="TOKEN", help="the bearer token of the first user")
    elsewhere = "a file that holds it; without either option the environment variable"
    owner.add_argument(
        "--owner-token-file", type=Path, metavar="FILE", help=f"{elsewhere} {OWNER_TOKEN} does"
    )
    parser.add_argument("--owner-email", default="owner@example.com", metavar="EMAIL")


def _add_state(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--database",
        default=IN_MEMORY,
        metavar="FILE",
        help="where the state is kept (default: %(default)s)",
    )
    add("--seed", type=Path, metavar="FILE", help="YAML or JSON of objects to start with")
    add(
        "--scenario",
        type=Path,
        metavar="FILE",
        help="YAML or JSON with seed, switches and faults to start with",
    )
    add(
        "--switch",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="how the API behaves where it may differ",
    )


def _add_process(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--log-limit",
        type=int,
        default=DEFAULT_LIMIT,
        metavar="N",
        help="requests to log (default: %(default)s)",
    )
    add(
        "--ready-file",
        type=Path,
        metavar="FILE",
        help="receives the base URL once connections are accepted",
    )
    add(
        "--until-stdin-closes",
        action="store_true",
        help="end with the process that holds the other end of stdin",
    )


def _emulator(given: argparse.Namespace) -> Emulator:
    if given.log_limit < 0:
        raise ValueError("--log-limit takes a number of at least 0")
    scenario = Scenario.read(document_of(given.scenario) if given.scenario else {})
    switches = Switches({**scenario.switches, **dict(_switch(text) for text in given.switch)})
    if given.seed:
        scenario = replace(scenario, seeds=(document_of(given.seed), *scenario.seeds))
    owner = (given.owner_email, _owner_token(given))
    return Emulator(
        Store(given.database), switches, *owner, scenario=scenario, log_limit=given.log_limit
    )


def _owner_token(given: argparse.Namespace) -> str:
    if given.owner_token is not None:
        return _checked_token("--owner-token", given.owner_token)
    if given.owner_token_file is not None:
        file: Path = given.owner_token_file
        return _checked_token(f"--owner-token-file {file}", file.read_text("latin-1").strip())
    if OWNER_TOKEN in os.environ:
        return _checked_token(OWNER_TOKEN, os.environ[OWNER_TOKEN])
    raise ValueError(f"give the owner's token: --owner-token, --owner-token-file or {OWNER_TOKEN}")


def _checked_token(source: str, token: str) -> str:
    if not re.fullmatch("[!-~]+", token):
        raise ValueError(f"{source} takes printable ASCII without spaces, at least one character")
    return token


def _switch(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--switch takes NAME=VALUE, not {text!r}")
    return name, value


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=512)
    listener.setblocking(False)
    return listener


def _address(listener: socket.socket, host: str, *, secure: bool) -> str:
    port = listener.getsockname()[1]
    return f"{'https' if secure else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"
