# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The bytes of an answer, within bounds of time and size, and nothing after them.

requests and urllib3 limit only how long a server may stay silent. So their connections get a response that reads
everything through a guard: status, headers, chunks and body.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import socket
import threading
from collections.abc import Iterator
from email import errors as email_errors
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import Any, cast

from .._errors import PlatformError
from .retries import Clock

try:
    import requests
    import urllib3
    from requests.adapters import HTTPAdapter
    from requests.utils import get_environ_proxies
except ImportError:
    HTTPAdapter = object  # type: ignore[assignment,misc]

TIMEOUTS_OF_AN_ANSWER = 10
TIMEOUT_ADVICE = "Raise timeout if the service is only slow."
MIB = 1024 * 1024
CA_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
WIRE_LIMIT = 40 * MIB  # a body, its headers, and the overhead of chunks
LENGTH = re.compile(r"[0-9]{1,15}")
HEADER_DEFECTS = (
    email_errors.FirstHeaderLineIsContinuationDefect,
    email_errors.HeaderDefect,
    email_errors.MisplacedEnvelopeHeaderDefect,
    email_errors.MissingHeaderBodySeparatorDefect,
)


class Violation(HTTPException):
    """An answer that violates HTTP, so it is unclear what it answers."""


class OutOfBounds(HTTPException):
    """An answer that takes too long, or is too large."""

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.advice = advice


class Exchange(threading.local):
    """The current request of a thread.

    urllib3 makes the connections. What they need to know about the request, and report about it, is kept per thread.
    ``has_left``: whether anything was sent, the TLS handshake aside; assumed until the contrary is proven.
    ``received``: the number of bytes received.
    """

    is_written = False

    def begin(self, clock: Clock, timeout: float) -> None:
        self.clock, self.timeout = clock, timeout
        self.deadline = clock.now() + TIMEOUTS_OF_AN_ANSWER * timeout
        self.has_left, self.is_written, self.received = True, False, 0

    @contextlib.contextmanager
    def before_it_leaves(self) -> Iterator[None]:
        """A step without which no request is sent. Its failure proves that none was."""
        try:
            yield
        except BaseException:
            self.has_left = self.is_written
            raise


exchange = Exchange()


class Session(HTTPAdapter):
    """Guarded connections to one service, through the proxies and with the certificates that the environment names.

    These are looked up once, as it takes a tenth of a request. A requests session would read the body of a redirect.
    """

    def __init__(self, base_url: str, verify: bool | str, certificate: Any) -> None:
        super().__init__()
        bundles = filter(None, map(os.environ.get, CA_BUNDLES))
        self._route: dict[str, Any] = {
            "proxies": get_environ_proxies(base_url),
            "verify": next(bundles, True) if verify is True else verify,
            "cert": certificate,
        }

    def answer_to(self, request: requests.PreparedRequest, timeout: float) -> requests.Response:
        """The answer with its body unread; propagates the exceptions of requests, urllib3 and the operating system.

        Raises PlatformError, before anything is sent, if the connection would not be guarded.
        """
        response = self.send(request, stream=True, timeout=timeout, **self._route)
        if not exchange.received:
            response.close()
            raise OutOfBounds(_untested("reads answers past their bounds of time and size"))
        return response

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        _guard_pools(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(*args, **kwargs)
        _guard_pools(manager)
        return manager

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        with exchange.before_it_leaves():
            return _checked(super().get_connection_with_tls_context(*args, **kwargs))

    def get_connection(self, *args: Any, **kwargs: Any) -> Any:  # until requests 2.31
        with exchange.before_it_leaves():
            return _checked(super().get_connection(*args, **kwargs))

    def cert_verify(self, *args: Any, **kwargs: Any) -> None:
        with exchange.before_it_leaves():
            super().cert_verify(*args, **kwargs)  # type: ignore[no-untyped-call]


def _checked(pool: Any) -> Any:
    """The pool. Raises PlatformError if it could not be told whether a request has left it."""
    if not issubclass(pool.ConnectionCls, _Connection):
        raise PlatformError(
            _untested("makes connections that do not tell whether a request has left. Nothing was sent")
        )
    return pool


def _untested(does: str) -> str:
    release = urllib3.__version__  # type: ignore[attr-defined]
    return f"urllib3 {release} {does}. Install a release that this collection is tested with, such as 2.5"


def _guard_pools(manager: Any) -> None:
    pools = manager.pool_classes_by_scheme
    manager.pool_classes_by_scheme = {scheme: _guarded(pool) for scheme, pool in pools.items()}


@functools.cache
def _guarded(pool: Any) -> Any:
    """The connection pool class, for HTTP, HTTPS or SOCKS, with guarded connections."""
    if issubclass(pool.ConnectionCls, _Connection):
        return pool
    connection = type(pool.ConnectionCls.__name__, (_Connection, pool.ConnectionCls), {})
    return type(pool.__name__, (pool,), {"ConnectionCls": connection})


class _Response(HTTPResponse):
    """An answer that ends where it should, and in time."""

    def __init__(self, sock: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self._guard = _Guard(self.fp.detach(), sock)
        self.fp: Any = io.BufferedReader(self._guard)
        self._is_at_end = False

    def _read_status(self) -> Any:
        version, status, reason = super()._read_status()  # type: ignore[misc] # private, like everything needed here
        if 100 < status < 200:
            raise Violation(f"an interim answer (status {status}) came, which was not asked for")
        return version, status, reason

    def begin(self) -> None:
        super().begin()
        _check_framing(self.headers)
        is_chunked, length = "Transfer-Encoding" in self.headers, self.headers.get("Content-Length", "0")
        if self.status == 204:
            self.chunked = False
            self.will_close |= is_chunked or length != "0"
        elif is_chunked and "Content-Length" in self.headers:
            self.will_close = True

    def _read_and_discard_trailer(self) -> None:
        super()._read_and_discard_trailer()  # type: ignore[misc]
        self._is_at_end = True

    def _close_conn(self) -> None:
        has_surplus = (self._is_at_end or self.length == 0) and self._guard.has_more(self.fp)
        super()._close_conn()  # type: ignore[misc]
        if has_surplus:
            raise Violation("the answer is longer than announced")


class _Connection:
    """A mixin that turns a connection of urllib3 into a guarded one."""

    response_class = _Response
    sock: Any
    auto_open: Any

    def connect(self) -> None:
        with exchange.before_it_leaves():
            super().connect()  # type: ignore[misc]

    def send(self, data: Any) -> None:
        if self.sock is None and self.auto_open:
            self.connect()
        self.sock.settimeout(exchange.timeout)
        exchange.is_written = True
        super().send(data)  # type: ignore[misc]


class _Guard(io.RawIOBase):
    """The socket of one answer."""

    def __init__(self, raw: Any, sock: Any) -> None:
        self._raw = raw
        self._sock = sock
        self._is_cut_off = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._is_cut_off:
            return 0
        left = exchange.deadline - exchange.clock.now()
        if left <= 0:
            raise _too_late()
        is_last = left < exchange.timeout
        if is_last:
            self._sock.settimeout(left)
        try:
            count = self._raw.readinto(buffer)
        except socket.timeout:
            if is_last:
                raise _too_late() from None
            raise
        exchange.received += count or 0
        if exchange.received > WIRE_LIMIT:
            raise OutOfBounds(f"the answer is longer than {WIRE_LIMIT // MIB} MiB")
        return cast("int | None", count)

    def has_more(self, reader: io.BufferedReader) -> bool:
        """Return whether more was received than was read. Nothing can be read from the socket after this."""
        self._is_cut_off = True
        decrypted = getattr(self._sock, "pending", int)()
        return bool(reader.peek(1)) or decrypted > 0

    def close(self) -> None:
        self._raw.close()
        super().close()


def _too_late() -> OutOfBounds:
    most = exchange.timeout * TIMEOUTS_OF_AN_ANSWER
    problem = f"the answer was not complete after {most:g} s, {TIMEOUTS_OF_AN_ANSWER} times timeout"
    return OutOfBounds(problem, TIMEOUT_ADVICE)


def _check_framing(headers: HTTPMessage) -> None:
    """Raises Violation for headers that do not tell clearly where the answer ends."""
    for defect in headers.defects:
        if isinstance(defect, HEADER_DEFECTS):
            raise Violation(f"the answer has a malformed header ({_name_of_malformed(defect, headers)})")
    lengths = {length.strip() for length in headers.get_all("Content-Length", ())}
    if len(lengths) > 1:
        raise Violation("the answer has Content-Length headers that contradict each other")
    if not all(map(LENGTH.fullmatch, lengths)):
        raise Violation("the answer has a malformed header (Content-Length)")


def _name_of_malformed(defect: email_errors.MessageDefect, headers: HTTPMessage) -> str:
    """The header at which the parser stopped; it treats this header, and all that follows, as a body."""
    if isinstance(defect, email_errors.InvalidHeaderDefect):
        return "one without a name"
    payload = headers.get_payload()
    line = getattr(defect, "line", None) or (payload if isinstance(payload, str) else headers.preamble) or ""
    return str(line).strip().partition("\n")[0].partition(":")[0].strip()[:60]
