# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of a team: the API invites them, and neither lists nor removes them (section 4, "Teams")."""

from __future__ import annotations

import re
import typing as t

from .._client.errors import ApiError, Outcome
from .._fields import TEAM_MEMBER
from .._plan import Done, Step
from ._base import Resource
from ._options import (
    TEAM_OPTION,
    ArgumentSpec,
    check_filled,
)
from ._platform import Platform

ROLES = ("OWNER", "MEMBER", "DEVELOPER", "BILLING", "VIEWER", "CONTRIBUTOR")
OLD_RECORD_SECONDS = 10
IS_MEMBER_ALREADY = re.compile(
    r"\balready (\w+ ){0,3}(member|added|invited|joined|belongs|team)\b"
    r"|\ba (team )?member( \w+){0,4} already\b"
    r"|\b(member|membership|invite|invitation)\b.*\balready (exists|pending|sent|active|accepted)\b",
    re.IGNORECASE,
)
IS_OTHERWISE = re.compile(r"\b(limit|quota|seats?|maximum|full|another|other|different)\b", re.IGNORECASE)


class TeamMember(Resource):
    """One invitation. Whether it changed anything is what the answer shows; nothing can be known before."""

    kind = "team_members"
    key = "team_member"
    fields = TEAM_MEMBER
    name_field = "email"
    argument_spec: t.ClassVar[ArgumentSpec] = {
        **TEAM_MEMBER.argument_spec(),
        "role": {"type": "str", "choices": list(ROLES)},
        "team": {**TEAM_OPTION["team"], "required": True},
    }
    rules: t.ClassVar[dict[str, t.Any]] = {
        "mutually_exclusive": [("email", "user_id")],
        "required_one_of": [("email", "user_id")],
    }
    is_sent_once = True
    doubts = ("Check mode cannot know whether the user is a member already: the API does not list members.",)

    def __init__(self, platform: Platform, options: t.Mapping[str, t.Any]) -> None:
        super().__init__(platform, options)
        check_filled(options, "team")

    @property
    def is_wanted(self) -> bool:
        """Members cannot be removed."""
        return True

    def plan(self) -> Step:
        known = {"team_id": self.scope.team_id, **self.wanted}
        expected = {**dict.fromkeys(TEAM_MEMBER.returned), **known}
        return Step("invite", {}, expected, self.wanted, after=self.wanted)

    def apply(self, step: Step) -> Done:
        unchanged = Done(Step("none", {}, step.expected), step.expected, changed=False)
        try:
            record, answered_at = self.api.invite_member(self.scope.team_id, TEAM_MEMBER.body(step.changes))
        except ApiError as error:
            if error.status == 409:
                return unchanged
            if error.status == 400 and _says_member_already(error.api_message or ""):
                self.platform.warnings.append(
                    f"The invitation is taken as unchanged, because the API refused it saying: {error.api_message}"
                )
                return unchanged
            if error.outcome in (Outcome.BROKEN, Outcome.UNKNOWN):
                error.explain("Whether the invitation was sent is unknown. It is not sent again by itself.")
            raise
        if record.get("id") is None:
            return Done(step, step.expected, changed=True)
        item = {**self.wanted, **TEAM_MEMBER.result(record)}
        is_old = _is_old(item["created_at"], answered_at)
        return Done(unchanged.step, item, changed=False) if is_old else Done(step, item, changed=True)


def _says_member_already(message: str) -> bool:
    """Whether a refusal means that the user is in this team, or invited to it; not that there is no place left."""
    return bool(IS_MEMBER_ALREADY.search(message)) and not IS_OTHERWISE.search(message)


def _is_old(created_at: t.Any, answered_at: float | None) -> bool:
    """Whether the record was there before this invitation; both times are by the service's clock."""
    if answered_at is None or not isinstance(created_at, (int, float)):
        return False
    return answered_at - created_at / 1000 > OLD_RECORD_SECONDS
