# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of a team: the API invites them, and neither lists nor removes them (section 4)."""

from __future__ import annotations

import dataclasses
import re

from ..._errors import ApiError
from ..age import YOUNG_SECONDS, age_of
from ..fields import INVALID_VALUE, Field, Fields, Values, read_only
from ..name_forms import email_problem, normalize_email
from ..options import TEAM_OPTION, ArgumentSpec
from ..resource import Resource
from ..step import Action, Step, plan_nothing

TEAM_MEMBER = Fields(
    Field("id"),
    Field(
        "email",
        writable=True,
        clearable=False,
        normalize=normalize_email,
        find_problem=email_problem,
    ),
    Field("uid", writable=True, returned=False, clearable=False, name="user_id"),
    Field("role", writable=True, returned=False, clearable=False),
    *read_only("teamId", "roleId", "createdBy", "createdAt", "updatedAt"),
)

# A record of which nothing is known.
UNKNOWN = dict.fromkeys((*TEAM_MEMBER.returned, "user_id", "role"))
ROLES = ("OWNER", "MEMBER", "DEVELOPER", "BILLING", "VIEWER", "CONTRIBUTOR")
# A refusal means that the user is there if it says both of these words, and none of the last ones.
ALREADY = re.compile(r"\balready\b", re.IGNORECASE)
MEMBERSHIP = re.compile(
    r"\b(members?|memberships?|collaborators?|belongs?|joined|added|part of"
    r"|invites?|invited|invitations?"
    r"|(in|on|to) (the |this |your )?team)\b",
    re.IGNORECASE,
)
IS_OTHERWISE = re.compile(
    r"\b(limit|quota|seats?|maximum|full|another|other|different)\b", re.IGNORECASE
)


class TeamMember(Resource):
    """One invitation. Only the response shows whether it changed anything."""

    plural = "team_members"
    singular = "team_member"
    fields = TEAM_MEMBER
    name_field = "email"
    other_identifiers = ("user_id",)
    argument_spec = ArgumentSpec(
        {
            **TEAM_MEMBER.definitions(),
            "role": {"type": "str", "choices": list(ROLES)},
            "team": {**TEAM_OPTION, "required": True},
        },
        {"mutually_exclusive": [("email", "user_id")], "required_one_of": [("email", "user_id")]},
    )
    is_listed = False
    write_only_options = ("role",)
    lists_not_compared = True
    check_mode_caveats = (
        "Check mode cannot tell whether the user is already a member: the API does not list"
        " members.",
    )

    def plan_for(self, _live: Values | None) -> Step:
        given = self.desired.values
        expected = {**UNKNOWN, "team_id": self.scope.team_id, **given}
        return Step(Action.INVITE, {}, expected, given)

    def apply(self, step: Step) -> Step:
        """Send the invitation, once. A user who is already a member is unchanged, and so is their
        role.
        """
        user = {**UNKNOWN, **step.changes, "role": None}
        try:
            answer = self.write(
                self.api.invite_member, self.scope.team_id, TEAM_MEMBER.body(step.changes)
            )
        except ApiError as error:
            if error.status == 409:
                return plan_nothing(user)
            if error.status in INVALID_VALUE and _says_member_already(error.fault.message or ""):
                self.platform.warnings.append(
                    "The invitation is reported as unchanged,"
                    f" because the API rejected it with this message: {error.fault.message}"
                )
                return plan_nothing(user)
            if error.is_ambiguous:
                error.add_sentence(
                    "It is unknown whether the invitation was sent. It is not sent again"
                    " automatically."
                )
            raise
        shown = {
            option: value
            for option, value in TEAM_MEMBER.from_api(answer).items()
            if value is not None
        }
        self.check_team(shown, step)
        # It existed before this invitation.
        if (age_of(shown, answer.answered_at) or 0) > YOUNG_SECONDS:
            return plan_nothing({**user, **shown})
        return dataclasses.replace(step, expected={**UNKNOWN, **step.changes, **shown})


def _says_member_already(message: str) -> bool:
    """True if a refusal means that the user is in this team or invited, not that it is full."""
    words = message.replace("_", " ")  # as in the code of an error
    if IS_OTHERWISE.search(words):
        return False
    return bool(ALREADY.search(words) and MEMBERSHIP.search(words))
