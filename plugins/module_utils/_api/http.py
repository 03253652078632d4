# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""HTTP requests to one service with one identity. Knows no operation and no kind of object."""

from __future__ import annotations

import dataclasses
import functools
import platform
import re
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urlencode, urlsplit

from ansible.module_utils.ansible_release import __version__ as core_version

from .. import _threads as threads
from .._errors import ApiError, Effect, PlatformError
from .._version import VERSION
from .connection import Connection
from .faults import classify_exception
from .masking import mask
from .retries import LOOKUP_DELAYS, Clock, RetryBudget, Throttle
from .run import Run
from .transport import (
    Response,
    Transport,
    is_garbled,
    rejection,
    unexpected_body,
)

try:
    import requests
    from urllib3.exceptions import InsecureRequestWarning
except ImportError:
    pass


CLIENT = (
    f"hosting.platform/{VERSION} ansible-core/{core_version} python/{platform.python_version()}"
)
HEADERS = {
    "User-Agent": CLIENT,
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "Connection": "keep-alive",
}
IDLE_SECONDS = 5.0
# The status of an object that is locked, which was not processed, and the waits for its release.
LOCKED = 423
LOCK_DELAYS = LOOKUP_DELAYS[1:]
INVALID_PATH_VALUES = ("", ".", "..")
BRACES = re.compile(r"\{[^}]*\}")

Body = Mapping[str, Any]


class Request(NamedTuple):
    """One request."""

    # As in section 4 of the specification (``PATCH /projects/{idOrName}``): method and path.
    operation: str
    # They fill the braces of the path in order.
    path_values: tuple[Any, ...] = ()
    query: Mapping[str, Any] = {}
    body: Body | None = None
    # Whether a parsed 2xx body is what the specification promises; by default, any that is not
    # garbled is accepted.
    is_expected: Callable[[Any], bool] = lambda _body: True
    # Sending it twice does no harm.
    is_idempotent: bool = True
    # No message may show them.
    secrets: tuple[str, ...] = ()
    # It is sent again after a temporary fault, and after the status 423.
    has_retries: bool = True
    waits_for_lock: bool = True

    @property
    def method(self) -> str:
        return self.operation.split(" ", 1)[0]

    @property
    def is_write(self) -> bool:
        return self.method != "GET" or not self.is_idempotent

    @property
    def path(self) -> str:
        """The path with its values escaped; ``/`` becomes ``%2F``, a space ``%20``."""
        path = BRACES.sub("{}", self.operation.split(" ", 1)[1])
        return path.format(*map(_path_segment, self.path_values))


def _path_segment(value: Any) -> str:
    if str(value) in INVALID_PATH_VALUES:
        raise PlatformError(
            f"{str(value)!r} cannot be used in a path, because it would be removed in transit."
        )
    return quote(str(value), safe="", errors="surrogateescape")


class HttpClient:
    """Sends calls, retries what may be retried, and raises ApiError. Safe to use from several
    threads.
    """

    def __init__(self, connection: Connection, run: Run, clock: Clock | None = None) -> None:
        self.connection = connection
        self.clock = clock or Clock()
        self._throttle = Throttle(self.clock)
        self._headers = dict(HEADERS)
        if connection.access_token:
            self._headers["Authorization"] = f"Bearer {connection.access_token}"
        self._path = urlsplit(connection.base_url).path
        self._thread_local = threading.local()
        self.begin_run(run)
        if not connection.validate_certs:
            warnings.simplefilter("ignore", InsecureRequestWarning)

    def retries(self) -> RetryBudget:
        """A new retry budget, as set by the connection options."""
        return RetryBudget(
            self.connection.max_retries, self.connection.max_retry_delay, self.clock, self._throttle
        )

    def begin_run(self, run: Run) -> None:
        """The requests that follow belong to this run. Raises InvalidOption for a log that cannot
        be written.
        """
        self.run = run
        self._throttle.tell = run.notify
        path = self.connection.request_log
        self._log = None
        if path:
            from .request_log import RequestLog  # few tasks keep a log

            self._log = RequestLog(path)

    def close(self) -> None:
        """Close the connections of all threads, which nothing else holds. A later call makes new
        ones.
        """
        self._thread_local = threading.local()

    def send(self, request: Request) -> Response:
        """Raises ApiError when the API rejects the request, or when the allowed attempts are used
        up.
        """
        retries = self.retries()
        waits_since = self.clock.now()
        attempt = 0
        follows_silence = False
        lock_delays = list(LOCK_DELAYS if request.waits_for_lock else ())
        while True:
            attempt += 1
            self._throttle.wait()
            threads.sleep(0)  # which ends a thread that nobody waits for
            self.run.note_request(is_write=request.is_write)
            try:
                return self._send_logged(request, attempt, self.clock.now() - waits_since)
            except ApiError as error:
                follows_silence |= error.is_silence
                error.follows_silence = follows_silence
                waits_since = self.clock.now()
                if error.status == LOCKED and lock_delays:
                    self.clock.sleep(lock_delays.pop(0))
                    continue
                may_repeat = request.is_idempotent or error.effect is Effect.NOT_PROCESSED
                if not (request.has_retries and error.fault.temporary and may_repeat):
                    raise
                retries.wait(error)

    def _send_logged(self, request: Request, attempt: int, waited: float) -> Response:
        """The response to one request, which is logged if a log is configured."""
        if not self._log:
            return self._send_once(request)
        path = self._mask(request, self._path + request.path)
        with self._log.line(self.clock, request.operation, path, attempt, waited) as line:
            response = self._send_once(request)
            line.update(status=response.status, error=None)
        return response

    def _send_once(self, request: Request) -> Response:
        """Send one attempt. Raises ApiError if there is no response, or not the expected one."""
        path = self._path + request.path
        mask = functools.partial(self._mask, request)
        try:
            response = self._transport().send(
                self._prepare(request), self.connection.timeout, self.clock
            )
        except Exception as error:  # noqa: BLE001 (whatever the network does, the caller gets an ApiError)
            fault = classify_exception(error, self.connection.base_url)
            fault = dataclasses.replace(fault, problem=mask(fault.problem))
        else:
            if not response.is_success:
                fault = rejection(response, mask)
                if response.status == 401 and self.connection.token_place:
                    host = urlsplit(self.connection.base_url).netloc
                    advice = f"Check {self.connection.token_place}: {host} does not accept it."
                    fault = dataclasses.replace(fault, advice=advice)
            elif (response.body is None and is_garbled(response)) or not request.is_expected(
                response.body
            ):
                fault = unexpected_body(response, mask)
            else:
                return response
        # Raised outside `except` on purpose: a chained requests exception would show the query,
        # which holds a token during login.
        raise ApiError(request.operation, path, fault)

    def _prepare(self, request: Request) -> requests.PreparedRequest:
        query = {key: value for key, value in request.query.items() if value is not None}
        prepared = requests.PreparedRequest()
        prepared.prepare(
            request.method,
            self.connection.base_url + request.path,
            self._headers,
            params=urlencode(query),
            json=request.body,
        )
        return prepared

    def _transport(self) -> Transport:
        """This thread's connections. The service may close a long-idle one just as it is used
        again, and then it is unknown whether that request was processed: a new one is made in time.
        """
        local = self._thread_local
        if not hasattr(local, "transport"):
            local.transport = Transport(self.connection)
        elif self.clock.now() - local.used_at > IDLE_SECONDS:
            local.transport.close()
        local.used_at = self.clock.now()
        return cast("Transport", local.transport)

    def _mask(self, request: Request, text: str) -> str:
        return str(mask(text, (self.connection.access_token, *request.secrets)))
