# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the entries of a blueprint name, whether it exists or is only planned: scopes, and the objects that an option
refers to.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._errors import PlatformError
from .._model.fields import is_same
from .._model.kind import Kind
from .._model.kinds.team import Team, find_team, no_such_team, own_scope
from .._model.listing import Listing
from .._model.platform import Platform, Scope, described
from .._model.step import Found, Known
from .._text import did_you_mean
from .entries import Entry, Problems
from .node import Node, slugs_of
from .selection import Selection


class Candidates:
    """The objects that an option may name once the plan is carried out: those of nodes, and those without a node."""

    def __init__(self, kind: type[Kind], items: Listing, nodes: Sequence[Node]) -> None:
        self._kind = kind
        self._nodes = nodes
        touched = {str(node.step.live["id"]) for node in nodes if node.step.live}
        self._known: list[Known] = [node for node in nodes if not node.step.is_deletion and node.step.expected]
        self._known += [Found(item) for item in items if str(item["id"]) not in touched]
        self._index: dict[str, list[Known]] = {}
        for known in self._known:
            for name in dict.fromkeys(str(known.item[field] or "") for field in ("id", kind.name_field)):
                self._index.setdefault(name, []).append(known)
        for node in self._known:
            # An object that only has to exist may keep an earlier name, and is meant by the declared one, too.
            if isinstance(node, Node) and node.entry:
                self._index.setdefault(node.entry.name, [node])

    def find(self, option: str, id_or_name: str) -> Known | None:
        """Raises PlatformError if the value is the id of one object and the name of another."""
        found = self._index.get(id_or_name, [])
        if len(found) > 1:
            listed = "; ".join(described(known.item) for known in found)
            raise PlatformError(
                f"{option}: {id_or_name} matches {len(found)} objects ({listed}). Specify which one is meant."
            )
        return found[0] if found else None

    def why_missing(self, name: str, scope: Scope) -> str:
        """The message for a name that nothing has once the plan is done."""
        near = did_you_mean(name, [known.item[self._kind.name_field] for known in self._known])
        return self.taken_away(name) or f"{name} is not declared and does not exist in {scope}.{near}"

    def taken_away(self, name: str) -> str | None:
        """The reason why nothing has this name any more once the plan is done."""
        field = self._kind.name_field
        for node in self._nodes:
            if node.step.live.get(field) == name and node.step.is_deletion:
                return f"{name} is declared with state absent by {node.label}."
            if node.step.live.get(field) == name and node.step.changes:
                return f"{name} is renamed to {node.name} by {node.label}. Use {node.name} here."
        return None


class Scopes:
    """The scopes that selected entries name, one instance per team, whether existing or planned; and those in which
    other objects may be selected.
    """

    def __init__(
        self, platform: Platform, team_nodes: Sequence[Node], problems: Problems, selection: Selection
    ) -> None:
        self._platform = platform
        self._nodes = team_nodes
        self._problems = problems
        self._selection = selection
        listed = platform.listing(Team, Scope()) if team_nodes else Listing()
        self._teams = Candidates(Team, listed, team_nodes)
        self._by_name: dict[str, Scope] = {}
        self.entered: list[Scope] = []
        for node in team_nodes:
            is_there = not node.step.is_deletion and bool(node.step.expected)
            if is_there and (selection.has(node.entry) or selection.may_reach_team(node.name)):
                self._enter(Scope(node))

    def enter(self, team: str, entry: Entry | None = None) -> Scope | None:
        """The scope of an entry, or that the module's own option names; ``None`` if its team is declared absent, if it
        has a problem, or if nothing there is selected.
        """
        going = self._going(team)
        is_selected = entry is not None and self._selection.has(entry)
        if not is_selected and not self._selection.may_reach_team(self._selection.slug_of_team(team)):
            if going and going.entry and entry and not entry.wanted.is_absent:
                problem = f"{entry.label} is declared in this team, and is not selected."
                self._problems.report(going.entry, PlatformError(problem))
            # That which other entries have entered.
            return next((scope for scope in self.entered if is_named(scope, team)), None)
        with self._problems.of(entry):
            if going and entry and not entry.wanted.is_absent:
                raise PlatformError(f"team: {team} is declared with state absent by {going.label}.")
            if not going or going.step.live:
                if team not in self._by_name:
                    scope = Scope(self._team(team)) if team else own_scope(self._platform, self._nodes)
                    self._by_name[team] = self._enter(scope)
                return self._by_name[team]
        return None

    def is_going(self, scope: Scope) -> bool:
        return bool(scope.team and self._going(scope.slug))

    def _enter(self, scope: Scope) -> Scope:
        for other in self.entered:
            if other.team is scope.team or is_same(other.team_id, scope.team_id):
                return other
        self.entered.append(scope)
        return scope

    def _team(self, team: str) -> Known:
        found = self._teams.find("team", team)
        if found is not None:
            return found
        taken = self._teams.taken_away(team)
        if taken and not self._going(team):
            raise PlatformError(f"team: {taken}")
        live = find_team(self._platform, team)
        if live is not None:
            return Found(live)
        unplanned = self._problems.why_unplanned(Team, "", team)
        if unplanned:
            raise PlatformError(f"team: {unplanned}")
        slugs = [*self._platform.listing(Team, Scope()), *(node.item for node in self._nodes if node.item)]
        raise PlatformError(f"{no_such_team(team, slugs)} It is not declared either.")

    def _going(self, team: str) -> Node | None:
        for node in self._nodes:
            wanted, live = node.bound.wanted, node.step.live
            if wanted.is_absent and team and team in (wanted.id, wanted.name, live.get("slug"), str(live.get("id"))):
                return node
        return None


def is_named(scope: Scope, team: str) -> bool:
    """Return whether an entry names this scope, by its id or by a slug that it has or gets."""
    if scope.team is None or not team:
        return scope.team is None and not team
    return team in {str(scope.team_id), *slugs_of(scope)}
