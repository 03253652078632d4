# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the service still carries out what it is asked for."""

from __future__ import annotations

import threading

from .._errors import ApiError, PlatformError
from .operations import Api

# So many steps in a row that the service did not answer raise the question whether it is down.
MOST_UNANSWERED = 3


class Availability:
    """Finds out whether the service is down. While it asks, no step begins. Safe to use from
    several threads.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._lock = threading.Lock()
        self._unanswered = 0
        self._failure: ApiError | None = None

    @property
    def failure(self) -> ApiError | None:
        """What the one request was answered that found the service down; None while it is up."""
        with self._lock:
            return self._failure

    def record_result(self, error: PlatformError | None) -> None:
        """Note how a step ended. After three in a row without a response, ask for the user: the
        response decides.
        """
        with self._lock:
            self._unanswered = self._unanswered + 1 if _says_nothing(error) else 0
            if self._unanswered == MOST_UNANSWERED and self._failure is None:
                self._unanswered = 0
                self._failure = self._ask()

    def _ask(self) -> ApiError | None:
        """The failure of a request that says nothing about its subject; None if the service
        responds.
        """
        try:
            self._api.get_user(has_retries=False)
        except ApiError as error:
            return error if _says_nothing(error) else None
        return None


def _says_nothing(error: PlatformError | None) -> bool:
    """True for a request that was given up without a response, or with one that says nothing about
    the request.
    """
    if not isinstance(error, ApiError):
        return False
    if error.status is None or error.is_throttling:
        return True
    return error.status == 401 or error.status >= 500
