# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches for what the specification leaves open: each has named values, the default first."""

import re
from collections.abc import Mapping
from typing import Any, Self

from ..checks import LARGEST_SETTING
from ..errors import Refusal
from .switch import Switch, Value, choice, number, text

_RATE = re.compile(r"([1-9][0-9]{0,5})/((?=.*[1-9])[0-9]{1,6}(?:\.[0-9]{1,3})?)")
_FIELDS = re.compile(r"[A-Za-z]+:[A-Za-z]+")


def _is_rate(given: str) -> bool:
    return given == "none" or _RATE.fullmatch(given) is not None


SWITCHES: Mapping[str, Switch] = {
    switch.name: switch
    for switch in (
        choice("not_found", (404, 400, 403), "status for an object that is not there"),
        choice(
            "list_order",
            ("descending", "ascending", "ascending_pages"),
            "order of lists by createdAt; or the newest page first, and each page ascending",
        ),
        choice(
            "bounds",
            ("exclusive", "inclusive", "since_inclusive"),
            "whether since and until include their own timestamp, or since alone",
        ),
        choice(
            "next_value",
            ("last", "following", "past_last", "before_last"),
            "whose createdAt `next` is: this page's last, the next one's first,"
            " or one beside this page's last",
        ),
        choice(
            "next_on_full_last_page",
            (False, True),
            "an exactly full last page still carries a next",
        ),
        choice("next_always", (False, True), "next is given unless the page is empty"),
        number("limit_cap", 0, 0, "a larger limit is silently lowered to this (0: no cap)"),
        number("limit_refuse_over", 0, 0, "a larger limit is refused (0: none is)"),
        choice("limit_refuse_status", (400, 422), "status of a limit that is refused"),
        number(
            "lists_late_ms",
            0,
            0,
            "a list shows what there was so long ago; a GET of one object, what there is",
        ),
        choice(
            "lists_late",
            ("all", "teams", "projects", "aliases", "domains", "project_domains"),
            "which lists are late",
        ),
        number("young_ms", 0, 0, "for so long after its createdAt a team or project is young"),
        choice(
            "young_team",
            (403, 404, "ready"),
            "status of a POST, PATCH or join to, in or for a young team",
        ),
        choice(
            "young_team_lists",
            (403, 404, 400, "ready"),
            "status of a list for a young team",
        ),
        choice(
            "young_project",
            (404, 403, "ready"),
            "status of a PATCH of a young project, or of the assignment of an alias to it",
        ),
        number("default_limit", 20, 1, "page size where no limit is sent"),
        number("clock_resolution_ms", 1, 1, "createdAt and updatedAt are rounded down to this"),
        choice(
            "duplicate_names",
            (409, 400, "allowed"),
            "a project name, team slug or alias that is taken",
        ),
        choice(
            "malformed_names",
            ("refused", "taken"),
            "an alias that is no host name, or an email that is none, in a body",
        ),
        choice(
            "name_form",
            ("as_sent", "lowercase", "trimmed", "nfc"),
            "how a project's name and a team's slug are stored",
        ),
        choice(
            "host_form",
            ("as_sent", "lowercase", "idna", "unicode"),
            "how an alias is stored; the last two are a host name's ASCII form,"
            " and what it stands for",
        ),
        choice(
            "name_comparison",
            ("exact", "stored_form", "without_case"),
            "whether a name means the one that is stored so, or would be,"
            " or any that differs in case alone",
        ),
        choice("repeated_invitation", (200, 409, 400), "inviting somebody who already is a member"),
        choice("updated_at", ("every_patch", "on_change"), "what moves updatedAt"),
        choice(
            "patch_result",
            ("object", "old", "empty"),
            "answer to a PATCH: the object, the object as it was before, or nothing",
        ),
        text(
            "patch_ignores",
            "none",
            "field of a body that a PATCH accepts and leaves as it is",
            "none, any field",
            str.isalpha,
        ),
        text(
            "patch_clears",
            "none",
            "fields A:B of a project or team: a PATCH that changes A clears B, unless it sends B",
            "none, A:B (framework:buildCommand)",
            lambda given: given == "none" or _FIELDS.fullmatch(given),
        ),
        choice("unset_fields", ("empty", "null", "missing"), "string fields that were never set"),
        choice(
            "extra_fields",
            (False, True),
            "objects carry fields that the specification does not know",
        ),
        choice("create_status", (200, 201), "status of a creation"),
        choice(
            "delete_status",
            (200, 204),
            "status of the deletion of a project or team; 204 has no body",
        ),
        choice(
            "team_id_on_get",
            ("ignored", "honoured", "refused"),
            "teamId on GET of one project or alias",
        ),
        choice(
            "project_on_get",
            ("of_callers_teams", "of_its_scope", "of_everybody"),
            "which projects GET of one project shows, as `alias_on_get` has it",
        ),
        choice(
            "id_or_name_precedence",
            ("id", "name"),
            "a path value that is one object's id and another's name",
        ),
        choice(
            "alias_on_get",
            ("of_callers_teams", "of_its_scope", "of_everybody"),
            "which aliases GET of one alias shows: of the caller and their teams,"
            " of its scope alone, or all",
        ),
        choice(
            "ids",
            ("prefixed", "numeric", "short"),
            "new ids: prj_x, digits from 1001, or (numbers, too) from 1",
        ),
        choice(
            "lists_span_teams",
            (False, True, "one_team"),
            "an unscoped list also shows what the caller's teams own,"
            " or is that of the first of them alone",
        ),
        choice("personal_team_id", ("id", "unset"), "teamId of what a user owns outside any team"),
        choice(
            "alias_team_id",
            ("id", "unset"),
            "teamId of aliases and project domains, which may be null",
        ),
        choice(
            "domain_takes_aliases",
            ("of_its_scope", "everywhere"),
            "whose aliases a deleted domain takes along",
        ),
        choice(
            "aliases_move", (True, False), "the aliases of a project that moves go to its new team"
        ),
        choice("name_required_on_patch", (False, True), "PATCH of a project must carry its name"),
        choice(
            "team_id_on_patch",
            ("honoured", "ignored", 400),
            "a new teamId in PATCH: it moves, stays, or 400",
        ),
        text(
            "join_parameter",
            "inviteCode",
            "name of the query parameter that carries the invite code",
            "any name (inviteCode)",
            lambda given: given and given.isprintable(),
        ),
        choice("join_by_team_id", (True, False), "joining without an invite code is allowed"),
        choice(
            "alias_shape", ("alias", "domain", "name"), "body key that carries the alias to assign"
        ),
        choice(
            "alias_result",
            ("record", "empty", "project"),
            "answer to an assignment: Alias, nothing, {alias: ..}",
        ),
        choice("alias_project_by", ("name", "id_or_name"), "what the path of an assignment takes"),
        choice(
            "assignment_takes",
            ("of_its_scope", "everywhere", "nothing"),
            "whose projects' aliases an assignment takes: others are a conflict",
        ),
        choice(
            "own_alias_takes",
            ("nothing", "of_its_scope", "everywhere"),
            "whose projects' aliases a project's `alias` takes: others are a conflict",
        ),
        choice(
            "login_requires_bearer", (False, True), "sign-in and verify need a bearer token too"
        ),
        choice(
            "echo_token",
            (False, True),
            "every answer repeats the caller's token, for tests of secrecy",
        ),
        text(
            "rate_limit",
            "none",
            "so many requests of a caller in so many seconds; any more are answered 429",
            "none, N/SECONDS",
            _is_rate,
        ),
        choice(
            "rate_limit_window",
            ("sliding", "fixed"),
            "whether each request opens a window, or the clock does",
        ),
        choice(
            "rate_limit_retry_after",
            ("seconds", "decimal", "date", "none"),
            "the Retry-After of such a 429",
        ),
        number("latency_ms", 0, 0, "time that every request takes"),
        number(
            "connect_latency_ms",
            0,
            0,
            "time that the first request of a connection takes in addition",
        ),
    )
}


class Switches(dict[str, Any]):
    """The current values. Refuses unknown names and values."""

    def __init__(self, given: Mapping[str, object] | None = None) -> None:
        super().__init__({name: switch.default for name, switch in SWITCHES.items()})
        self.change(given or {})
        self._at_start = dict(self)

    def change(self, given: Mapping[str, object]) -> Self:
        """Set some switches; all or none."""
        self.update({name: _read(name, value) for name, value in given.items()})
        return self

    def rate(self) -> tuple[int, int] | None:
        """The rate limit: a number of requests, and the window in milliseconds."""
        found = _RATE.fullmatch(self["rate_limit"])
        return (int(found[1]), round(float(found[2]) * 1000)) if found else None

    def restore(self) -> Self:
        """Restore the initial values."""
        self.update(self._at_start)
        return self


def _read(name: str, given: object) -> Value:
    switch = SWITCHES.get(name)
    if switch is None:
        raise Refusal(f"There is no switch `{name}`; there are: {', '.join(SWITCHES)}")
    value = switch.read(given)
    if value is None:
        at_most = (
            f", and at most {LARGEST_SETTING}"
            if isinstance(switch.default, int) and not switch.values
            else ""
        )
        raise Refusal(
            f"The switch `{name}` takes {switch.allowed}{at_most}; it was given {given!r}"
        )
    return value
