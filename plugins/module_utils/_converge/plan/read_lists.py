# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every list that the entries, prune and the report need, each read once."""

from __future__ import annotations

from collections.abc import Iterator

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, kinds_in_cascade, prunable_kinds
from ..._model.scope import Scope
from ..items.item import TEAM_KIND
from ..items.lists import Lists, ListToRead, read_listings
from ..items.names import name_in_scope
from ..items.plan import Plan
from ..items.references import unusable_reason


def read_lists(plan: Plan) -> None:
    """Set the scopes of the run, and read what is needed of them.

    Raises ApiError for a list that cannot be read, unless only the report of undeclared objects
    needs it.
    """
    plan.scopes = _scopes_of_run(plan)
    if plan.platform.team_option is None:
        plan.platform.team_option = "only" if len(plan.scopes) > 1 else ""
    lists = read_listings(plan.platform, _required_lists(plan), _reported_lists(plan))
    plan.lists = Lists(plan.teams, lists)
    _add_unlisted(plan)


def _scopes_of_run(plan: Plan) -> tuple[Scope, ...]:
    """The scopes that entries name, those of present teams, and those that the task and the files
    of the blueprint name. The last two count even where an entry wants the team absent.
    """
    teams = [item for item in plan.items if item.kind is TEAM_KIND]
    absent = {item.named_scope for item in teams if unusable_reason(item)}
    scopes = [item.named_scope for item in plan.items if item.named_scope not in absent]
    scopes += [plan.teams.named(named.team) for named in plan.named_scopes]
    return tuple(dict.fromkeys(scopes))


def _required_lists(plan: Plan) -> Iterator[ListToRead]:
    """The lists without which there is no plan."""
    for item in plan.selected_items:
        scope = item.named_scope
        yield item.kind, scope
        for field, plural in item.kind.embeds.items():
            if field in item.desired.values:  # also an empty one: what was there goes along
                yield KINDS[plural], scope
        if item.desired.is_absent:
            for other in kinds_in_cascade(item.kind):
                yield other, scope
    for kind in _pruned_kinds(plan):
        for scope in _scopes_that_may_hold(kind, plan):
            if scope.team:  # the own scope is never pruned
                for affected in (kind, *kinds_in_cascade(kind)):
                    yield affected, scope
    yield from _lists_for_cascades(plan)


def _lists_for_cascades(plan: Plan) -> Iterator[ListToRead]:
    """The lists of what the service removes wherever it is, in every scope that a selected entry, a
    present team or the task names: the aliases of a domain.
    """
    deleted: set[type[Kind]] = {item.kind for item in plan.selected_items if item.desired.is_absent}
    deleted.update(_pruned_kinds(plan))
    for kind in list(deleted):
        deleted.update(kinds_in_cascade(kind))
    scopes = [
        item.named_scope
        for item in plan.selected_items
        if item.kind.is_in_team or not item.desired.is_absent
    ]
    if plan.options.team is not None:
        scopes.append(plan.teams.named(plan.options.team))
    for scope in dict.fromkeys(scopes):
        for kind in deleted:
            for plural in kind.documented_cascades:
                yield KINDS[plural], scope


def _reported_lists(plan: Plan) -> Iterator[ListToRead]:
    """The lists of what the report calls undeclared."""
    for kind in prunable_kinds():
        if kind.plural in plan.blueprint.kinds:
            for scope in _scopes_that_may_hold(kind, plan):
                yield kind, scope


def _pruned_kinds(plan: Plan) -> list[type[Kind]]:
    named = plan.blueprint.kinds
    return [KINDS[plural] for plural in plan.options.prune if plural in named]


def _scopes_that_may_hold(kind: type[Kind], plan: Plan) -> Iterator[Scope]:
    """The scopes of the run in which objects of a kind may be selected."""
    for scope in plan.scopes:
        if plan.options.may_select_undeclared(kind, scope):
            yield scope


def _add_unlisted(plan: Plan) -> None:
    """Add each object of a team to which a selected entry refers, by an ID or a name, which no
    entry declares and no list shows, and which a GET shows: the list may be late.
    """
    known = {name_in_scope(item.kind, item.scope, item.name) for item in plan.items}
    for item in plan.selected_items:
        if item.desired.is_absent:
            continue
        for option, kind in item.kind.references.items():
            name = item.desired.options[option]
            key = name_in_scope(kind, item.scope, name)
            if key in known:
                continue
            known.add(key)
            listed = plan.lists.listing(kind, item.scope)
            if listed.where("id", name) or listed.where(kind.name_field, name):
                continue
            record = plan.platform.find_unlisted(kind, item.scope, name)
            if record:
                plan.lists.add(kind, item.scope, record, is_listed=False)
