# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every list that the entries, prune and the report need, each read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..._errors import ApiError
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, kinds_in_cascade, prunable_kinds
from ..._model.listing import Listing, ListKey
from ..._model.platform import Platform, list_key
from ..._model.scope import Scope
from ..._threads import InterruptiblePool
from ..items.item import Item
from ..items.lists import Lists
from ..items.names import name_in_scope
from ..items.plan import Plan

# A list to read, of a kind in a scope.
ListToRead = tuple[type[Kind], Scope]


def read_lists(plan: Plan) -> None:
    """Set the scopes of the run, and read what is needed of them.

    Raises ApiError for a list that cannot be read, unless only the report of undeclared objects
    needs it.
    """
    plan.scopes = _scopes_of_run(plan)
    if plan.platform.team_option is None:
        plan.platform.team_option = "only" if len(plan.scopes) > 1 else ""
    required = _readable(_required_lists(plan))
    reported = _readable(_reported_lists(plan))
    lists = _read({**reported, **required}, required, plan.platform)
    plan.unreadable = [key for key in reported if key not in lists]
    plan.lists = Lists(plan.teams, lists)
    _add_unlisted(plan)


def _scopes_of_run(plan: Plan) -> tuple[Scope, ...]:
    """The scopes that entries name, those of present teams, and those that the task and the files
    of the blueprint name. The last two count even where an entry wants the team absent.
    """
    teams = plan.teams
    named = dict.fromkeys(item.scope for item in plan.items if item.kind.is_in_team)
    scopes = [scope for scope in named if not teams.is_absent(scope)]
    scopes += teams.present
    if plan.options.team is not None:
        scopes.append(teams.named(plan.options.team))
    scopes += [teams.named(scope.team) for scope in plan.blueprint.scopes]
    return tuple(dict.fromkeys(scopes))


def _required_lists(plan: Plan) -> Iterator[ListToRead]:
    """The lists without which there is no plan."""
    for item in plan.selected_items:
        scope = item.named_scope
        for kind in _kinds_for(item):
            yield kind, scope
    for kind in _pruned_kinds(plan):
        for scope in _scopes_that_may_hold(kind, plan):
            if scope.team is None:
                continue  # never pruned: nobody can tell whose all of it is
            yield from _with_references(kind, scope)
            for other in kinds_in_cascade(kind):
                yield other, scope
    yield from _lists_for_cascades(plan)


def _reported_lists(plan: Plan) -> Iterator[ListToRead]:
    """The lists of what the report calls undeclared."""
    for kind in prunable_kinds():
        if kind.plural in plan.blueprint.kinds:
            for scope in _scopes_that_may_hold(kind, plan):
                yield from _with_references(kind, scope)


def _lists_for_cascades(plan: Plan) -> Iterator[ListToRead]:
    """The lists of what the service removes wherever it is, in every scope that a selected entry, a
    present team or the task names: the aliases of a domain.
    """
    deleted: set[type[Kind]] = {item.kind for item in plan.selected_items if item.desired.is_absent}
    deleted.update(_pruned_kinds(plan))
    for kind in list(deleted):
        deleted.update(kinds_in_cascade(kind))
    removed: set[str] = set()
    for kind in deleted:
        removed.update(kind.documented_cascades)
    if not removed:
        return
    named = [
        item.named_scope
        for item in plan.selected_items
        if item.kind.is_in_team or not item.desired.is_absent
    ]
    if plan.options.team is not None:
        named.append(plan.teams.named(plan.options.team))
    for scope in dict.fromkeys(named):
        for plural in removed:
            yield from _with_references(KINDS[plural], scope)


def _pruned_kinds(plan: Plan) -> list[type[Kind]]:
    named = plan.blueprint.kinds
    return [KINDS[plural] for plural in plan.options.prune if plural in named]


def _scopes_that_may_hold(kind: type[Kind], plan: Plan) -> Iterator[Scope]:
    """The scopes of the run in which objects of a kind may be selected."""
    for scope in plan.scopes:
        if plan.options.may_select_undeclared(kind, scope.slug, scope.ids):
            yield scope


def _kinds_for(item: Item) -> Iterator[type[Kind]]:
    """The kinds of what an entry is compared with, refers to and may delete with its object."""
    kind = item.kind
    if kind.is_in_team and kind.is_listed:
        yield from (kind, *kind.references.values())
    for field, plural in kind.embeds.items():
        if field in item.desired.values:  # also an empty one: what was there goes along
            yield KINDS[plural]
    if item.desired.is_absent:
        yield from kinds_in_cascade(kind)


def _with_references(kind: type[Kind], scope: Scope) -> Iterator[ListToRead]:
    for other in (kind, *kind.references.values()):
        yield other, scope


def _readable(wanted: Iterable[ListToRead]) -> dict[ListKey, ListToRead]:
    """The lists that can be read: a team that does not exist has none, and that of teams is read
    already.
    """
    found = {}
    for kind, scope in dict.fromkeys(wanted):
        if kind.is_in_team and kind.is_listed and not scope.is_planned:
            found[list_key(kind, scope)] = kind, scope
    return found


def _read(
    wanted: Mapping[ListKey, ListToRead], required: Mapping[ListKey, ListToRead], platform: Platform
) -> dict[ListKey, Listing]:
    def read(key: ListKey) -> Listing | None:
        try:
            return platform.whole_listing(*wanted[key])
        except ApiError as error:
            if error.status != 403 or error.is_throttling or key in required:
                raise
            return None

    with InterruptiblePool(platform.workers) as pool:
        found = zip(wanted, pool.map(read, wanted))
        return {key: listing for key, listing in found if listing is not None}


def _add_unlisted(plan: Plan) -> None:
    """Add each object of a team to which a selected entry refers, which no entry declares and no
    list shows, and which a GET shows: the list may be late.
    """
    for kind, scope, name in dict.fromkeys(_undeclared_names(plan)):
        listed = plan.lists.listing(kind, scope)
        if listed.where("id", name) or listed.where(kind.name_field, name):
            continue
        record = plan.platform.find_unlisted(kind, scope, name)
        if record:
            plan.lists.add(kind, scope, record, is_listed=False)


def _undeclared_names(plan: Plan) -> Iterator[tuple[type[Kind], Scope, str]]:
    """What the options of selected entries refer to and no entry declares, by an ID or a name."""
    declared = {name_in_scope(item.kind, item.scope, item.name) for item in plan.items}
    for item in plan.selected_items:
        if item.desired.is_absent:
            continue
        for option, kind in item.kind.references.items():
            name = item.desired.options[option]
            if name_in_scope(kind, item.scope, name) not in declared:
                yield kind, item.scope, name
