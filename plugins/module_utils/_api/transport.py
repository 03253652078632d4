# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One exchange with the service: a request, the response within bounds of time and size, and what a
failure proves.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .._errors import Effect, Fault
from .connection import Connection
from .retries import Clock, retry_after_seconds, seconds_of_date

try:
    import requests
    from requests.adapters import HTTPAdapter
except ImportError:
    pass
else:
    # Reads the environment, and sends nothing.
    SETTINGS = requests.Session()

MIB = 1024 * 1024
BODY_LIMIT = 32 * MIB
ERROR_BODY_LIMIT = 64 * 1024
PIECE = 16 * 1024
TIMEOUTS_PER_RESPONSE = 10

MESSAGE_LIMIT = 1000
FURTHEST_TIMESTAMP = 8_640_000_000_000_000  # the largest timestamp of a JavaScript Date
TEMPORARY = (500, 502, 503, 504)
THROTTLING_BY_HEADER = (403, 503)  # with Retry-After: GitHub and others throttle with 403

ELSEWHERE_ADVICE = "Check base_url: something other than the API may be responding."
ADVICE = {
    400: "Correct the value that the API rejects.",
    401: "Check access_token: the service does not accept it.",
    403: "Check that the token's user is allowed to do this.",
    404: "Check base_url, and that the object still exists.",
    405: ELSEWHERE_ADVICE,
    409: "It conflicts with an existing object.",
    423: "The object is locked: another change of it may be under way. Try again later.",
    501: ELSEWHERE_ADVICE,
}
THROTTLING_ADVICE = "The service is throttling requests. Try again later, or raise max_retries."
REJECTION_ADVICE = "The service rejects the request. See its message, or contact its operator."
SERVER_ADVICE = "The service itself failed: try again later."
REDIRECT_ADVICE = "Redirects are not followed. Set base_url to the final address."

# A JSON escape; ``half`` is a lone surrogate.
ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)")


class Response(NamedTuple):
    """A response; lookups in ``headers`` ignore case. ``body``: that of a success, ``None`` if it
    is not JSON.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    body: Any
    is_success: bool


class UnusableExchange(Exception):
    """A response that takes too long, is too large, or may become so. The message is a sentence."""


class Transport:
    """Connections to one service, through the proxies and with the certificates that options and
    environment name.
    """

    def __init__(self, connection: Connection) -> None:
        # Without a session, which would keep cookies, read `.netrc`, and read the body of a
        # redirect to its end. One thread uses one connection.
        self._adapter = HTTPAdapter(pool_connections=1, pool_maxsize=1)
        verify = connection.validate_certs and (connection.ca_path or True)
        certificate: Any = connection.client_cert and (
            connection.client_cert,
            connection.client_key,
        )
        # Looked up once, as it takes a tenth of a request.
        self._route: Any = SETTINGS.merge_environment_settings(
            connection.base_url, {}, stream=True, verify=verify, cert=certificate
        )

    def send(self, request: requests.PreparedRequest, timeout: float, clock: Clock) -> Response:
        """The response. Of the body of a rejection, only the beginning is read.

        Raises UnusableExchange, and the exceptions of requests and urllib3.
        """
        longest = TIMEOUTS_PER_RESPONSE * timeout
        content = bytearray()
        deadline = clock.now() + longest
        with self._adapter.send(request, timeout=timeout, **self._route) as response:
            is_success = 200 <= response.status_code < 300
            if "," in response.headers.get("Content-Encoding", ""):
                raise UnusableExchange("the response is compressed more than once.")
            for piece in _pieces(response.raw):
                content += piece
                if clock.now() > deadline:
                    times = f"{TIMEOUTS_PER_RESPONSE} times timeout"
                    raise UnusableExchange(
                        f"the response was still incomplete after {longest:g} s ({times})."
                    )
                if is_success and len(content) > BODY_LIMIT:
                    raise UnusableExchange(
                        f"the response's body is longer than {BODY_LIMIT // MIB} MiB."
                    )
                if not is_success and len(content) > ERROR_BODY_LIMIT:
                    del content[ERROR_BODY_LIMIT:]
                    break
            else:
                if response.raw.length_remaining:  # urllib3 2 raises this itself, 1.26 does not
                    raise ConnectionError
        body = parse_json(content) if is_success else None
        return Response(response.status_code, response.headers, bytes(content), body, is_success)

    def close(self) -> None:
        self._adapter.close()


def _pieces(raw: Any) -> Iterable[bytes]:
    """The decoded body. A newer urllib3 has ``read1``, which returns what has come, and awaits no
    whole piece.
    """
    if hasattr(raw, "read1"):
        return iter(functools.partial(raw.read1, PIECE, decode_content=True), b"")
    return raw.stream(PIECE, decode_content=True)  # type: ignore[no-any-return]


def parse_json(content: bytes | bytearray) -> Any:
    """The parsed content, ``None`` if it is not JSON. Lone surrogates are replaced: no encoding can
    write them.
    """
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
    """A value from the service as a timestamp (ms), ``None`` if it is not one; any two timestamps
    are comparable.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if -FURTHEST_TIMESTAMP <= value <= FURTHEST_TIMESTAMP else None


def is_garbled(response: Response) -> bool:
    """True if the body of a 2xx response, no JSON, was cut off, or not sent by the API: it proves
    nothing.

    An empty body, or plain text, may come from the API where the specification shows no result.
    """
    kind = response.headers.get("Content-Type", "").lower()
    content = response.content.strip()
    claims = "json" in kind or "html" in kind or content[:1] in (b"<", b"{")
    return claims and content not in (b"", b"null")


def date_of(response: Response) -> float | None:
    """When the service sent the response, by its own clock, in seconds since the epoch."""
    return seconds_of_date(response.headers.get("Date"))


def rejection(response: Response, mask: Callable[[str], str]) -> Fault:
    """The fault of a response outside 2xx."""
    status = response.status
    code, message = _error_body(response)
    message = mask(message)[:MESSAGE_LIMIT] if message else None
    answered_at = date_of(response)
    retry_after = retry_after_seconds(response.headers.get("Retry-After"), answered_at)
    problem = (
        f"status {status}, the API says: {message.rstrip('.')}." if message else f"status {status}."
    )
    is_throttling = status == 429 or (status in THROTTLING_BY_HEADER and retry_after is not None)
    return Fault(
        problem,
        Effect.NOT_PROCESSED if is_throttling else _effect_of(status),
        temporary=is_throttling or status in TEMPORARY,
        advice=THROTTLING_ADVICE if is_throttling else _advice(status),
        status=status,
        code=code,
        message=message,
        retry_after=retry_after,
        answered_at=answered_at,
    )


def unexpected_body(response: Response, mask: Callable[[str], str]) -> Fault:
    """The fault of a 2xx response whose body is not what the specification promises."""
    kind = mask(response.headers.get("Content-Type") or "no content type")[:MESSAGE_LIMIT]
    problem = (
        f"status {response.status}, but the body ({kind}) is not the JSON that the API specifies."
    )
    return Fault(
        problem, Effect.UNKNOWN, temporary=True, advice=ELSEWHERE_ADVICE, status=response.status
    )


def _effect_of(status: int) -> Effect:
    if status == 504:
        return Effect.UNKNOWN
    return Effect.INTERRUPTED if status >= 500 and status != 501 else Effect.REJECTED


def _advice(status: int) -> str:
    if 300 <= status < 400:
        return REDIRECT_ADVICE
    return ADVICE.get(status, SERVER_ADVICE if status >= 500 else REJECTION_ADVICE)


def _error_body(response: Response) -> tuple[int | None, str | None]:
    """The code and the message of the documented error body, else the whole text (a 403 carries
    only text).
    """
    body = parse_json(response.content)
    error = body if isinstance(body, dict) else {}
    code = error.get("code")
    if isinstance(code, bool) or not isinstance(code, int):
        code = None
    message = error.get("message")
    if isinstance(message, str):
        return code, message
    text = " ".join(response.content.decode("utf-8", errors="replace").split())
    is_page = text.startswith("<")
    says_nothing = isinstance(body, dict) and error.keys() <= {"code", "message"}
    return code, None if is_page or says_nothing else text
