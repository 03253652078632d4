# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One exchange with the service: a request, the answer within bounds of time and size, and what a failure proves."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from .._errors import Fault, Outcome
from .retries import Clock, retry_after_seconds, seconds_of_date

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
MESSAGE_LIMIT = 1000
FURTHEST_TIMESTAMP = 8_640_000_000_000_000  # the largest timestamp of a JavaScript Date
TEMPORARY = (429, 500, 502, 503, 504)

ELSEWHERE_ADVICE = "Check base_url: another service than the API may be answering."
ADVICE = {
    400: "Correct the value that the API refuses.",
    401: "Check access_token: the service does not accept it.",
    403: "The user of access_token has no permission for this.",
    404: "Check base_url, and that the object still exists.",
    405: ELSEWHERE_ADVICE,
    409: "It conflicts with an existing object.",
    429: "The service throttles: try again later, or raise max_retries.",
    501: ELSEWHERE_ADVICE,
}
REFUSAL_ADVICE = "The service refuses the request. See its message, or ask its operator."
SERVER_ADVICE = "The service itself failed: try again later."
REDIRECT_ADVICE = "Redirects are not followed. Set base_url to the final address."
HTTPS_ADVICE = "Write https:// in base_url: the service expects TLS there."
# How nginx, Apache and Go report a plain HTTP request on a TLS port.
EXPECTS_TLS = re.compile(rb"HTTP request (was )?(sent )?to (an )?HTTPS|speaking plain HTTP to an SSL", re.IGNORECASE)

# A JSON escape; ``half`` is a lone surrogate.
ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)")


class Answer(NamedTuple):
    """An answer; lookups in ``headers`` ignore case. ``body``: that of a success, ``None`` if it is not JSON."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    body: Any
    is_success: bool


class OutOfBounds(Exception):
    """An answer that takes too long, or is too large or may become so."""


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
            if "," in response.headers.get("Content-Encoding", ""):
                raise OutOfBounds("the answer is compressed more than once")
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


def json_of(content: bytes | bytearray) -> Any:
    """The parsed content, ``None`` if it is not JSON. Lone surrogates are replaced: no encoding can write them."""
    try:
        text = content.decode(json.detect_encoding(content), "replace")
        text = ESCAPE.sub(lambda escape: "\\ufffd" if escape["half"] else escape[0], text)
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None


def _no_constant(name: str) -> None:
    """Reject NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(name)


def timestamp_of(value: Any) -> int | float | None:
    """A value from the service as a timestamp (ms), ``None`` if it is not one; any two timestamps are comparable."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if -FURTHEST_TIMESTAMP <= value <= FURTHEST_TIMESTAMP else None


def is_garbled(answer: Answer) -> bool:
    """Return whether the body of a 2xx answer, no JSON, was cut off, or not sent by the API: it proves nothing.

    An empty body, or plain text, may come from the API where the specification shows no result.
    """
    kind, content = answer.headers.get("Content-Type", "").lower(), answer.content.strip()
    claims = "json" in kind or "html" in kind or content[:1] in (b"<", b"{")
    return claims and content not in (b"", b"null")


def date_of(answer: Answer) -> float | None:
    """When the service sent the answer, by its own clock, in seconds since the epoch."""
    return seconds_of_date(answer.headers.get("Date"))


def refusal(answer: Answer, redact: Callable[[str], str]) -> Fault:
    """The fault of an answer outside 2xx."""
    status, (code, message) = answer.status, _error_body(answer)
    message = redact(message)[:MESSAGE_LIMIT] if message else None
    retry_after = retry_after_seconds(answer.headers.get("Retry-After"), date_of(answer))
    problem = f"status {status}" + (f", the API says: {message.rstrip('.')}." if message else ".")
    outcome = _outcome_of(status, retry_after)
    return Fault(problem, outcome, status in TEMPORARY, _advice(answer), status, code, message, retry_after)


def unreadable(answer: Answer, redact: Callable[[str], str]) -> Fault:
    """The fault of a 2xx answer whose body is not what the specification promises."""
    kind = redact(answer.headers.get("Content-Type") or "no content type")[:MESSAGE_LIMIT]
    problem = f"status {answer.status}, but the body ({kind}) is not the JSON that the API promises."
    return Fault(problem, Outcome.UNKNOWN, temporary=True, advice=ELSEWHERE_ADVICE, status=answer.status)


def _outcome_of(status: int, retry_after: float | None) -> Outcome:
    if status == 429 or (status == 503 and retry_after is not None):
        return Outcome.UNPROCESSED
    if status == 504:
        return Outcome.UNKNOWN
    return Outcome.BROKEN if status >= 500 and status != 501 else Outcome.REFUSED


def _advice(answer: Answer) -> str:
    if 300 <= answer.status < 400:
        return REDIRECT_ADVICE
    if answer.status == 400 and EXPECTS_TLS.search(answer.content):
        return HTTPS_ADVICE
    return ADVICE.get(answer.status, SERVER_ADVICE if answer.status >= 500 else REFUSAL_ADVICE)


def _error_body(answer: Answer) -> tuple[int | None, str | None]:
    """The code and the message of the documented error body, else the whole text (a 403 carries only text)."""
    body = json_of(answer.content)
    told = body if isinstance(body, dict) else {}
    code, message = told.get("code"), told.get("message")
    code = None if isinstance(code, bool) or not isinstance(code, int) else code
    if isinstance(message, str):
        return code, message
    is_page = "html" in answer.headers.get("Content-Type", "") or answer.content.lstrip()[:1] in (b"<", b"")
    if is_page or (isinstance(body, dict) and not message and told.keys() <= {"code", "message"}):
        return code, None
    text = answer.content.decode("utf-8", errors="replace")
    return code, " ".join(text.split())
