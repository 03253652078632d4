# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of teams: who is invited, and which entries invite the same person."""

from acme import ACME, ZETA
from blueprints import converge, refusal_message, refusal_without_requests
from emulated import ControlledEmulator

MEMBERS = {
    "teams": [ACME],
    "team_members": [
        {"team": "acme", "email": f"{name}@example.com", "role": "DEVELOPER"}
        for name in ("ann", "bob", "eve")
    ],
}


def test_member_declared_by_slug_and_id_is_a_duplicate(emulator):
    emulator.seed(teams=[{**ACME, "id": "team_1"}, ZETA])
    member = {"email": "dev@example.com", "role": "DEVELOPER"}
    twice = [{**member, "team": team} for team in ("acme", "zeta", "team_1")]
    message = refusal_message(emulator, {"team_members": twice}, invite=True)
    assert (
        "team_members[2] dev@example.com: team_members[0] dev@example.com declares the same"
        in message
    )
    assert (
        converge(emulator.base_url, {"team_members": twice[:2]}, invite=True)["summary"]["invite"]
        == 2
    )


def invitations(emulator) -> int:
    return sum(1 for write in emulator.writes if write.endswith("/members"))


def test_invitations_are_skipped_unless_invite_is_set(emulator):
    emulator.seed(teams=[ACME])
    first = converge(emulator.base_url, MEMBERS)
    assert [entry["reason"] for entry in first["results"]] == [None, *["invite"] * 3]
    assert (first["summary"]["invite"], first["summary"]["skip"], invitations(emulator)) == (
        0,
        3,
        0,
    )
    assert all("invit" not in warning for warning in first["warnings"])
    invited = converge(emulator.base_url, MEMBERS, invite=True)
    assert invited["summary"]["invite"] == 3
    for result in (first, invited):
        assert [entry["not_compared"] for entry in result["results"]] == [[]] * 4
    for check_mode in (True, False):
        assert converge(emulator.base_url, MEMBERS, check_mode)["changed"] is False
    assert invitations(emulator) == 3
    emulator.set_clock(advance=86_400)
    again = converge(emulator.base_url, MEMBERS, invite=True)
    assert (again["changed"], invitations(emulator)) == (False, 6)
    assert [entry["not_compared"] for entry in again["results"]] == [[], *[["role"]] * 3]
    assert (
        len([member for member in emulator.state()["members"] if member["role"] == "DEVELOPER"])
        == 3
    )


def test_two_invitations_of_one_person_are_duplicates(emulator: ControlledEmulator) -> None:
    emulator.seed(teams=[ACME])
    emails = {"ada@example.com": "MEMBER", "Ada@Example.com": "OWNER"}
    members = [{"team": "acme", "email": email, "role": role} for email, role in emails.items()]
    message = refusal_without_requests(emulator, {"team_members": members}, invite=True)
    assert "team_members[1]" in message
    assert "team_members[0]" in message
