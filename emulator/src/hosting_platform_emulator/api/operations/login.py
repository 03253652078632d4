# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The login flow by email (§4 Authentication operations, §5), and the authenticated user (§4
Users).
"""

import secrets
from typing import Any

from ...errors import Invalid
from ...state.store import digest
from ..call import Answer, Call
from ..operation import operation

MOST_LOGINS = 1000
"""Anyone may request a login, so only the newest requests are kept."""


@operation("POST /auth/signin")
def sign_in(call: Call) -> Answer:
    """Issue a verification token, and a mail whose link the user must open before the token is
    valid.
    """
    token = f"vfy_{secrets.token_urlsafe(24)}"
    security_code = f"{secrets.randbelow(10**6):06d}"
    login = call.platform.store.insert(
        "logins",
        {
            "email": call.body["email"],
            "tokenName": call.body["tokenName"],
            "digest": digest(token),
            "securityCode": security_code,
            "confirmationKey": secrets.token_urlsafe(16),
        },
    )
    call.platform.store.run(
        "DELETE FROM logins WHERE number <= ?", (login["number"] - MOST_LOGINS,)
    )
    return Answer(content={"token": token, "securityCode": security_code})


@operation("GET /auth/verify")
def verify(call: Call) -> Answer:
    """Issue an authentication token, once, for a confirmed login of this email."""
    platform = call.platform
    email = call.query["email"]
    token = digest(call.query["token"])
    login = platform.store.one(
        "SELECT * FROM logins WHERE digest = ? AND email = ?", (token, email)
    )
    if login is None or login["used"]:
        raise Invalid("token", "is no open verification token of this email")
    if not login["clicked"]:
        raise Invalid("token", "is not confirmed yet: the link in the mail was not opened")
    platform.store.run("UPDATE logins SET used = 1 WHERE number = ?", (login["number"],))
    user = platform.user_of_email(email) or platform.add_user(email)
    token = f"tok_{secrets.token_urlsafe(32)}"
    platform.grant(user, token)
    own_team = _own_team(call, str(user["personalTeamId"]))
    return Answer(content={"token": token, "email": email, **own_team})


def _own_team(call: Call, personal_team_id: str) -> dict[str, Any]:
    if call.switches["personal_team_id"] == "id":
        return {"teamId": personal_team_id}
    unset: dict[str, dict[str, Any]] = {
        "missing": {},
        "null": {"teamId": None},
        "empty": {"teamId": ""},
    }
    return unset[call.switches["unset_fields"]]


@operation("GET /user")
def get_user(call: Call) -> Answer:
    return Answer(content=call.record("users", call.caller))
