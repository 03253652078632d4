# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Emulators for the duration of a `with` block, each in a separate process."""

import json
import os
import secrets
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from .client import HostingPlatform

READY = "listening on "
_START_TIMEOUT = 60.0
_STOP_TIMEOUT = 10.0
Source = Mapping[str, Any] | str | Path


class StartFailed(Exception):
    """The emulator did not start; the message contains its output."""


@contextmanager
def running(
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    database: str | Path | None = None,
    owner_token: str | None = None,
    owner_email: str | None = None,
    seed: Source | None = None,
    scenario: Source | None = None,
    switches: Mapping[str, Any] | None = None,
    base_path: str | None = None,
    certificate: str | Path | None = None,
    key: str | Path | None = None,
    log_limit: int | None = None,
) -> Iterator[HostingPlatform]:
    """Run an emulator, which ends with the block, or with this process however that ends.

    The arguments are the options of the command. Without `port` a free one is taken; without
    `owner_token` a random one is made. `seed` and `scenario` are documents, or files.
    """
    token = owner_token if owner_token is not None else secrets.token_urlsafe(32)
    options = {
        "host": host,
        "port": port,
        "database": database,
        "owner-email": owner_email,
        "base-path": base_path,
    }
    options |= {"certificate": certificate, "key": key, "log-limit": log_limit}
    with ExitStack() as stack:
        for name, source in (("seed", seed), ("scenario", scenario)):
            options[name] = stack.enter_context(_file(source))
        arguments = [f"--{name}={value}" for name, value in options.items() if value is not None]
        arguments += [
            f"--switch={name}={_spelled(value)}" for name, value in (switches or {}).items()
        ]
        yield HostingPlatform(stack.enter_context(_process(arguments, token)), token, certificate)


@contextmanager
def _process(arguments: list[str], token: str) -> Iterator[str]:
    """A process of the emulator; yields its base URL."""
    # -P: nothing is imported from the working directory. The token is not on the command line,
    # which others can see.
    command = [
        sys.executable,
        "-P",
        "-m",
        __package__.partition(".")[0],
        "--until-stdin-closes",
        *arguments,
    ]
    environment = {**os.environ, "HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN": token}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
        )
        try:
            yield _base_url(process, errors)
        finally:
            _stop(process)
            sys.stderr.write(_read_all(errors))


def _base_url(process: subprocess.Popen[str], errors: IO[str]) -> str:
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        line = process.stdout.readline() if selector.select(_START_TIMEOUT) else ""
    if not line.startswith(READY):
        process.kill()
        process.wait()
        reason = _read_all(errors).strip() or f"nothing within {_START_TIMEOUT:.0f} s"
        errors.truncate(0)
        raise StartFailed(f"The emulator did not start. It said: {reason}")
    return line.removeprefix(READY).strip()


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=_STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _read_all(file: IO[str]) -> str:
    file.seek(0)
    return file.read()


@contextmanager
def _file(source: Source | None) -> Iterator[str | Path | None]:
    """A file with this document, for the command."""
    if source is None or isinstance(source, (str, Path)):
        yield source
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(source, file)
        file.flush()
        yield file.name


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
