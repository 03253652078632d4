# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""HTTP requests to one service with one identity. Knows no operation and no kind of object."""

from __future__ import annotations

import dataclasses
import functools
import platform
import re
import shlex
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urlsplit

from ansible.module_utils.ansible_release import __version__ as core_version

from .. import _threads as threads
from .._errors import ApiError, Outcome, PlatformError
from .._version import VERSION
from .connection import Connection
from .exchange import Answer, Exchange, fault_of, is_garbled, refusal, unreadable
from .masking import masked
from .request_log import RequestLog, now, words_for
from .retries import Clock, Pause, Retries
from .run import Run

try:
    import requests
    from urllib3.exceptions import InsecureRequestWarning
except ImportError:
    MISSING_LIBRARY = "requests"
else:
    MISSING_LIBRARY = ""


def how_to_install(library: str) -> str:
    """The command for this Python, as a sentence."""
    return f"Install it: {shlex.quote(sys.executable)} -m pip install {shlex.quote(library)}"


USER_AGENT = f"hosting.platform/{VERSION} ansible-core/{core_version} python/{platform.python_version()}"
HEADERS = {
    "User-Agent": USER_AGENT,
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "Connection": "keep-alive",
}
IDLE_SECONDS = 5.0
UNADDRESSABLE = ("", ".", "..")
BRACES = re.compile(r"\{[^}]*\}")


class Call(NamedTuple):
    """One request.

    ``operation`` is written as in section 4 of the specification (``PATCH /projects/{idOrName}``) and gives method and
    path; ``path_values`` fill its braces in order. ``is_promised`` says whether a parsed 2xx body is what the
    specification promises; by default, any that is not garbled is accepted. ``repeatable`` says that sending
    it twice does no harm. ``secrets`` are values that no message may show.
    """

    operation: str
    path_values: tuple[Any, ...] = ()
    query: Mapping[str, Any] = {}
    body: Mapping[str, Any] | None = None
    is_promised: Callable[[Any], bool] = lambda _body: True
    repeatable: bool = True
    secrets: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        return self.operation.split(" ", 1)[0]

    @property
    def is_write(self) -> bool:
        return self.method != "GET" or not self.repeatable

    @property
    def path(self) -> str:
        """The path with its values escaped; ``/`` becomes ``%2F``, a space ``%20``."""
        values = iter(self.path_values)
        return BRACES.sub(lambda _match: _path_segment(next(values)), self.operation.split(" ", 1)[1])


def _path_segment(value: Any) -> str:
    if str(value) in UNADDRESSABLE:
        raise PlatformError(f"{str(value)!r} cannot be part of a path: it would be removed on the way.")
    return quote(str(value), safe="", errors="surrogateescape")


class Http:
    """Sends calls, retries what may be retried, and raises ApiError. Safe to use from several threads."""

    def __init__(self, connection: Connection, run: Run, clock: Clock | None = None) -> None:
        self.connection = connection
        self.clock = clock or Clock()
        self._pause = Pause(self.clock)
        self._headers = dict(HEADERS)
        if connection.access_token:
            self._headers["Authorization"] = f"Bearer {connection.access_token}"
        self._path = urlsplit(connection.base_url).path
        self._of_thread = threading.local()
        self.begin_run(run)
        if not connection.validate_certs:
            warnings.simplefilter("ignore", InsecureRequestWarning)

    def retries(self) -> Retries:
        """A new retry budget, as set by the connection options."""
        return Retries(self.connection.max_retries, self.connection.max_retry_delay, self.clock, self._pause)

    def begin_run(self, run: Run) -> None:
        """Forget that an earlier run gave up on a throttling service, and check that the log can still be written."""
        self.run = run
        self._pause.begin_run(run.say)
        path = self.connection.request_log
        self._log = RequestLog(path) if path else None

    def close(self) -> None:
        """Close the connections of all threads, which nothing else holds. A later call makes new ones."""
        self._of_thread = threading.local()

    def send(self, call: Call) -> Answer:
        """Raises ApiError when the API refuses, or when the allowed tries are used up."""
        retries = self.retries()
        waits_since, attempt = self.clock.now(), 0
        while True:
            attempt += 1
            self._pause.wait()
            threads.end_if_given_up()
            self.run.note_request(is_write=call.is_write)
            try:
                answer = self._logged(call, attempt, self.clock.now() - waits_since)
            except ApiError as error:
                self._pause.note(error)
                if not error.fault.temporary or not (call.repeatable or error.outcome is Outcome.UNPROCESSED):
                    raise
                waits_since = self.clock.now()
                retries.wait(error)
            else:
                self._pause.note(None)
                return answer

    def _logged(self, call: Call, attempt: int, waited: float) -> Answer:
        """The answer to one request, which is logged if a log is configured."""
        if not self._log:
            return self._try(call)
        path, sent_at = self._redacted(call, self._path + call.path), self.clock.now()
        line = {"time": now(), "operation": call.operation, "path": path, "status": None, "attempt": attempt}
        error_words: str | None = "interrupted"
        try:
            answer = self._try(call)
        except ApiError as error:
            line["status"], error_words = error.status, words_for(error)
            raise
        else:
            line["status"], error_words = answer.status, None
            return answer
        finally:
            seconds = round(self.clock.now() - sent_at, 4)
            self._log.write({**line, "waited": round(waited, 3), "seconds": seconds, "error": error_words})

    def _try(self, call: Call) -> Answer:
        path, redact = self._path + call.path, functools.partial(self._redacted, call)
        try:
            answer = self._exchange().answer_to(self._prepared(call), self.connection.timeout, self.clock)
        except Exception as error:  # noqa: BLE001 (whatever the network does, the caller gets an ApiError)
            fault = fault_of(error, self.connection.base_url)
            fault = dataclasses.replace(fault, problem=redact(fault.problem))
        else:
            if not answer.is_success:
                fault = refusal(answer, redact)
            elif (answer.body is None and is_garbled(answer)) or not call.is_promised(answer.body):
                fault = unreadable(answer, redact)
            else:
                return answer
        # Out here it is not chained: the exceptions of requests quote the query, and a login carries its token there.
        raise ApiError(call.operation, path, fault)

    def _prepared(self, call: Call) -> requests.PreparedRequest:
        query = {key: value for key, value in call.query.items() if value is not None}
        url = self.connection.base_url + call.path
        return requests.Request(call.method, url, headers=self._headers, params=query, json=call.body).prepare()

    def _exchange(self) -> Exchange:
        """This thread's connections. The service may close a long-idle one just as it is used again, and then it is
        unknown whether that request was processed: a new one is made in time.
        """
        mine = self._of_thread
        if not hasattr(mine, "exchange"):
            options = self.connection
            verify = options.validate_certs and (options.ca_path or True)
            certificate = options.client_cert and (options.client_cert, options.client_key)
            mine.exchange = Exchange(options.base_url, verify, certificate)
        elif self.clock.now() - mine.used_at > IDLE_SECONDS:
            mine.exchange.close()
        mine.used_at = self.clock.now()
        return cast("Exchange", mine.exchange)

    def _redacted(self, call: Call, text: str) -> str:
        return str(masked(text, (self.connection.access_token, *call.secrets)))


def rehearse_request() -> None:
    """Build requests without sending them, to fill the process-wide caches of requests and urllib3."""
    http = Http(Connection("http://localhost"), Run())
    http._exchange()
    for operation, body in (("GET /projects", None), ("POST /projects", {"name": "rehearsal"})):
        http._prepared(Call(operation, query={"limit": 1}, body=body))
