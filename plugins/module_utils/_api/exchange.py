# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One exchange with the service: a request, the answer within bounds of time and size, and what a failure proves."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from .._errors import Fault, Outcome
from .answers import Answer, json_of
from .retries import Clock

try:
    import requests
    from requests import exceptions as requests_errors
    from requests.adapters import HTTPAdapter
    from urllib3 import exceptions as urllib3_errors
except ImportError:
    pass

MIB = 1024 * 1024
BODY_LIMIT = 32 * MIB
ERROR_BODY_LIMIT = 64 * 1024
PIECE = 16 * 1024
TIMEOUTS_OF_AN_ANSWER = 10

TIMEOUT_ADVICE = "Raise timeout if the service is only slow."
PROXY_ADVICE = "Check the proxy in the environment (such as https_proxy), or add the host to no_proxy."
TLS_ADVICE = (
    "Check ca_path, client_cert, client_key and the server's certificate. If the server does not use TLS, write http://"
    " in base_url."
)
UP_ADVICE = "Check base_url, and that the service is up."
SCHEME_ADVICE = "If the service expects TLS there, write https:// in base_url."
ADDRESS_ADVICE = "Check base_url, and the proxy and the CA bundle in the environment."


class OutOfBounds(Exception):
    """An answer that takes too long, or is too large."""


class Exchange:
    """Connections to one service, through the proxies and with the certificates that options and environment name."""

    def __init__(self, base_url: str, verify: bool | str, certificate: Any) -> None:
        # Without a session, which would keep cookies, read `.netrc`, and read the body of a redirect to its end.
        self._adapter = HTTPAdapter()
        # Looked up once, as it takes a tenth of a request.
        self._route: Any = requests.Session().merge_environment_settings(base_url, {}, True, verify, certificate)

    def answer_to(self, request: requests.PreparedRequest, timeout: float, clock: Clock) -> Answer:
        """The answer; of a refusal's body, whose status is enough, the beginning.

        Raises OutOfBounds, and the exceptions of requests and urllib3.
        """
        longest, content = TIMEOUTS_OF_AN_ANSWER * timeout, bytearray()
        deadline = clock.now() + longest
        with self._adapter.send(request, timeout=timeout, **self._route) as response:
            is_success = 200 <= response.status_code < 300
            for piece in _pieces(response.raw):
                content += piece
                if clock.now() > deadline:
                    times = TIMEOUTS_OF_AN_ANSWER
                    raise OutOfBounds(f"the answer was not complete after {longest:g} s, {times} times timeout")
                if is_success and len(content) > BODY_LIMIT:
                    raise OutOfBounds(f"the answer's body is longer than {BODY_LIMIT // MIB} MiB")
                if not is_success and len(content) > ERROR_BODY_LIMIT:
                    del content[ERROR_BODY_LIMIT:]
                    break
            else:
                if response.raw.length_remaining:  # urllib3 2 raises this itself, 1.26 does not
                    raise ConnectionError
        body = json_of(content) if is_success else None
        return Answer(response.status_code, response.headers, bytes(content), body, is_success)

    def close(self) -> None:
        self._adapter.close()


def _pieces(raw: Any) -> Iterable[bytes]:
    """The decoded body. A newer urllib3 has ``read1``, which returns what has come, and awaits no whole piece."""
    if hasattr(raw, "read1"):
        return iter(functools.partial(raw.read1, PIECE, True), b"")
    return raw.stream(PIECE, True)  # type: ignore[no-any-return]


def fault_of(error: Exception, base_url: str) -> Fault:
    """What a request without a usable answer says, and what that proves.

    It has left until the contrary is proven, and an error of a proxy proves nothing.
    """
    causes = list(_causes(error))
    parts, why = urlsplit(base_url), _words(causes)
    host, scheme_advice = parts.netloc, SCHEME_ADVICE if parts.scheme.lower() == "http" else ""
    # The first that matches counts.
    table: dict[tuple[Any, ...], Fault] = {
        (OutOfBounds,): Fault(f"{why}.", Outcome.UNKNOWN),
        (requests_errors.ProxyError, urllib3_errors.ProxyError): Fault(
            f"the proxy gave no connection to {host} ({why}).", Outcome.BROKEN, True, PROXY_ADVICE
        ),
        (urllib3_errors.NewConnectionError, urllib3_errors.ConnectTimeoutError): Fault(
            f"no connection to {host} ({why}).", Outcome.UNPROCESSED, True, UP_ADVICE
        ),
        (requests_errors.Timeout, urllib3_errors.TimeoutError): Fault(
            "no answer within the timeout.", Outcome.UNKNOWN, True, TIMEOUT_ADVICE
        ),
        (requests_errors.SSLError, urllib3_errors.SSLError): Fault(
            f"the TLS connection to {host} failed ({why}).", Outcome.BROKEN, False, TLS_ADVICE
        ),
        (urllib3_errors.DecodeError,): Fault("the body does not fit its Content-Encoding.", Outcome.UNKNOWN, True),
        (requests_errors.ConnectionError, urllib3_errors.ProtocolError, ConnectionError): Fault(
            "the connection was closed before the answer was complete.", Outcome.BROKEN, True, scheme_advice
        ),
        (Exception,): Fault(f"the request could not be made ({why}).", Outcome.UNKNOWN, False, ADDRESS_ADVICE),
    }
    return next(fault for kinds, fault in table.items() if any(isinstance(cause, kinds) for cause in causes))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and what it wraps, which requests and urllib3 keep in different places.

    Not its context: that may be the failure of an earlier request.
    """
    yield error
    for inner in (*error.args, getattr(error, "reason", None), error.__cause__):
        if isinstance(inner, BaseException):
            yield from _causes(inner)


def _words(causes: Iterable[BaseException]) -> str:
    """What OpenSSL, the operating system or the collection says, which quotes no address."""
    cause: BaseException | None = None
    for cause in causes:
        for told in (cause, cause.__context__):
            words = getattr(told, "verify_message", None) or getattr(told, "strerror", None)
            if words or type(told) in (OSError, OutOfBounds):
                return str(words or told)
    return type(cause).__name__
