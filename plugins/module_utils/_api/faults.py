# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Classifying requests that were not answered, or whose answer was cut off or cannot be read."""

from __future__ import annotations

import socket
import ssl
import traceback
from collections.abc import Iterable, Iterator
from http.client import BadStatusLine, HTTPException, IncompleteRead, RemoteDisconnected
from urllib.parse import urlsplit

from .._errors import Fault, Outcome, PlatformError
from .bodies import Undecodable
from .exchange import TIMEOUT_ADVICE, OutOfBounds, Violation, exchange

try:
    import requests
    from requests.utils import get_environ_proxies, select_proxy
    from urllib3 import exceptions as urllib3_errors
except ImportError:
    pass

# OpenSSL's words for a rejected client certificate, which TLS 1.3 reports only after the handshake.
REFUSED_CERTIFICATES = ("CERTIFICATE", "UNKNOWN_CA")
# OpenSSL's words for an answer that is not TLS, and the first bytes of an alert from a TLS server.
NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNKNOWN_PROTOCOL", "HTTP_REQUEST")
TLS_ALERT = "\x15\x03"
TUNNEL_REFUSED = "Tunnel connection failed: "

CERTIFICATE_ADVICE = "Check base_url, ca_path and the server's certificate."
PLAIN_ADVICE = "The server does not use TLS. If this is intended, write http:// in base_url."
TLS_ADVICE = "If the service expects TLS there, write https:// in base_url."
UP_ADVICE = "Check base_url, and that the service is up."
PROXY_ADVICE = "Check the proxy in the environment (such as https_proxy), or add the host to no_proxy."
CLOSED = "the connection was closed before the answer was complete."


def fault_of(error: Exception, base_url: str) -> Fault:
    """The fault behind an exception from requests, urllib3 or the operating system.

    ``exchange`` tells how far this thread's request got.
    """
    causes = list(_causes(error))
    if _is_tls_refusal(causes):
        return _tls_refusal(causes, base_url)
    tunnel = next(filter(_is_tunnel_refusal, causes), None)
    if tunnel:
        problem = (
            f"no connection: {_proxy(base_url)} refused one to {_host(base_url)}"
            f" ({str(tunnel)[len(TUNNEL_REFUSED) :]})."
        )
        return Fault(problem, Outcome.UNPROCESSED, temporary=True, advice=PROXY_ADVICE)
    return _lost(causes, base_url) if exchange.has_left else _unsent(causes, base_url)


def _tls_refusal(causes: list[BaseException], base_url: str) -> Fault:
    reasons = [_reason(cause) for cause in causes if isinstance(cause, ssl.SSLError)]
    is_plain = any(words in reason for reason in reasons for words in NO_TLS)
    problem = f"the TLS connection to {_peer(base_url)} was refused ({_root(causes)})."
    return Fault(problem, Outcome.UNPROCESSED, advice=PLAIN_ADVICE if is_plain else CERTIFICATE_ADVICE)


def _unsent(causes: list[BaseException], base_url: str) -> Fault:
    """The fault of a request of which nothing was sent."""
    proxy, kind = _proxy(base_url), type(causes[0]).__name__
    if _is_of_network(causes):
        problem = f"no connection to {_peer(base_url)} ({_root(causes)})."
        return Fault(problem, Outcome.UNPROCESSED, temporary=True, advice=PROXY_ADVICE if proxy else UP_ADVICE)
    if kind == "OSError":  # what requests raises for a file that the environment names
        return Fault(f"the request could not be made ({causes[0]}).", Outcome.UNPROCESSED)
    if proxy and not isinstance(causes[0], UnicodeError):
        return Fault(f"{proxy} cannot be used ({kind}).", Outcome.UNPROCESSED, advice=PROXY_ADVICE)
    return Fault(f"the request could not be made ({kind}).", Outcome.UNPROCESSED, advice="Check base_url.")


def _lost(causes: list[BaseException], base_url: str) -> Fault:
    """The fault of a request that may have been processed."""
    for cause in causes:
        if isinstance(cause, OutOfBounds):
            return Fault(f"{cause}.", Outcome.UNKNOWN, advice=cause.advice)
        if isinstance(cause, (Violation, Undecodable)):
            return Fault(f"{cause}.", Outcome.UNKNOWN, temporary=True)
        if isinstance(cause, BadStatusLine) and str(cause).startswith(TLS_ALERT):
            return Fault("the server uses TLS, not plain HTTP.", Outcome.UNPROCESSED, advice=TLS_ADVICE)
    if _is_caused_by(causes, requests.exceptions.Timeout, urllib3_errors.ReadTimeoutError, socket.timeout):
        return Fault("no answer within the timeout.", Outcome.UNKNOWN, temporary=True, advice=TIMEOUT_ADVICE)
    if _is_closed(causes):
        is_plain = base_url.lower().startswith("http://") and not exchange.received
        return Fault(CLOSED, Outcome.BROKEN, temporary=True, advice=TLS_ADVICE if is_plain else "")
    kind = type(causes[-1]).__name__
    return Fault(f"the answer cannot be read as HTTP ({kind}).", Outcome.UNKNOWN, temporary=True)


def _is_tls_refusal(causes: list[BaseException]) -> bool:
    """Return whether one side rejected the other; false if the encrypted connection broke or was closed later."""
    faults = [cause for cause in causes if isinstance(cause, ssl.SSLError)]
    if _is_caused_by(faults, ssl.SSLEOFError, ssl.SSLZeroReturnError):
        return False
    if faults:
        return any(_is_of_handshake(fault) for fault in faults)
    return _is_caused_by(causes, urllib3_errors.SSLError)


def _is_of_handshake(fault: ssl.SSLError) -> bool:
    return _comes_from("do_handshake", fault) or any(word in _reason(fault) for word in REFUSED_CERTIFICATES)


def _is_tunnel_refusal(cause: BaseException) -> bool:
    """Return whether a proxy refused the tunnel; false for a status line of the service with the same text."""
    is_meant = isinstance(cause, OSError) and str(cause).startswith(TUNNEL_REFUSED)
    return is_meant and _comes_from("_tunnel", cause)


def _comes_from(step: str, cause: BaseException) -> bool:
    return step in (frame.name for frame in traceback.extract_tb(cause.__traceback__))


def _reason(fault: ssl.SSLError) -> str:
    """OpenSSL's reason; Python itself raises some errors without one."""
    return getattr(fault, "reason", None) or ""


def _is_of_network(causes: list[BaseException]) -> bool:
    """Return whether the connection itself failed, rather than a step before it."""
    kinds = (urllib3_errors.ConnectTimeoutError, urllib3_errors.NewConnectionError, urllib3_errors.ProtocolError)
    return _is_caused_by(causes, *kinds, ConnectionError, socket.timeout, socket.gaierror, ssl.SSLError)


def _is_closed(causes: list[BaseException]) -> bool:
    """Return whether the connection was closed; false if what it carried is not HTTP."""
    if any(
        isinstance(cause, HTTPException) and not isinstance(cause, (IncompleteRead, RemoteDisconnected))
        for cause in causes
    ):
        return False
    kinds = (requests.exceptions.ConnectionError, urllib3_errors.ProtocolError, IncompleteRead)
    return _is_caused_by(causes, *kinds, ConnectionError, ssl.SSLError)


def _is_caused_by(causes: Iterable[BaseException], *kinds: type) -> bool:
    return any(isinstance(cause, kinds) for cause in causes)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and everything it wraps, which requests and urllib3 keep in different places.

    Excludes an earlier request's failure during whose handling this one was sent.
    """
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        this = waiting.pop()
        if not isinstance(this, BaseException) or isinstance(this, PlatformError) or id(this) in seen:
            continue
        seen.add(id(this))
        yield this
        waiting += [this.__cause__, this.__context__, getattr(this, "reason", None), *this.args]


def _root(causes: list[BaseException]) -> str:
    """The message of the operating system or of OpenSSL, which is the most specific and quotes no address."""
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return getattr(cause, "verify_message", None) or str(cause)
        if type(cause).__name__ == "CertificateError":  # what urllib3 1.26 raises for another host's certificate
            return str(cause)
    for cause in causes:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
    return type(causes[-1]).__name__


def _peer(base_url: str) -> str:
    """The other end of the connection: the proxy if there is one, as long as nothing was sent."""
    return (not exchange.has_left and _proxy(base_url)) or _host(base_url)


def _host(base_url: str) -> str:
    return urlsplit(base_url).netloc


def _proxy(base_url: str) -> str:
    """The proxy that the environment names for this address, without its credentials; empty if there is none."""
    proxy = select_proxy(base_url, get_environ_proxies(base_url))
    return f"the proxy {proxy.rpartition('://')[2].rpartition('@')[2]}" if proxy else ""
