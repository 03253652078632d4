# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a blueprint that ``only`` selects, and its boundary: the rest is left alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .._errors import PlatformError
from .._model.kind import Kind
from .._model.kinds.registry import KINDS
from .._model.kinds.team import Team
from .._model.platform import Platform, Scope
from .._model.step import Action, Found, Step, plan_nothing
from .entries import Entry, Problems
from .node import NOT_SELECTED, LiveObject, Node
from .selectors import Selectors


class Selection:
    """The selected entries, and the selected objects that no entry declares.

    ``only``: ``None`` selects everything. ``prune``: the kinds whose undeclared objects are selected by name alone, in
    any team.
    """

    def __init__(
        self, only: Selectors | None, entries: Sequence[Entry], platform: Platform, prune: Collection[str] = ()
    ) -> None:
        self._only = only
        self._of_objects = [selector for selector in only or () if selector.source is None]
        self._prune = prune
        self._slugs = _slugs(entries, platform) if any(selector.team is not None for selector in only or ()) else {}
        self._selected = {entry for entry in entries if only is None or self._selects(entry)}

    @property
    def is_whole(self) -> bool:
        return self._only is None

    @property
    def is_empty(self) -> bool:
        """Return whether nothing needs to be read: no entry is selected, and no object can be."""
        looks_for_objects = any(selector.team is not None or self._prune for selector in self._of_objects)
        return not (self.is_whole or self._selected or looks_for_objects)

    def has(self, entry: Entry | None) -> bool:
        """Return whether an entry is selected; ``None`` is for an undeclared object, which was selected by itself."""
        return entry is None or entry in self._selected

    def slug_of(self, entry: Entry) -> str:
        """The slug of an entry's team, a team's own; ``""`` in the own scope."""
        if entry.kind is Team:
            return entry.wanted.name or self._slugs.get(str(entry.wanted.id), "")
        return self.slug_of_team(entry.team)

    def slug_of_team(self, team: str) -> str:
        """The slug of a team that an option names by its id or slug, if a selector needs it."""
        return self._slugs.get(team, team)

    def reaches(self, found: LiveObject) -> bool:
        """Return whether an object that no entry declares is selected."""
        name, team = found.item[found.kind.name_field], found.name if found.team is None else found.team
        return self.is_whole or any(selector.matches(found.kind, name, team) for selector in self._of_objects)

    def may_reach(self, kind: type[Kind], team: str) -> bool:
        """Return whether to look for undeclared objects in a team without selected entries: a selector names it, or
        objects to prune in any team.
        """
        return self.is_whole or any(
            selector.may_match(kind, team) and (selector.team is not None or kind.plural in self._prune)
            for selector in self._of_objects
        )

    def may_reach_team(self, team: str) -> bool:
        """Return whether to look for undeclared objects of any kind in a team."""
        return any(self.may_reach(kind, team) for kind in KINDS.values())

    def _selects(self, entry: Entry) -> bool:
        team = self.slug_of(entry)
        name = team if entry.kind is Team else entry.name
        return any(
            selector.matches(entry.kind, name, team) and selector.is_of_source(entry.source)
            for selector in self._only or ()
        )


def leave_unselected(nodes: Sequence[Node], selection: Selection, problems: Problems) -> None:
    """Skip what is planned but not selected. Selected nodes may not depend on it, or they would be left half done."""
    for node in nodes:
        for need in node.needs if node.is_pending and selection.has(node.entry) else ():
            creates = need.step.action is Action.CREATE
            # Other steps, which neither create an object nor give or free a name, need not be carried out first.
            if not selection.has(need.entry) and (creates or need.kind.name_field in need.step.changes):
                problem = (
                    f"needs the {need.kind.singular} that {need.label} {'creates' if creates else 'renames'}, which is"
                    " not selected. Select it with only, too."
                )
                problems.report(node.entry, PlatformError(problem))
        node.needs = [need for need in node.needs if selection.has(need.entry)]
    for node in nodes:
        if not selection.has(node.entry):
            # It keeps its declared names, as in the whole plan.
            node.step = Step(Action.NONE, node.step.live, node.step.expected)
            node.skip_reason = NOT_SELECTED


def unread_node(entry: Entry, selection: Selection, platform: Platform) -> Node:
    """The node of an entry for which nothing was read: not selected, or to be absent from a team that does not exist.
    No more than the slug is known of its team.
    """
    is_selected = selection.has(entry)
    team = entry.team if is_selected else selection.slug_of(entry)
    bound = entry.kind(entry.wanted, platform, Scope(Found({"id": None, "slug": team})))
    return Node(bound, plan_nothing(None), entry, skip_reason=None if is_selected else NOT_SELECTED)


def _slugs(entries: Sequence[Entry], platform: Platform) -> dict[str, str]:
    """The slugs of teams by their ids: as the service has them, and as declared."""
    live = {str(team["id"]): str(team["slug"]) for team in platform.listing(Team, Scope())}
    teams = [entry.wanted for entry in entries if entry.kind is Team and entry.wanted.name]
    renaming = [wanted for wanted in teams if not wanted.is_exists and wanted.name not in live.values()]
    heirs = {slug: str(wanted.name) for wanted in renaming for slug in wanted.previously}
    declared = {wanted.id: str(wanted.name) for wanted in teams if wanted.id}
    return {**{team: heirs.get(slug, slug) for team, slug in live.items()}, **declared}
