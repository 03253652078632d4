# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user: their profile, and their login by email: a request, a click, and the verification
(section 5).
"""

from __future__ import annotations

from ..._api.connection import check_seconds
from ..._errors import ApiError, PlatformError
from ..fields import Field, Fields, Values, read_only
from ..name_forms import email_problem
from ..options import Options
from ..platform import Platform

LOGIN = Fields(
    Field("email", writable=True, clearable=False, find_problem=email_problem),
    Field("tokenName", writable=True, clearable=False),
    Field("verificationToken", writable=True, clearable=False),
)
USER = Fields(*read_only("id", "username", "name", "email", "createdAt", "updatedAt"))


def read_user(platform: Platform, _options: Options) -> Values:
    return USER.to_result(platform.api.get_user())


def request_login(platform: Platform, options: Options, check_mode: bool) -> Values:
    """Request the confirmation message, once."""
    LOGIN.check(options)
    body = LOGIN.body(LOGIN.read(options))
    response: Values = {}
    if not check_mode:
        try:
            response = platform.api.request_login(body)
        except ApiError as error:
            if error.is_ambiguous:
                error.add_sentence(
                    "It is unknown whether the message was sent. It is not sent again"
                    " automatically."
                )
            raise
        if not response.get("token"):
            raise PlatformError(
                "POST /auth/signin: the response contains no token. Request another login."
            )
    return {
        "changed": True,
        "verification_token": response.get("token"),
        "security_code": response.get("securityCode"),
    }


def verify_login(platform: Platform, options: Options, check_mode: bool) -> Values:
    """Wait for the click, and get the access token."""
    LOGIN.check(options)
    check_seconds("wait_timeout", options["wait_timeout"], may_be_zero=True)
    check_seconds("wait_interval", options["wait_interval"], may_be_zero=False)
    response: Values = {} if check_mode else _wait_for_click(platform, options)
    return {
        "changed": True,
        "access_token": response.get("token"),
        "email": response.get("email"),
        "team_id": response.get("teamId"),
    }


def _wait_for_click(platform: Platform, options: Options) -> Values:
    """The specification does not show the response before the click: any 4xx, or a success without
    a token, is taken as "not yet". One that asks for a longer wait than allowed fails at once, as
    everywhere.
    """
    clock = platform.api.client.clock
    longest_wait = platform.api.client.connection.max_retry_delay
    deadline = clock.now() + (options["wait_timeout"] if options["wait"] else 0)
    while True:
        try:
            response = platform.api.verify_login(options["email"], options["verification_token"])
            if response.get("token"):
                return response
            if clock.now() >= deadline:
                raise PlatformError(
                    f"GET /auth/verify: the response contains no token. {_not_confirmed(options)}"
                )
        except ApiError as error:
            if error.is_ambiguous:
                error.add_sentence(
                    "The token may have been used. If the next attempt fails, request a new login."
                )
            asks_too_much = (error.fault.retry_after or 0) > longest_wait
            if not 400 <= (error.status or 0) < 500 or asks_too_much:
                raise
            if clock.now() >= deadline:
                error.set_advice(_not_confirmed(options))
                raise
        clock.sleep(min(options["wait_interval"], deadline - clock.now()))


def _not_confirmed(options: Options) -> str:
    if options["wait"]:
        waited = f"{options['wait_timeout']:g} s"
        return (
            f"The login was not confirmed within {waited}. Request a new login, and click its link"
            " in time."
        )
    return (
        "The login was not confirmed yet (and wait is false). Click the link in the message."
        " If the link has expired or was already used, request a new login."
    )
