# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an answer means: sections 4 and 7 of the API's specification, and what they leave open."""

from __future__ import annotations

import json
import typing as t

from .errors import ApiError, Outcome
from .retries import retry_after_seconds, seconds_of_date

if t.TYPE_CHECKING:
    import requests

MESSAGE_LIMIT = 1000
DIGITS_LIMIT = 4000  # less than what any Python refuses to turn into an integer, or back
FURTHEST_TIMESTAMP = 8_640_000_000_000_000  # as far as a JavaScript timestamp goes
TEMPORARY = (429, 500, 502, 503, 504)

ELSEWHERE_ADVICE = "Check base_url: something else than the API may answer there."
ADVICE = {
    400: "Correct the value that the API refuses.",
    401: "Check access_token: the service does not accept it.",
    403: "The user of access_token has no permission for this.",
    404: "Check base_url, and that the object still exists.",
    405: ELSEWHERE_ADVICE,
    409: "It contradicts what is there.",
    429: "The service throttles: try again later, or raise max_retries.",
    501: ELSEWHERE_ADVICE,
}
REFUSAL_ADVICE = "The service refuses it: its message, or who runs it, should tell why."
SERVER_ADVICE = "The service itself failed: try again later."
REDIRECT_ADVICE = "Redirects are not followed: set base_url to the address that answers itself."


def json_body(response: requests.Response) -> t.Any:
    """The parsed body, ``None`` if it is not JSON."""
    try:
        return json.loads(response.content, parse_int=_integer)
    except (ValueError, RecursionError):
        return None


def _integer(digits: str) -> int:
    if len(digits) > DIGITS_LIMIT:
        raise ValueError
    return int(digits)


def timestamp_of(value: t.Any) -> int | float | None:
    """The value of the service as a timestamp (ms), ``None`` if it is none; any two of them can be compared."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if -FURTHEST_TIMESTAMP <= value <= FURTHEST_TIMESTAMP else None


def is_garbled(response: requests.Response) -> bool:
    """Whether a 2xx answer has a body that something else than the API sent, or that broke off: it proves nothing.

    No body, and plain text, may be the API's where the specification shows no result.
    """
    kind, content = response.headers.get("Content-Type", "").lower(), response.content.strip()
    claims = "json" in kind or "html" in kind or content[:1] in (b"<", b"{")
    return claims and content not in (b"", b"null") and json_body(response) is None


def date_of(response: requests.Response) -> float | None:
    """When the service sent the answer, by its own clock, in seconds since 1970."""
    return seconds_of_date(response.headers.get("Date"))


def error_of(response: requests.Response, operation: str, path: str, redact: t.Callable[[str], str]) -> ApiError:
    """The error that an answer outside 2xx stands for."""
    status = response.status_code
    code, message = _error_body(response)
    message = redact(message)[:MESSAGE_LIMIT] if message else None
    retry_after = retry_after_seconds(response.headers.get("Retry-After"), date_of(response))
    if status == 429 or (status == 503 and retry_after is not None):
        outcome = Outcome.UNPROCESSED
    elif status == 504:
        outcome = Outcome.UNKNOWN
    elif status >= 500 and status != 501:
        outcome = Outcome.BROKEN
    else:
        outcome = Outcome.REFUSED
    said = f"status {status}" + (f", the API says: {message.rstrip('.')}." if message else ".")
    return ApiError(
        operation,
        path,
        said,
        outcome,
        temporary=status in TEMPORARY,
        status=status,
        code=code,
        api_message=message,
        retry_after=retry_after,
        advice=_advice(status),
    )


def unreadable(response: requests.Response, operation: str, path: str, redact: t.Callable[[str], str]) -> ApiError:
    """The error of a 2xx answer whose body is not what the specification promises."""
    kind = redact(response.headers.get("Content-Type") or "no content type")[:MESSAGE_LIMIT]
    problem = f"status {response.status_code}, but the body ({kind}) is not the JSON that the API promises."
    return ApiError(
        operation, path, f"{problem} {ELSEWHERE_ADVICE}", Outcome.UNKNOWN, temporary=True, status=response.status_code
    )


def _advice(status: int) -> str:
    if 300 <= status < 400:
        return REDIRECT_ADVICE
    return ADVICE.get(status, SERVER_ADVICE if status >= 500 else REFUSAL_ADVICE)


def _error_body(response: requests.Response) -> tuple[int | None, str | None]:
    """The code and the message: of the documented error body, else the whole text (403 answers with text only)."""
    body = json_body(response)
    code = None
    if isinstance(body, dict):
        if isinstance(body.get("code"), int) and not isinstance(body["code"], bool):
            code = body["code"]
        if isinstance(body.get("message"), str):
            return code, body["message"]
        if not body.keys() - {"code", "message"}:
            return code, None
    if "html" in response.headers.get("Content-Type", "") or response.content.lstrip()[:1] in (b"<", b""):
        return code, None
    text = response.content.decode("utf-8", errors="replace")
    return code, " ".join(text.split())
