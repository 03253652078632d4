# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From entries and what exists to a plan: every list is read once, and nothing is written."""

from __future__ import annotations

import dataclasses
import typing as t

from .._client.errors import ApiError, PlatformError
from .._resources.fields import Values
from .._resources.kind import Kind
from .._resources.kinds import KINDS
from .._resources.listing import Listing
from .._resources.plan import Action, Found, Known, Step, plan_nothing
from .._resources.platform import Ambiguous, Platform, Scope, described
from .._resources.resource import Resource
from .._resources.team import Team, find_team, no_such_team, own_scope
from .._text import did_you_mean
from .entries import BlueprintError, Entry
from .matching import match_entries
from .node import Node
from .reading import read_ahead


@dataclasses.dataclass
class Plan:
    """The nodes in the order of the entries, then those of pruned objects; and the scopes that they are in."""

    nodes: list[Node]
    scopes: list[Scope]

    def is_declared(self, kind: type[Kind], live: Values) -> bool:
        """Whether an entry is about this object, which the lists of several scopes may show."""
        return (kind.plural, str(live["id"])) in self._declared

    def __post_init__(self) -> None:
        self._declared = {
            (node.kind.plural, str(node.step.live["id"])) for node in self.nodes if node.entry and node.step.live
        }


def make_plan(platform: Platform, entries: t.Sequence[Entry], default_team: str | None, workers: int) -> Plan:
    """Plan the entries.

    Raises BlueprintError, naming every entry that cannot be: an id that nothing has, a team or a project that is not
    declared and does not exist, two entries for one object.
    """
    problems = _Problems()
    teams = _group(Team, Scope(), [entry for entry in entries if entry.kind is Team], platform, problems, {})
    scopes = _Scopes(platform, teams, problems)
    placed = {entry: scopes.of(entry) for entry in entries if entry.kind is not Team}
    if default_team:
        scopes.enter(default_team)
    read_ahead(platform, [(entry.kind, scope) for entry, scope in placed.items() if scope], workers)
    groups: dict[tuple[type[Kind], str], list[Node]] = {(Team, ""): teams}
    for kind in KINDS.values():
        for scope in scopes.entered:
            mine = [entry for entry, place in placed.items() if entry.kind is kind and place is scope]
            if mine:
                group = groups[kind, scope.slug] = _group(kind, scope, mine, platform, problems, groups)
                for node in group:
                    node.needs += scopes.needs(scope)
    problems.raise_if_any(entries)
    nodes = {node.entry: node for group in (*groups.values(), scopes.nodes_without_team) for node in group}
    return Plan([nodes[entry] for entry in entries], [scope for scope in scopes.entered if not scopes.is_going(scope)])


class _Problems:
    """Everything that the service lacks, entry by entry."""

    def __init__(self) -> None:
        self._of_entry: dict[Entry, PlatformError] = {}
        self._others: list[str] = []

    def report(self, entry: Entry, error: PlatformError) -> None:
        if isinstance(error, ApiError):
            raise error
        self._of_entry.setdefault(entry, error)

    def report_option(self, error: PlatformError) -> None:
        self._others.append(str(error))

    def raise_if_any(self, entries: t.Sequence[Entry]) -> None:
        lines = [f"{entry.label}: {self._of_entry[entry]}" for entry in entries if entry in self._of_entry]
        if lines or self._others:
            raise BlueprintError([*lines, *self._others])


class _Scopes:
    """The scopes that entries name, one object for each team, whether it exists or is only planned."""

    def __init__(self, platform: Platform, team_nodes: t.Sequence[Node], problems: _Problems) -> None:
        self._platform = platform
        self._nodes = team_nodes
        self._problems = problems
        self._teams = _Candidates(Team, platform.listing(Team, Scope()), team_nodes) if team_nodes else None
        self._by_name: dict[str, Scope | None] = {}
        self.entered: list[Scope] = []
        self.nodes_without_team: list[Node] = []
        for node in team_nodes:
            if not node.step.is_deletion and node.step.expected:
                self._enter(Scope(node))

    def of(self, entry: Entry) -> Scope | None:
        """The scope of an entry; ``None`` where it is in a team that is declared absent, or where it has a problem."""
        going = self._going(entry.team)
        if going and not entry.wanted.is_absent:
            problem = f"team: {entry.team} is declared with state absent by {going.label}."
            self._problems.report(entry, PlatformError(problem))
            return None
        if going and not going.step.live:
            bound = entry.kind(entry.wanted, self._platform, Scope())
            self.nodes_without_team.append(Node(bound, plan_nothing(None), entry, missing_team=entry.team))
            return None
        try:
            return self._scope(entry.team)
        except PlatformError as error:
            self._problems.report(entry, error)
            return None

    def enter(self, team: str) -> None:
        """Take in the scope that the module's own option names."""
        try:
            self._scope(team)
        except ApiError:
            raise
        except PlatformError as error:
            self._problems.report_option(error)

    def needs(self, scope: Scope) -> list[Node]:
        """The node that makes the scope's team, or changes it."""
        return [node for node in self._nodes if scope.team is node and node.step.is_change]

    def is_going(self, scope: Scope) -> bool:
        return bool(scope.team and self._going(scope.slug))

    def _scope(self, team: str) -> Scope:
        if team not in self._by_name:
            self._by_name[team] = self._enter(Scope(self._team(team)) if team else own_scope(self._platform))
        return t.cast(Scope, self._by_name[team])

    def _enter(self, scope: Scope) -> Scope:
        known = next((other for other in self.entered if _is_same_scope(other, scope)), None)
        if known is None:
            self.entered.append(scope)
        return known or scope

    def _team(self, team: str) -> Known:
        if self._teams is not None:
            found = self._teams.find("team", team)
            if found is not None:
                return found
            taken = self._teams.taken_away(team)
            if taken and not self._going(team):
                raise PlatformError(f"team: {taken}")
        live = find_team(self._platform, team)
        if live is None:
            slugs = [*self._platform.listing(Team, Scope()), *(node.item for node in self._nodes)]
            raise PlatformError(f"{no_such_team(team, slugs)} It is not declared either.")
        return Found(live)

    def _going(self, team: str) -> Node | None:
        for node in self._nodes:
            wanted, live = node.bound.wanted, node.step.live
            if wanted.is_absent and team and team in (wanted.id, wanted.name, live.get("slug"), str(live.get("id"))):
                return node
        return None


def _is_same_scope(one: Scope, other: Scope) -> bool:
    if one.team is None or other.team is None:
        return one.team is other.team
    return one.team is other.team or (one.team_id is not None and str(one.team_id) == str(other.team_id))


def _group(
    kind: type[Kind],
    scope: Scope,
    entries: t.Sequence[Entry],
    platform: Platform,
    problems: _Problems,
    groups: t.Mapping[tuple[type[Kind], str], t.Sequence[Node]],
) -> list[Node]:
    """The nodes of the entries of one kind in one scope."""
    bounds: list[tuple[Entry, Kind]] = []
    references: dict[Entry, list[tuple[type[Kind], Known]]] = {}
    candidates = {
        option: _Candidates(other, platform.reachable(other, scope), groups.get((other, scope.slug), ()))
        for option, other in kind.references.items()
    }
    for entry in entries:
        try:
            referred = _references(entry, scope, candidates)
        except PlatformError as error:
            problems.report(entry, error)
            continue
        bounds.append((entry, kind(entry.wanted, platform, scope, referred)))
        references[entry] = [(kind.references[option], known) for option, known in referred.items()]
    items = _items(kind, scope, platform, [bound for _entry, bound in bounds])
    lives = match_entries(bounds, items, problems.report)
    nodes: list[Node] = []
    declared: dict[str, Entry] = {}
    for entry, bound in bounds:
        if entry in lives:
            try:
                step = _step(bound, lives[entry])
                _check_declared_once(entry, step.live, declared)
            except PlatformError as error:
                problems.report(entry, error)
                continue
            needs = [known for _kind, known in references[entry] if isinstance(known, Node) and known.step.is_change]
            nodes.append(Node(bound, step, entry, needs=needs, referred=references[entry]))
    _check_names(kind, nodes, problems)
    _wait_for_names(kind, nodes)
    return nodes


def _items(kind: type[Kind], scope: Scope, platform: Platform, bounds: t.Sequence[Kind]) -> Listing:
    if not kind.is_listed:
        return Listing()
    items = platform.listing(kind, scope)
    for bound in bounds:
        if isinstance(bound, Team):
            items = bound.with_shown(items)
    return items


def _step(bound: Kind, live: Values | None) -> Step:
    if isinstance(bound, Resource):
        return bound.plan_for(bound.settle(live))
    return bound.plan()


def _check_declared_once(entry: Entry, live: Values, declared: dict[str, Entry]) -> None:
    if live.get("id") is not None:
        other = declared.setdefault(str(live["id"]), entry)
        if other is not entry:
            raise PlatformError(f"{other.label} declares the same object ({described(live)}).")


def _check_names(kind: type[Kind], nodes: t.Sequence[Node], problems: _Problems) -> None:
    """Two objects of one name may not come out of a plan."""
    if not kind.is_listed:
        return
    bearers: dict[str, Node] = {}
    for node in nodes:
        name = node.step.expected.get(kind.name_field)
        if name and not node.step.is_deletion and node.entry:
            other = bearers.setdefault(kind.form(name), node)
            if other is not node:
                problems.report(node.entry, PlatformError(f"{other.label} gives the {kind.name_field} {name} already."))


def _wait_for_names(kind: type[Kind], nodes: t.Sequence[Node]) -> None:
    """Have whoever takes a name wait for the object that gives it up."""
    giving_up = {
        kind.form(node.step.live[kind.name_field]): node
        for node in nodes
        if node.step.action is Action.UPDATE and kind.name_field in node.step.changes
    }
    for node in nodes:
        holder = giving_up.get(kind.form(node.step.expected.get(kind.name_field) or ""))
        if holder is not None and holder is not node:
            node.needs.append(holder)


def wait_for_what_leaves(nodes: t.Sequence[Node]) -> None:
    """Have a deletion wait for the objects that would go with it and are moved away: where that fails, they need it."""
    for deletion in (node for node in nodes if node.step.is_deletion):
        for node in nodes:
            goes = node.kind.goes_with.get(deletion.kind.plural)
            may_leave = node.step.action is Action.UPDATE and node.bound.scope is deletion.bound.scope
            if goes and may_leave and goes(deletion.step.live, node.step.live):
                deletion.needs += [] if goes(deletion.step.live, node.step.expected) else [node]


def _references(entry: Entry, scope: Scope, candidates: t.Mapping[str, _Candidates]) -> dict[str, Known]:
    """The objects that an entry's options name, planned or existing."""
    referred: dict[str, Known] = {}
    for option, known in candidates.items():
        name = entry.wanted.options.get(option)
        if entry.wanted.is_absent or name is None:
            continue
        found = known.find(option, name)
        if found is None:
            taken = known.taken_away(name)
            if taken:
                raise PlatformError(f"{option}: {taken}")
            near = did_you_mean(name, known.names())
            raise PlatformError(f"{option}: {name} is not declared and does not exist in {scope}.{near}")
        referred[option] = found
    return referred


class _Candidates:
    """The objects that an option may name once the plan is done: of the nodes, and those that no node is about."""

    def __init__(self, kind: type[Kind], items: Listing, nodes: t.Sequence[Node]) -> None:
        self._kind = kind
        self._nodes = nodes
        touched = {str(node.step.live["id"]) for node in nodes if node.step.live}
        self._known: list[Known] = [node for node in nodes if not node.step.is_deletion and node.step.expected]
        self._known += [Found(item) for item in items if str(item["id"]) not in touched]
        self._index: dict[str, list[Known]] = {}
        for known in self._known:
            for name in {str(known.item["id"] or ""), str(known.item[kind.name_field] or "")}:
                self._index.setdefault(name, []).append(known)

    def find(self, option: str, id_or_name: str) -> Known | None:
        """Raises Ambiguous where the value is one's id and another's name."""
        found = self._index.get(id_or_name, [])
        if len(found) > 1:
            listed = "; ".join(described(known.item) for known in found)
            raise Ambiguous(f"{option}: {id_or_name} fits {len(found)} objects ({listed}). Say which one is meant.")
        return found[0] if found else None

    def taken_away(self, name: str) -> str | None:
        """The reason why nothing has this name any more once the plan is done."""
        field = self._kind.name_field
        for node in self._nodes:
            if node.step.live.get(field) == name and node.step.is_deletion:
                return f"{name} is declared with state absent by {node.label}."
            if node.step.live.get(field) == name and node.step.changes:
                return f"{name} becomes {node.name} by {node.label}. Write {node.name} here."
        return None

    def names(self) -> list[t.Any]:
        return [known.item[self._kind.name_field] for known in self._known]
