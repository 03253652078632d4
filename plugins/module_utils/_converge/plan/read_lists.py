# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every list that the entries, prune and the report need, each read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..._model.finding import matching
from ..._model.kinds.registry import KINDS, kinds_in_cascade, prunable_kinds
from ..._model.scope import Scope
from ..items.item import TEAM_KIND
from ..items.lists import Lists, ListToRead, read_listings
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
    reported = list(_reported_lists(plan))
    pruned = [
        (kind, scope)
        for kind, scope in reported
        if kind.plural in plan.options.prune and scope.team  # the own scope is never pruned
    ]
    required = _required_lists(plan, pruned)
    plan.lists = Lists(plan.teams, read_listings(plan.platform, required, reported))
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


def _reported_lists(plan: Plan) -> Iterator[ListToRead]:
    """The lists of what the report calls undeclared."""
    for kind in prunable_kinds():
        if kind.plural not in plan.blueprint.kinds:
            continue
        for scope in plan.scopes:
            if plan.options.may_select_undeclared(kind, scope):
                yield kind, scope


def _required_lists(plan: Plan, pruned: Iterable[ListToRead]) -> Iterator[ListToRead]:
    """The lists without which there is no plan: of what entries are compared with, of what may be
    deleted, and of what the service deletes with that.
    """
    deleted = dict.fromkeys(pruned)
    for item in plan.selected_items:
        scope = item.named_scope
        yield item.kind, scope
        for field, plural in item.kind.embeds.items():
            if field in item.desired.values:  # also an empty one: what was there goes along
                yield KINDS[plural], scope
        if item.desired.is_absent:
            deleted[item.kind, scope] = None
    removed: set[str] = set()
    for kind, scope in deleted:
        for other in (kind, *kinds_in_cascade(kind)):
            yield other, scope
            removed.update(other.documented_cascades)
    if removed:
        for scope in _scopes_of_entries(plan):
            yield from ((KINDS[plural], scope) for plural in removed)


def _scopes_of_entries(plan: Plan) -> Iterable[Scope]:
    """Where the service removes what it removes wherever it is, the aliases of a domain, as far as
    that is read: every scope that a selected entry, a present team or the task names.
    """
    scopes = [
        item.named_scope
        for item in plan.selected_items
        if item.kind.is_in_team or not item.desired.is_absent
    ]
    if plan.options.team is not None:
        scopes.append(plan.teams.named(plan.options.team))
    return dict.fromkeys(scopes)


def _add_unlisted(plan: Plan) -> None:
    """Add each object of a team to which a selected entry refers, by an ID or a name, which no
    entry declares and no list shows, and which a GET shows: the list may be late.
    """
    known = {item.kind.name_at(item.scope, item.name) for item in plan.items}
    for item in plan.selected_items:
        if item.desired.is_absent:
            continue
        for option, kind in item.kind.references.items():
            name = item.desired.options[option]
            key = kind.name_at(item.scope, name)
            if key in known:
                continue
            known.add(key)
            listed = plan.lists.listing(kind, item.scope)
            if matching(name, listed, kind.name_field):
                continue
            record = plan.platform.find_unlisted(kind, item.scope, name)
            if record:
                plan.lists.add(kind, item.scope, record)
