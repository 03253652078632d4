# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""HTTP to one service with one identity. Knows no resource: operations come from ``_api.py``."""

from __future__ import annotations

import dataclasses
import functools
import platform
import re
import threading
import typing as t
import warnings
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import quote, urlsplit

from ansible.module_utils.ansible_release import __version__ as core_version

from .. import _threads, _worker
from .._secrets import masked
from .._version import VERSION
from .answers import (
    date_of,
    error_of,
    is_garbled,
    json_body,
    unreadable,
)
from .connection import Connection
from .errors import ApiError, Outcome, PlatformError
from .retries import Clock, Pause, Retries
from .transport import error_without_answer

try:
    import requests
    from urllib3.exceptions import HTTPError, InsecureRequestWarning
except ImportError as error:
    REQUESTS_IMPORT_ERROR: ImportError | None = error
else:
    REQUESTS_IMPORT_ERROR = None

USER_AGENT = f"hosting.platform/{VERSION} ansible-core/{core_version} python/{platform.python_version()}"
IDLE_SECONDS = 5.0
UNADDRESSABLE = ("", ".", "..")
BRACES = re.compile(r"\{[^}]*\}")


@dataclasses.dataclass(frozen=True)
class Call:
    """One request.

    ``operation`` is written as in section 4 of the specification (``PATCH /projects/{idOrName}``) and gives method and
    path; ``path_values`` fill its braces in order. ``is_promised`` says whether a parsed 2xx body is what the
    specification promises; without it any 2xx will do whose body is not garbled. ``repeatable`` says that sending it
    twice does no harm.
    ``secrets`` are values of it that no message may show.
    """

    operation: str
    path_values: tuple[t.Any, ...] = ()
    query: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    body: t.Mapping[str, t.Any] | None = None
    is_promised: t.Callable[[t.Any], bool] | None = None
    repeatable: bool = True
    secrets: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        return self.operation.split(" ", 1)[0]

    @property
    def path(self) -> str:
        """The path with its values escaped; ``/`` becomes ``%2F``, a space ``%20``."""
        values = iter(self.path_values)
        return BRACES.sub(lambda _match: _path_segment(next(values)), self.operation.split(" ", 1)[1])


@dataclasses.dataclass(frozen=True)
class Answer:
    """A success: the parsed body, ``None`` where it is no JSON, and the answer's own date in seconds."""

    body: t.Any
    date: float | None


def _path_segment(value: t.Any) -> str:
    if str(value) in UNADDRESSABLE:
        raise PlatformError(f"{str(value)!r} cannot stand in a path: it would be folded away on the wire.")
    try:
        return quote(str(value), safe="", errors="surrogateescape")
    except UnicodeEncodeError:
        raise PlatformError(f"{str(value)!r} cannot stand in a path: it holds what is no character.") from None


class BearerAuth:
    """Sends the token; without one it adds nothing, and so keeps a ``.netrc`` entry from taking its place."""

    def __init__(self, token: str | None) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Http:
    """Sends calls, retries what may be retried, and raises ApiError. Safe to use from several threads."""

    def __init__(self, connection: Connection, clock: Clock | None = None) -> None:
        self.connection = connection
        self.requests_sent = 0
        self.clock = clock or Clock()
        self._pause = Pause(self.clock)
        self._auth = BearerAuth(connection.access_token)
        self._base = urlsplit(connection.base_url)
        self._of_thread = threading.local()
        self._counting = threading.Lock()
        if not connection.validate_certs:
            warnings.simplefilter("ignore", InsecureRequestWarning)

    def retries(self) -> Retries:
        """A fresh allowance of tries, as the connection options have it."""
        return Retries(self.connection.max_retries, self.connection.max_retry_delay, self.clock, self._pause)

    def send(self, call: Call) -> Answer:
        """Raises ApiError when the API refuses, or when the allowed tries are used up."""
        retries = self.retries()
        while True:
            try:
                return self._try(call)
            except ApiError as error:
                if not error.temporary or not (call.repeatable or error.outcome is Outcome.UNPROCESSED):
                    raise
                retries.wait(error)

    def _try(self, call: Call) -> Answer:
        self._pause.wait()
        _threads.end_if_given_up()
        with self._counting:
            self.requests_sent += 1
        _worker.run.request_left = True
        path = self._base.path + call.path
        try:
            response = self._session().request(
                call.method,
                self.connection.base_url + call.path,
                params={key: value for key, value in call.query.items() if value is not None},
                json=call.body,
                auth=self._auth,
                timeout=self.connection.timeout,
                verify=self.connection.verify,
                cert=self.connection.client_certificate,
                allow_redirects=False,
            )
            # urllib3 2 says by itself that an answer broke off, 1.26 does not.
            if response.raw.length_remaining:
                raise requests.exceptions.ConnectionError
        except (requests.exceptions.RequestException, HTTPError, OSError, UnicodeError) as error:
            # Not chained: the exceptions of requests quote the query, and a login carries its token there.
            raise error_without_answer(error, call.operation, path, self._base.netloc) from None
        redact = functools.partial(self._redacted, call)
        if not 200 <= response.status_code < 300:
            raise error_of(response, call.operation, path, redact)
        body = json_body(response)
        if (body is None and is_garbled(response)) or (call.is_promised and not call.is_promised(body)):
            raise unreadable(response, call.operation, path, redact)
        return Answer(body, date_of(response))

    def _session(self) -> requests.Session:
        """This thread's session. A connection that was idle for long may be closed by the service just when it is used
        again, and nobody could tell whether that request was processed: a new one is made in time.
        """
        mine = self._of_thread
        if not hasattr(mine, "session"):
            mine.session = requests.Session()
            mine.session.headers.update({"User-Agent": USER_AGENT, "Accept": "application/json"})
            mine.session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        elif self.clock.now() - mine.used_at > IDLE_SECONDS:
            mine.session.close()
        mine.used_at = self.clock.now()
        return t.cast("requests.Session", mine.session)

    def _redacted(self, call: Call, text: str) -> str:
        return str(masked(text, (self.connection.access_token, *call.secrets)))
