# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What it means that a request was not answered, or that its answer broke off."""

from __future__ import annotations

import ssl
import traceback
import typing as t

from .errors import ApiError, Outcome

try:
    import requests
    from urllib3 import exceptions as urllib3_errors
except ImportError:
    pass

# OpenSSL's words for "the server does not take your certificate", which TLS 1.3 says only after the handshake.
REFUSED_CERTIFICATES = ("CERTIFICATE", "UNKNOWN_CA")


def error_without_answer(error: Exception, operation: str, path: str, host: str) -> ApiError:
    """The error that an exception of requests, urllib3 or the operating system stands for; ``host`` was to answer."""
    problem, outcome, temporary = _fault(list(_causes(error)), host)
    return ApiError(operation, path, problem, outcome, temporary=temporary)


def _fault(causes: list[BaseException], host: str) -> tuple[str, Outcome, bool]:
    """What to say, what may have happened, and whether it may go better a little later."""

    def caused_by(*kinds: type) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if _is_tls_refusal(causes):
        advice = "Check base_url, ca_path and the server's certificate."
        return f"the TLS connection to {host} was refused ({_root(causes)}). {advice}", Outcome.UNPROCESSED, False
    if _is_unconnected(causes):
        advice = "Check base_url, and that the service is up."
        return f"no connection to {host} ({_root(causes)}). {advice}", Outcome.UNPROCESSED, True
    if caused_by(requests.exceptions.ContentDecodingError, urllib3_errors.DecodeError):
        return "the answer's body does not fit its Content-Encoding.", Outcome.UNKNOWN, True
    if caused_by(requests.exceptions.Timeout, urllib3_errors.ReadTimeoutError):
        return "no answer within the timeout. Raise timeout if the service is only slow.", Outcome.UNKNOWN, True
    if caused_by(requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError):
        return "the connection was closed before the answer was complete.", Outcome.BROKEN, True
    return f"the request could not be made ({type(causes[0]).__name__}). Check base_url.", Outcome.UNPROCESSED, False


def _is_tls_refusal(causes: list[BaseException]) -> bool:
    """Whether one side did not like the other: not so if the encrypted connection broke later, or was closed."""
    faults = [cause for cause in causes if isinstance(cause, ssl.SSLError)]
    if any(isinstance(fault, (ssl.SSLEOFError, ssl.SSLZeroReturnError)) for fault in faults):
        return False
    if faults:
        return any(_is_of_handshake(fault) for fault in faults)
    return any(isinstance(cause, urllib3_errors.SSLError) for cause in causes)


def _is_of_handshake(fault: ssl.SSLError) -> bool:
    steps = [step.name for step in traceback.extract_tb(fault.__traceback__)]
    return "do_handshake" in steps or any(word in (fault.reason or "") for word in REFUSED_CERTIFICATES)


def _is_unconnected(causes: list[BaseException]) -> bool:
    """Whether there was no connection. A proxy's error alone does not tell: it may have come after the request."""
    kinds = (urllib3_errors.NewConnectionError, urllib3_errors.ConnectTimeoutError, ConnectionRefusedError)
    return any(isinstance(cause, kinds) or str(cause).startswith("Tunnel connection failed") for cause in causes)


def _causes(error: BaseException | None) -> t.Iterator[BaseException]:
    """The exception and all that it wraps; requests and urllib3 keep them in different places."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        this = waiting.pop()
        if not isinstance(this, BaseException) or id(this) in seen:
            continue
        seen.add(id(this))
        yield this
        waiting += [this.__cause__, this.__context__, getattr(this, "reason", None), *this.args]


def _root(causes: list[BaseException]) -> str:
    """The words of the operating system or of OpenSSL, which say most and quote no address."""
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message
        if type(cause).__name__ == "CertificateError":  # what urllib3 1.26 raises for another host's certificate
            return str(cause)
    for cause in causes:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
    return type(causes[-1]).__name__
