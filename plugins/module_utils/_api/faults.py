# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the exceptions of requests and urllib3 prove, and what to do about them.

A request counts as sent unless the exception proves otherwise; a proxy error proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from .._errors import Effect, Fault
from .libraries import how_to_install
from .transport import UnusableExchange

try:
    from requests import exceptions as requests_errors
    from urllib3 import exceptions as urllib3_errors
except ImportError:
    pass

TIMEOUT_ADVICE = "Raise timeout if the service is only slow."
PROXY_ADVICE = (
    "Check the proxy in the environment (such as https_proxy), or add the host to no_proxy."
)
NO_SOCKS = (
    "the proxy in the environment speaks SOCKS, for which the Python library PySocks is missing."
)
NO_TLS_ADVICE = "If the server does not use TLS, write http:// in base_url."
TLS_ADVICE = f"Check ca_path, client_cert, client_key and the server's certificate. {NO_TLS_ADVICE}"
UP_ADVICE = "Check base_url, and that the service is up."
SCHEME_ADVICE = "If the service expects TLS there, write https:// in base_url."
ADDRESS_ADVICE = "Check base_url, and the proxy and the CA bundle in the environment."


def classify_exception(error: Exception, base_url: str) -> Fault:
    """What an exception of requests or urllib3 proves. The first class that matches counts."""
    causes = list(_causes(error))
    why = _reason_text(causes)
    address = urlsplit(base_url)
    host = address.netloc

    def is_one_of(*kinds: Any) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if is_one_of(UnusableExchange):
        return Fault(why, Effect.UNKNOWN)
    if is_one_of(requests_errors.InvalidSchema):
        return Fault(NO_SOCKS, Effect.NOT_PROCESSED, advice=how_to_install("PySocks"))
    if is_one_of(requests_errors.ProxyError, urllib3_errors.ProxyError):
        problem = f"the connection to {host} through a proxy failed ({why})."
        return Fault(problem, Effect.INTERRUPTED, temporary=True, advice=PROXY_ADVICE)
    if is_one_of(urllib3_errors.NewConnectionError, urllib3_errors.ConnectTimeoutError):
        problem = f"could not connect to {host} ({why})."
        return Fault(problem, Effect.NOT_PROCESSED, temporary=True, advice=UP_ADVICE)
    if is_one_of(requests_errors.Timeout, urllib3_errors.TimeoutError):
        problem = "no response within the timeout."
        return Fault(problem, Effect.UNKNOWN, temporary=True, advice=TIMEOUT_ADVICE)
    if is_one_of(requests_errors.SSLError, urllib3_errors.SSLError):
        problem = f"the TLS connection to {host} failed ({why})."
        return Fault(problem, Effect.INTERRUPTED, advice=TLS_ADVICE)
    if is_one_of(urllib3_errors.DecodeError):
        problem = "the response does not match its Content-Encoding."
        return Fault(problem, Effect.UNKNOWN, temporary=True)
    if is_one_of(requests_errors.ConnectionError, urllib3_errors.ProtocolError, ConnectionError):
        problem = "the connection was closed before the response was complete."
        advice = SCHEME_ADVICE if address.scheme.lower() == "http" else ""
        return Fault(problem, Effect.INTERRUPTED, temporary=True, advice=advice)
    problem = f"the request could not be made ({why})."
    return Fault(problem, Effect.UNKNOWN, advice=ADDRESS_ADVICE)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and what it wraps, which requests and urllib3 keep in different places.

    Not its context: that may be the failure of an earlier request.
    """
    yield error
    for inner in (*error.args, getattr(error, "reason", None), error.__cause__):
        if isinstance(inner, BaseException):
            yield from _causes(inner)


def _reason_text(causes: Iterable[BaseException]) -> str:
    """What OpenSSL, the operating system or the collection says, which quotes no address."""
    cause: BaseException | None = None
    for cause in causes:
        for reason in (cause, cause.__context__):
            words = getattr(reason, "verify_message", None) or getattr(reason, "strerror", None)
            if words or type(reason) in (OSError, UnusableExchange):
                return str(words or reason)
    return type(cause).__name__
