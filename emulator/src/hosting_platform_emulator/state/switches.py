# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches for what the specification leaves open: each has named values, the default first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..checks import LARGEST_SETTING, whole_number
from ..errors import Refusal

Value = str | int | bool
_RATE = re.compile(r"([1-9][0-9]{0,5})/((?=.*[1-9])[0-9]{1,6}(?:\.[0-9]{1,3})?)")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values."""

    name: str
    values: tuple[Value, ...]
    meaning: str

    @property
    def default(self) -> Value:
        return self.values[0]

    @property
    def allowed(self) -> str:
        return ", ".join(_spelled(value) for value in self.values)

    def read(self, given: object) -> Value | None:
        return next((value for value in self.values if _spelled(value) == _spelled(given)), None)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number of at least `minimum`."""

    name: str
    default: int
    minimum: int
    meaning: str

    @property
    def allowed(self) -> str:
        return f"a whole number of at least {self.minimum} ({self.default})"

    def read(self, given: object) -> Value | None:
        number = whole_number(given)
        return number if number is not None and number >= self.minimum else None


@dataclass(frozen=True, slots=True)
class Name:
    """Any non-empty printable text."""

    name: str
    default: str
    meaning: str

    @property
    def allowed(self) -> str:
        return f"any name ({self.default})"

    def read(self, given: object) -> Value | None:
        return given if isinstance(given, str) and given and given.isprintable() else None


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds, or `none`."""

    name: str
    default: str
    meaning: str

    @property
    def allowed(self) -> str:
        return "none, N/SECONDS"

    def read(self, given: object) -> Value | None:
        return given if isinstance(given, str) and (given == "none" or _RATE.fullmatch(given)) else None


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


SWITCHES: Mapping[str, Choice | Number | Name | Rate] = {
    switch.name: switch
    for switch in (
        Choice("not_found", (404, 400, 403), "status for an object that is not there"),
        Choice("list_order", ("descending", "ascending"), "order of lists by createdAt"),
        Choice("bounds", ("exclusive", "inclusive"), "whether since and until include their own timestamp"),
        Choice(
            "next_value",
            ("last", "following", "past_last", "before_last"),
            "whose createdAt `next` is: this page's last, the next one's first, or one beside this page's last",
        ),
        Choice("next_on_full_last_page", (False, True), "an exactly full last page still carries a next"),
        Choice("next_always", (False, True), "next is given unless the page is empty"),
        Number("limit_cap", 0, 0, "a larger limit is silently lowered to this (0: no cap)"),
        Number("limit_refuse_over", 0, 0, "a larger limit is refused with 400 (0: none is)"),
        Number("default_limit", 20, 1, "page size where no limit is sent"),
        Number("clock_resolution_ms", 1, 1, "createdAt and updatedAt are rounded down to this"),
        Choice("duplicate_names", (409, 400, "allowed"), "a project name, team slug or alias that is taken"),
        Choice("repeated_invitation", (200, 409, 400), "inviting who already is a member"),
        Choice("updated_at", ("every_patch", "on_change"), "what moves updatedAt"),
        Choice("unset_fields", ("empty", "null", "missing"), "string fields that were never set"),
        Choice("extra_fields", (False, True), "objects carry fields that the specification does not know"),
        Choice("create_status", (200, 201), "status of a creation"),
        Choice("delete_status", (200, 204), "status of the deletion of a project or team; 204 has no body"),
        Choice("team_id_on_get", ("ignored", "honoured", "refused"), "teamId on GET of one project or alias"),
        Choice("id_or_name_precedence", ("id", "name"), "a path value that is one object's id and another's name"),
        Choice("ids", ("prefixed", "numeric"), "new string ids: prj_x, or digits"),
        Choice("lists_span_teams", (False, True), "an unscoped list also shows what the caller's teams own"),
        Choice("personal_team_id", ("id", "unset"), "teamId of what a user owns outside any team"),
        Choice("alias_team_id", ("id", "unset"), "teamId of aliases and project domains, which may be null"),
        Choice("name_required_on_patch", (False, True), "PATCH of a project must carry its name"),
        Name("join_parameter", "inviteCode", "name of the query parameter that carries the invite code"),
        Choice("join_by_team_id", (True, False), "joining without an invite code is allowed"),
        Choice("alias_shape", ("alias", "domain", "name"), "body key that carries the alias to assign"),
        Choice("alias_result", ("record", "empty", "project"), "answer to an assignment: Alias, nothing, {alias: ..}"),
        Choice("alias_project_by", ("name", "id_or_name"), "what the path of an assignment takes"),
        Choice("login_requires_bearer", (False, True), "sign-in and verify need a bearer token too"),
        Choice("echo_token", (False, True), "every answer repeats the caller's token, for tests of secrecy"),
        Rate("rate_limit", "none", "so many requests of a caller in so many seconds; any more are answered 429"),
        Choice("rate_limit_window", ("sliding", "fixed"), "whether each request opens a window, or the clock does"),
        Choice("rate_limit_retry_after", ("seconds", "date", "none"), "the Retry-After of such a 429"),
        Number("latency_ms", 0, 0, "time that every request takes"),
        Number("connect_latency_ms", 0, 0, "time that the first request of a connection takes in addition"),
    )
}


class Switches(dict[str, Any]):
    """The current values. Refuses unknown names and values."""

    def __init__(self, given: Mapping[str, object] | None = None) -> None:
        super().__init__({name: switch.default for name, switch in SWITCHES.items()})
        self.change(given or {})
        self._at_start = dict(self)

    def change(self, given: Mapping[str, object]) -> Switches:
        """Set some switches; all or none."""
        self.update({name: _read(name, value) for name, value in given.items()})
        return self

    def rate(self) -> tuple[int, int] | None:
        """The rate limit: a number of requests, and the window in milliseconds."""
        found = _RATE.fullmatch(self["rate_limit"])
        return (int(found[1]), round(float(found[2]) * 1000)) if found else None

    def described(self) -> list[dict[str, Any]]:
        """For display: each value with its default and its meaning."""
        return [
            {"name": name, "value": self[name], "default": switch.default, "meaning": switch.meaning}
            for name, switch in SWITCHES.items()
        ]

    def restore(self) -> Switches:
        """Restore the initial values."""
        self.update(self._at_start)
        return self


def _read(name: str, given: object) -> Value:
    switch = SWITCHES.get(name)
    if switch is None:
        raise Refusal(f"There is no switch `{name}`; there are: {', '.join(SWITCHES)}")
    value = switch.read(given)
    if value is None:
        at_most = f", and at most {LARGEST_SETTING}" if isinstance(switch, Number) else ""
        raise Refusal(f"The switch `{name}` takes {switch.allowed}{at_most}; it was given {given!r}")
    return value
