# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exporting the live platform as a blueprint: only the reading half of converging."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._errors import PlatformError
from .._model.fields import Values
from .._model.kind import Kind
from .._model.kinds.registry import KINDS, listed_kinds
from .._model.kinds.team import scopes_of_teams
from .._model.listing import Listing, ListKey
from .._model.options import TEAM_VARIABLE
from .._model.platform import OWN_SCOPE, Platform, Scope, list_key, sole
from .._model.resource import Resource
from .._threads import Crew
from .blueprint.entries import read_entries
from .blueprint.options import NOTHING_SET, Options, check_workers
from .blueprint.selectors import Selectors, read_selectors
from .change import SCOPE, Object
from .passes.along import go_along
from .passes.match import match
from .passes.prune import covers, declared_marks, marks_of
from .passes.read import read
from .passes.select import select

Lists = Mapping[ListKey, Listing]


def export_blueprint(platform: Platform, options: Mapping[str, Any]) -> dict[str, list[Values]]:
    """A blueprint with which ``blueprint`` would change nothing, alone or combined with that of ``undeclared_in``.

    Raises PlatformError for a name that would not find its object again, and BlueprintError for problems with
    ``undeclared_in``.
    """
    check_workers(options["workers"])
    platform = platform.for_one_task(options["workers"])
    ignore = read_selectors("ignore", options["ignore"])
    declared = _Declared(platform, options["undeclared_in"] or {})
    kinds = [kind for kind in listed_kinds() if kind.plural in options["kinds"]]
    scopes = _scopes(platform, options["teams"])
    lists = _read(platform, kinds, scopes)
    blueprint = {}
    for kind in kinds:
        entries = [entry for scope in scopes for entry in _entries(platform, lists, kind, scope, ignore, declared)]
        # Exports of the same platform are identical, whatever the order of the service's lists.
        blueprint[kind.plural] = sorted(entries, key=lambda entry: (str(entry[kind.name_field]), entry.get("team", "")))
    return blueprint


class _Declared:
    """What another blueprint declares, as planned for converging it."""

    def __init__(self, platform: Platform, blueprint: Mapping[str, Any]) -> None:
        # The team of an entry that names none, as the module blueprint has it.
        team = os.environ.get(TEAM_VARIABLE) or None
        options = Options(NOTHING_SET)
        entries = read_entries(blueprint, {"team": team})
        changes, lists = match(entries, read(entries, platform, options))
        changes = go_along(select(changes, lists, options), lists)
        self._losing_their_names = {
            change.live_key: change
            for change in changes
            if change.live and (change.step.is_deletion or change.kind.name_field in change.step.changes)
        }
        removed = [thing for change in changes if change.kind.removes for thing in change.along]
        self._marks = {*declared_marks(changes, lists), *(thing.key for thing in removed)}
        leaving = [change.existing for change in changes if change.is_pending and change.live]
        self._leaving = {(thing.kind.plural, thing.kind.form(thing.name)) for thing in (*leaving, *removed)}

    def has(self, thing: Object) -> bool:
        """Return whether an entry declares an object, or removes it with another."""
        return not self._marks.isdisjoint(marks_of(thing))

    def takes(self, thing: Object, option: str) -> bool:
        """Return whether an entry deletes or moves an object's field, which the export then does not declare."""
        plural = thing.kind.embeds.get(option)
        return plural is not None and (plural, KINDS[plural].form(thing.item[option])) in self._leaving

    def check_keeps_name(self, thing: Object) -> None:
        """Raises PlatformError if an entry would refer to an object that the other blueprint renames or deletes."""
        change = self._losing_their_names.get(thing.key)
        if change is not None:
            verb = "deletes" if change.step.is_deletion else "renames"
            raise PlatformError(
                f"undeclared_in: {change.label} {verb} the {thing.kind.singular} {thing.name}, which entries of the"
                " export would refer to. Converge that blueprint first."
            )


def _read(platform: Platform, kinds: Sequence[type[Resource]], scopes: Sequence[Scope]) -> Lists:
    """The lists of these kinds, and of those to which they refer. An object that an exported team's list shows is left
    out of the own scope's.
    """
    needed = dict.fromkeys(needed for kind in kinds for needed in (kind, *kind.references.values()))
    keys = {list_key(kind, scope): (kind, scope) for kind in needed for scope in _scopes_with(kind, scopes)}
    with Crew(platform.workers) as crew:
        lists = dict(zip(keys, crew.map(lambda place: platform.listing(*place), keys.values())))
    in_teams = {(key.kind, str(item["id"])) for key, items in lists.items() if key.team_id for item in items}
    for key, items in lists.items():
        if key.team_id is None:
            lists[key] = Listing(item for item in items if (key.kind, str(item["id"])) not in in_teams)
    return lists


def _scopes_with(kind: type[Kind], scopes: Sequence[Scope]) -> Sequence[Scope]:
    return scopes if kind.is_in_team else [Scope()]


def _scopes(platform: Platform, teams: Sequence[str] | None) -> list[Scope]:
    """The requested teams, else the user's own scope and all of their teams."""
    if teams is None:
        return [*(Scope(team) for team in platform.listing(SCOPE, Scope())), Scope()]
    return list({str(scope.team_id): scope for scope in scopes_of_teams(platform, teams)}.values())


def _entries(
    platform: Platform, lists: Lists, kind: type[Resource], scope: Scope, ignore: Selectors, declared: _Declared
) -> Iterator[Values]:
    """The entries of one kind in a scope, without what is ignored, already declared, or implied by another entry: a
    project brings its own alias.
    """
    items = lists[list_key(kind, scope if kind.is_in_team else Scope())]
    its_team = [scope.team] if scope.team else []
    for item in items if kind.is_in_team else its_team:
        live = Object(kind, item, scope if kind.is_in_team else OWN_SCOPE)
        is_brought = kind.is_generated(item, platform, scope) and not item.get("redirect")
        if is_brought or covers(ignore, live) or declared.has(live):
            continue
        _check_name(live, items, scope)
        if kind.is_in_team and scope.team:
            declared.check_keeps_name(Object(SCOPE, scope.team))
        entry = {
            option: item[option]
            for option in kind.fields.writable
            if option in kind.fields.returned and item[option] not in (None, "") and not declared.takes(live, option)
        }
        for option in kind.references:
            entry[option] = _referred(lists, live, scope, option, declared)
        if kind.is_in_team:
            entry |= {"team": scope.slug} if scope.team else {"own_scope": True}
        if item.get("redirect"):
            platform.warnings.append(
                f"The {kind.singular} {item[kind.name_field]} redirects to {item['redirect']}. An entry can set this"
                " only by parameters that the service defines, so it is exported without the redirect."
            )
        yield entry


def _referred(lists: Lists, live: Object, scope: Scope, option: str, declared: _Declared) -> Any:
    """The name of the object that another one refers to."""
    other, other_id = live.kind.references[option], live.item[f"{option}_id"]
    others = lists[list_key(other, scope)]
    found = others.where("id", other_id)
    if not found:
        raise PlatformError(
            f"The {live.kind.singular} {live.name} of {scope} refers to the {other.singular} {other_id}, which is"
            f" not in this scope's list of {other.plural}, so it cannot be exported."
        )
    referred = Object(other, found[0], live.scope)
    _check_name(referred, others, scope)
    declared.check_keeps_name(referred)
    return found[0][other.name_field]


def _check_name(live: Object, items: Listing, scope: Scope) -> None:
    """Check that the name is unique and not empty: an entry finds its object only by it."""
    kind, item = live.kind, live.item
    field, name = kind.name_field, item[kind.name_field]
    if not name:
        raise PlatformError(f"{scope}: the {kind.singular} {item['id']} has no {field}, so it cannot be exported.")
    sole(field, name, items, {"id": str, field: kind.form}, f"In {scope}, rename one of them")
