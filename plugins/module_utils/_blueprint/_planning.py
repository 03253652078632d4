# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From entries to a plan: every list is read once, and nothing is written."""

from __future__ import annotations

import typing as t

from .._client.errors import ApiError, PlatformError
from .._fields import Values
from .._plan import Step
from .._resources._listing import Listing
from .._resources._platform import (
    Platform,
    Scope,
    list_key,
    project_among,
    team_among,
)
from ._entries import BlueprintError, Entry
from ._work import Work


class Plan:
    """The work of a blueprint, in the order of its entries, and what its planning has read.

    Raises BlueprintError, naming every entry that cannot be: an id that nothing has, a team or a project that is
    neither declared nor there, two entries for one object.
    """

    def __init__(self, platform: Platform, entries: t.Sequence[Entry], default_team: str | None) -> None:
        self.platform = platform
        self.work: list[Work] = []
        self.scopes: dict[tuple[str, str], Scope] = {}
        self._problems: list[str] = []
        self._declared: dict[int, str] = {}
        self._declared_ids: set[tuple[str, str]] = set()
        self._futures: dict[tuple[str, str], Listing] = {}
        self._work_of: dict[int, Work] = {}
        self._gone_teams: set[str] = set()
        for entry in entries:
            self._attempt(entry)
        if default_team:
            self._attempt_scope(default_team)
        if self._problems:
            raise BlueprintError(self._problems)

    def is_declared(self, kind: str, live: Values) -> bool:
        """Whether an entry is about this object, which the lists of several scopes may show."""
        return (kind, str(live["id"])) in self._declared_ids

    def will_be_there(self, live: Values) -> bool:
        """Whether an entry wants this object to be there afterwards."""
        work = self._work_of.get(id(live))
        return work is not None and not work.is_deletion

    def _attempt(self, entry: Entry) -> None:
        try:
            self._add(entry)
        except ApiError:
            raise
        except PlatformError as error:
            self._problems.append(f"{entry.where}: {error}")

    def _attempt_scope(self, team: str) -> None:
        try:
            self._enter(self._scope(team))
        except ApiError:
            raise
        except PlatformError as error:
            self._problems.append(str(error))

    def _add(self, entry: Entry) -> None:
        if entry.kind == "teams":
            self._add_team(entry)
        else:
            self._add_belonging(entry)

    def _add_team(self, entry: Entry) -> None:
        step = self._step(entry)
        self._add_work(entry, step, None)
        if not entry.resource.is_wanted:
            names = (entry.options.get("id"), entry.options.get("slug"), step.live.get("id"), step.live.get("slug"))
            self._gone_teams.update(str(name) for name in names if name)
        elif step.expected:
            self._enter(Scope(step.expected))

    def _add_belonging(self, entry: Entry) -> None:
        """What a team holds, or the own scope."""
        resource = entry.resource
        if resource.is_wanted and entry.team in self._gone_teams:
            raise PlatformError(f"team: {entry.team} is declared with state absent.")
        if not resource.is_wanted and self._is_gone(entry.team):
            self.work.append(Work(entry.kind, entry.name, entry.team, resource, Step("none", {}, {}), entry.where))
            return
        resource.scope = self._enter(self._scope(entry.team))
        needs = self._needs(resource.scope.team)
        if entry.kind == "aliases" and resource.is_wanted:
            resource.project = self._project(resource.scope, resource.wanted["project"])
            needs += self._needs(resource.project)
        step = resource.plan() if entry.kind == "team_members" else self._step(entry)
        self._add_work(entry, step, resource.scope.team["slug"] if resource.scope.team else "", needs)

    def _add_work(self, entry: Entry, step: Step, team: str | None, needs: t.Sequence[Work] = ()) -> None:
        name = step.expected.get(entry.resource.name_field) if entry.options.get("id") else None
        work = Work(entry.kind, name or entry.name, team, entry.resource, step, entry.where, list(needs))
        self.work.append(work)
        self._work_of[id(step.live)] = self._work_of[id(step.expected)] = work

    def _step(self, entry: Entry) -> Step:
        """The step for the object that is there; the objects that will be there follow from it."""
        resource = entry.resource
        live = resource.find() if entry.kind == "teams" else resource.match(self._every(entry.kind, resource.scope))
        if live is None and resource.scope.foreign:
            live = self._match_at_home(entry)
        if live is not None:
            other = self._declared.setdefault(id(live), entry.where)
            if other != entry.where:
                raise PlatformError(f"{entry.name} is what {other} is about already.")
            self._declared_ids.add((entry.kind, str(live["id"])))
        step: Step = resource.plan_for(live)
        future = self._future(entry.kind, resource.scope)
        if step.live:
            future.remove(step.live)
        if step.expected and step.action != "delete":
            self._check_name(entry, step.expected, future)
            future.put(step.expected)
        return step

    def _check_name(self, entry: Entry, expected: Values, future: Listing) -> None:
        """Two objects of one name may not come out of a plan."""
        field = entry.resource.name_field
        for same in future.where(field, expected[field]):
            other = self._work_of.get(id(same))
            if other is not None:
                raise PlatformError(f"{expected[field]} is the {field} that {other.where} gives already.")

    def _future(self, kind: str, scope: Scope) -> Listing:
        """What will be there of a kind in a scope, as far as it is planned."""
        key = list_key(kind, scope)
        if key not in self._futures:
            self._futures[key] = Listing(self._every(kind, scope))
        return self._futures[key]

    def _every(self, kind: str, scope: Scope) -> Listing:
        """A team that is not there yet holds nothing."""
        if scope.team is not None and scope.team_id is None:
            return Listing()
        return self.platform.every(kind, scope)

    def _match_at_home(self, entry: Entry) -> Values | None:
        resource = entry.resource
        live = t.cast("Values | None", resource.match(self._at_home(entry.kind)))
        if live is not None and not resource.is_wanted:
            raise PlatformError(
                f"team: {entry.name} is in the list of the token's user, and belongs to the team {live['team_id']}."
                " To delete it, give that team."
            )
        if live is None and resource.is_wanted:
            self._check_own_scope_holds_anything(entry)
        return live

    def _check_own_scope_holds_anything(self, entry: Entry) -> None:
        """A service may keep all that is made without a team in one of the teams: it would be made again each time."""
        own = self.platform.every(entry.kind, Scope())
        same = entry.resource.match(own)
        if same is not None and all(str(item["team_id"]) in entry.resource.scope.foreign for item in own):
            raise PlatformError(
                f"team: {entry.name} is in the list of the token's user, and belongs to the team {same['team_id']}, as"
                " all that this list shows belongs to a team. Give that team."
            )

    def _at_home(self, kind: str) -> Listing:
        """The own scope where the service keeps it in a team of the user: its own list is then of one team."""
        own = self.platform.every(kind, Scope())
        return own if len({str(item["team_id"] or "") for item in own}) == 1 else Listing()

    def _scope(self, team: str) -> Scope:
        if not team:
            return self.platform.own_scope()
        teams = self._future("teams", Scope())
        found = team_among(teams, team) or self.platform.get_team(team)
        if found is None:
            raise PlatformError(f"team: {team} is neither declared nor there.")
        return Scope(found)

    def _enter(self, scope: Scope) -> Scope:
        """One scope object for all entries of a team."""
        return self.scopes.setdefault(list_key("", scope), scope)

    def _is_gone(self, team: str) -> bool:
        """Whether the team is declared absent and is not there."""
        return team in self._gone_teams and not team_among(self._every("teams", Scope()), team)

    def _project(self, scope: Scope, id_or_name: str) -> Values:
        found = project_among(self._future("projects", scope), id_or_name)
        if found is None and scope.foreign:
            found = project_among(self._at_home("projects"), id_or_name)
        planned = self._work_of.get(id(found))
        if found is None or (planned and planned.is_deletion):
            raise PlatformError(f"project: {id_or_name} is neither declared nor there in {scope}.")
        return found

    def _needs(self, item: Values | None) -> list[Work]:
        work = self._work_of.get(id(item)) if item else None
        return [work] if work and work.step.is_change else []


def wait_for_moves(work: t.Sequence[Work]) -> None:
    """Has the deletion of a project wait for the aliases that leave it: where that fails, they still need it."""
    moves: dict[str, list[Work]] = {}
    for item in work:
        if item.kind == "aliases" and item.step.action == "update":
            moves.setdefault(str(item.step.live["project_id"]), []).append(item)
    for item in work:
        if item.kind == "projects" and item.is_deletion:
            item.needs += moves.get(str(item.step.live["id"]), [])
