# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A running emulator as tests see it. Requires only the standard library."""

import json
import ssl
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPMessage, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_TIMEOUT = 60.0
Document = Mapping[str, Any]


class ControlError(Exception):
    """The emulator refused a control request; the message is the emulator's."""


class Requests(list[dict[str, Any]]):
    """Logged requests, oldest first; `forgotten` counts older ones that the log no longer keeps."""

    forgotten = 0


class HostingPlatform:
    """The platform that a playbook or program is tested against.

    `base_url` is the address of its API, and `token` the bearer token of its owner.
    """

    def __init__(self, base_url: str, token: str, certificate: str | Path | None = None) -> None:
        self.base_url = base_url
        self.token = token
        self._address = urlsplit(base_url)
        self._tls = (
            ssl.create_default_context(cafile=certificate)
            if self._address.scheme == "https"
            else None
        )
        if self._tls:
            self._tls.check_hostname = False

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that point the collection hosting.platform here."""
        return {
            "HOSTING_PLATFORM_BASE_URL": self.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN": self.token,
        }

    def seed(
        self, document: Document | str | Path | None = None, /, **kinds: Any
    ) -> dict[str, Any]:
        """Create the objects of a document, of a YAML or JSON file, or as given by kind; return
        them.
        """
        return self.control("POST", "seed", _merged(document, kinds))

    def switch(self, values: Document | None = None, /, **switches: Any) -> dict[str, Any]:
        """Choose how the API behaves where its specification is silent; return all switches."""
        return self.control("PATCH", "switches", {**(values or {}), **switches})

    def fault(self, operation: str, fault: str, **details: Any) -> dict[str, Any]:
        """Plan a fault for the next requests of an operation such as `POST /projects`; return the
        plan.
        """
        return self.control("POST", "faults", {"operation": operation, "fault": fault, **details})

    def scenario(self, document: Document | str | Path) -> dict[str, Any]:
        """Apply the seed, switches and faults of a document, or of a YAML or JSON file, in one
        step.
        """
        return self.control("POST", "scenario", _merged(document, {}))

    def requests(self, after: int = 0) -> Requests:
        """The requests to the API so far, or those after the one with that number."""
        entries, headers = self._ask("GET", f"requests?after={after}", None)
        logged = Requests(entries)
        logged.forgotten = int(headers["X-Forgotten"])
        return logged

    def state(self) -> dict[str, list[dict[str, Any]]]:
        """Everything that is stored, by kind, without tokens."""
        return self.control("GET", "state")

    def outbox(self) -> list[dict[str, Any]]:
        """The mails sent, whose links confirm logins."""
        mails: list[dict[str, Any]] = self._ask("GET", "outbox", None)[0]
        return mails

    def snapshot(self) -> dict[str, Any]:
        """The whole state, every id and time included, for `restore`."""
        return self.control("POST", "snapshot", {})

    def restore(self, snapshot: Document) -> None:
        """Restore a snapshot, which may be another emulator's."""
        self.control("POST", "restore", snapshot)

    def advance(self, seconds: float) -> None:
        """Advance the emulator's clock."""
        self.control("POST", "clock", {"advance": seconds})

    def reset(self, *, seed: bool = False, keep_switches: bool = False) -> None:
        """Delete everything but the owner; `seed` restores what the emulator was started with."""
        self.control("POST", "reset", {"seed": seed, "keep_switches": keep_switches})

    def control(self, method: str, path: str, document: Document | None = None) -> dict[str, Any]:
        """Send any request to the control API, such as `DELETE` of `faults`; return the answered
        object.
        """
        answer: dict[str, Any] = self._ask(method, path, document)[0]
        return answer

    def _ask(self, method: str, path: str, document: Document | None) -> tuple[Any, HTTPMessage]:
        body = None if document is None else json.dumps(document)
        with closing(self._connection()) as connection:
            connection.request(method, f"{self._address.path}/_emulator/{path}", body)
            answer = connection.getresponse()
            content = json.load(answer)
        if answer.status >= 400:
            raise ControlError(f"{method} /_emulator/{path}: {answer.status} {content['message']}")
        return content, answer.headers

    def _connection(self) -> HTTPConnection:
        host = str(self._address.hostname)
        port = self._address.port
        if self._tls:
            return HTTPSConnection(host, port, timeout=_TIMEOUT, context=self._tls)
        return HTTPConnection(host, port, timeout=_TIMEOUT)


def _merged(document: Document | str | Path | None, more: Document) -> Document:
    if isinstance(document, (str, Path)):
        from ..documents import document_of  # imported here, as only files need the YAML parser

        document = document_of(Path(document))
    return {**(document or {}), **more}
