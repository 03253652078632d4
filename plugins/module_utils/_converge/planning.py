# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning, from the entries and the existing objects: every list is read once, and nothing is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from .._errors import ApiError, PlatformError
from .._model.fields import Values, is_same
from .._model.kind import Kind
from .._model.kinds.registry import KINDS
from .._model.kinds.team import Team
from .._model.listing import Listing
from .._model.platform import Platform, Scope, described
from .._model.resource import Resource
from .._model.step import Known
from .._threads import Crew
from .entries import Entry, Problems
from .node import LiveObject, Node
from .scopes import Candidates, Scopes, is_named
from .selection import Selection, leave_unselected, unread_node

# The entry that declares an object, by the object's kind and id.
Declared = dict[tuple[str, str], Entry]


@dataclasses.dataclass
class Plan:
    """The nodes in the order of the entries, their scopes, and the selection. ``declared``: the entries of the objects
    that exist, by the objects' keys. ``unread``: the entries for which nothing was read.
    """

    platform: Platform
    nodes: list[Node]
    scopes: list[Scope]
    selection: Selection
    declared: Declared
    unread: list[Entry]

    def entry_of(self, found: LiveObject) -> Entry | None:
        """The entry that declares an object, which the lists of several scopes may show; an unplanned entry is found by
        any of its names.
        """
        planned = self.declared.get(found.key)
        return planned or next((entry for entry in self.unread if _may_be_about(entry, found)), None)


def make_plan(platform: Platform, entries: Sequence[Entry], default_team: str | None, selection: Selection) -> Plan:
    """Plan the entries; unselected ones only as far as the lists read for the others allow.

    ``default_team``: the task's own, ``""`` for the caller's own scope.

    Raises BlueprintError, naming every entry that cannot be planned: an id that no object has, a team or a project that
    is neither declared nor existing, two entries for one object, an entry that needs an unselected one.
    """
    problems = Problems(selection.has)
    planner = _Planner(platform, problems)
    mine = _teams(entries, platform, selection)
    teams = planner.group(Team, Scope(), mine) if mine else []
    scopes = Scopes(platform, teams, problems, selection)
    in_teams = [entry for entry in entries if entry.kind is not Team]
    selected_first = sorted(in_teams, key=lambda entry: not selection.has(entry))
    placed = {entry: scopes.enter(entry.team, entry) for entry in selected_first}
    if default_team is not None:
        scopes.enter(default_team)
    places = _places(placed, selection)
    read_ahead(platform, places)
    for kind in KINDS.values():
        for scope in scopes.entered:
            mine = [entry for entry in in_teams if entry.kind is kind and placed[entry] is scope]
            if mine and (kind, scope) in places:
                planner.group(kind, scope, mine)
    planned = [node for group in planner.groups.values() for node in group]
    leave_unselected(planned, selection, problems)
    problems.raise_if_any(entries)
    nodes = {node.entry: node for node in planned}
    unread = [entry for entry in entries if entry not in nodes]
    nodes.update({entry: unread_node(entry, selection, platform) for entry in unread})
    staying = [scope for scope in scopes.entered if not scopes.is_going(scope)]
    return Plan(platform, [nodes[entry] for entry in entries], staying, selection, planner.declared, unread)


def read_ahead(platform: Platform, wanted: Iterable[tuple[type[Kind], Scope]]) -> None:
    """Read the lists of these kinds and scopes, and of what they refer to, into the cache."""
    places = dict.fromkeys((needed, scope) for kind, scope in wanted for needed in (kind, *kind.references.values()))
    with Crew(platform.workers) as crew:
        list(crew.map(lambda place: platform.listing(*place), places))


def listings_if_shown(platform: Platform, places: Sequence[tuple[type[Kind], Scope]]) -> list[Listing | None]:
    """The lists of these kinds and scopes; ``None`` for what the service forbids: not every team shows its lists to
    everyone.
    """

    def read(place: tuple[type[Kind], Scope]) -> Listing | None:
        try:
            return platform.listing(*place)
        except ApiError as error:
            if error.status != 403:
                raise
            return None

    with Crew(platform.workers) as crew:
        return list(crew.map(read, places))


def _teams(entries: Sequence[Entry], platform: Platform, selection: Selection) -> list[Entry]:
    """The team entries to plan, except unselected ones that would have to be looked up by id."""
    teams = [] if selection.is_empty else [entry for entry in entries if entry.kind is Team]
    listed = platform.listing(Team, Scope()) if teams else Listing()
    return [
        entry for entry in teams if selection.has(entry) or not entry.wanted.id or listed.where("id", entry.wanted.id)
    ]


def _places(placed: Mapping[Entry, Scope | None], selection: Selection) -> dict[tuple[type[Kind], Scope], None]:
    """The kinds and scopes that contain something selected, or something that it refers to."""
    places: dict[tuple[type[Kind], Scope], None] = {}
    for entry, scope in placed.items():
        if scope is not None and (selection.has(entry) or selection.may_reach(entry.kind, scope.slug)):
            places.update(dict.fromkeys((kind, scope) for kind in (entry.kind, *entry.kind.references.values())))
    return places


def _may_be_about(entry: Entry, found: LiveObject) -> bool:
    """Return whether an unplanned entry may mean an object, by its id, its name or an earlier one."""
    kind = found.kind
    if entry.kind is not kind or (kind.is_in_team and not is_named(found.scope, entry.team)):
        return False
    names = [kind.form(name) for name in (entry.wanted.name, *entry.wanted.previously) if name]
    return is_same(entry.wanted.id, found.item["id"]) or kind.form(found.item[kind.name_field]) in names


@dataclasses.dataclass(eq=False)
class _Planner:
    """Plans the entries of one kind in one scope after those of others.

    ``groups``: the nodes by kind and scope; ``declared``: the objects that their entries declare.
    """

    platform: Platform
    problems: Problems
    groups: dict[tuple[type[Kind], str], list[Node]] = dataclasses.field(default_factory=dict)
    declared: Declared = dataclasses.field(default_factory=dict)

    def group(self, kind: type[Resource], scope: Scope, entries: Sequence[Entry]) -> list[Node]:
        """The nodes of the entries."""
        bounds: dict[Entry, Resource] = {}
        candidates = {
            option: Candidates(other, self.platform.reachable(other, scope), self.groups.get((other, scope.slug), ()))
            for option, other in kind.references.items()
        }
        for entry in entries:
            with self.problems.of(entry):
                referred = self._references(entry, scope, candidates)
                bounds[entry] = kind(entry.wanted, self.platform, scope, referred)
        items = self.platform.listing(kind, scope)
        for bound in bounds.values():
            items = bound.with_shown(items)
        lives = _match(bounds, items, self.problems)
        nodes = self.groups[kind, scope.slug] = []
        for entry, bound in bounds.items():
            with self.problems.of(entry):
                if entry in lives:
                    step = bound.plan_for(bound.settle(lives[entry]))
                    self._check_declared_once(entry, step.live)
                    node = Node(bound, step, entry)
                    planned = (known for *_what, known in node.referred if isinstance(known, Node))
                    node.needs = [known for known in planned if known.step.is_change]
                    nodes.append(node)
        _check_names(kind, nodes, self.problems)
        _wait_for_names(kind, nodes)
        return nodes

    def _check_declared_once(self, entry: Entry, live: Values) -> None:
        """Check that no other entry declares the object: several scopes may list it."""
        if live.get("id") is not None:
            other = self.declared.setdefault((entry.kind.plural, str(live["id"])), entry)
            if other is not entry:
                raise PlatformError(f"{other.label} declares the same object ({described(live)}).")

    def _references(self, entry: Entry, scope: Scope, candidates: Mapping[str, Candidates]) -> dict[str, Known]:
        """The objects that an entry's options name, planned or existing.

        An entry with state absent may name an object that is also to be absent, or never existed.
        """
        referred: dict[str, Known] = {}
        for option, known in candidates.items():
            name = entry.wanted.options.get(option)
            found = known.find(option, name) if name is not None else None
            if found is not None:
                referred[option] = found
            elif name is not None and not entry.wanted.is_absent:
                unplanned = self.problems.why_unplanned(entry.kind.references[option], entry.team, name)
                raise PlatformError(f"{option}: {unplanned or known.why_missing(name, scope)}")
        return referred


def _match(bounds: Mapping[Entry, Resource], items: Listing, problems: Problems) -> dict[Entry, Values | None]:
    """The object of each entry, ``None`` if there is none; entries with a reported problem are left out.

    Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b`` becomes ``c``, the second
    entry means the object ``b``.
    """
    own: dict[Entry, Values | None] = {}
    earlier: dict[Entry, list[Values]] = {}
    for entry, bound in bounds.items():
        with problems.of(entry):
            own[entry] = bound.named(items)
            earlier[entry] = bound.named_before(items)
    lives = {entry: own[entry] for entry in earlier}
    renamed = {entry: found for entry, found in earlier.items() if found}
    entry_of_name = {entry.wanted.name: entry for entry in own if not entry.wanted.id}
    taking = [entry for entry in renamed if own[entry] is None]
    for entry in taking:  # to which those are added that lose their objects to them
        bound, live = bounds[entry], renamed[entry][0]
        del lives[entry]
        with problems.of(entry):
            if len(renamed[entry]) > 1:
                raise PlatformError(bound.both_exist(renamed[entry]))
            loser = entry_of_name.get(live[bound.name_field])
            if loser is not None and loser not in renamed:
                raise PlatformError(
                    f"previously: {live[bound.name_field]} exists and {entry.wanted.name} does not, and {loser.label}"
                    f" declares {live[bound.name_field]} too. Remove it from previously, or give {loser.label} another"
                    " name."
                )
            if loser is not None and lives.get(loser) is live:
                lives[loser] = None
                taking.append(loser)
            lives[entry] = bound.addressable(live, items)
    declared = {str(live["id"]) for live in {**own, **lives}.values() if live is not None}
    for entry, found in renamed.items():
        kept, others = own[entry], [item for item in found if str(item["id"]) not in declared]
        # An object of an earlier name must be another entry's, or not exist.
        if others and kept is not None and lives.get(entry) is kept:
            del lives[entry]
            problems.report(entry, PlatformError(bounds[entry].both_exist([kept, *others])))
    return lives


def _check_names(kind: type[Kind], nodes: Sequence[Node], problems: Problems) -> None:
    """Check that the plan does not result in two objects with the same name, or invite anybody twice.

    An object that only has to exist may keep an earlier name, and its entry still declares the other one.
    """
    bearers: dict[str, Node] = {}
    for node in nodes:
        name = node.step.expected.get(kind.name_field)
        if name and not node.step.is_deletion and node.entry:
            declared = None if node.entry.wanted.id else node.entry.wanted.name
            for taken in dict.fromkeys((name, declared or name)):
                other = bearers.setdefault(kind.form(taken), node)
                if other is not node and other.entry:
                    problems.report_clash(other.entry, node.entry, f"already has the {kind.name_field} {taken}.")


def _wait_for_names(kind: type[Kind], nodes: Sequence[Node]) -> None:
    """Make each node that takes a name wait for the one that gives it up, or that would take over its object."""
    giving_up: dict[str, Node] = {}
    for node in nodes:
        if not node.step.live:
            giving_up.update((kind.form(name), node) for name in node.bound.wanted.previously)
        elif kind.name_field in node.step.changes:
            giving_up[kind.form(node.step.live[kind.name_field])] = node
    for node in nodes:
        holder = giving_up.get(kind.form(node.step.expected.get(kind.name_field) or ""))
        if holder is not None and holder is not node:
            node.needs.append(holder)
