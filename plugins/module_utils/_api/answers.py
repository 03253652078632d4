# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The meaning of an answer: sections 4 and 7 of the API's specification, and what they leave open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .._errors import Fault, Outcome
from .retries import retry_after_seconds, seconds_of_date

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
TLS_ADVICE = "Write https:// in base_url: the service expects TLS there."
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


def json_of(content: bytes | bytearray) -> Any:
    """The parsed content, ``None`` if it is not JSON. Lone surrogates are replaced: no encoding can write them."""
    try:
        text = content.decode(json.detect_encoding(content), "replace")
        return json.loads(ESCAPE.sub(lambda escape: "\\ufffd" if escape["half"] else escape[0], text))
    except (ValueError, RecursionError):
        return None


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
        return TLS_ADVICE
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
