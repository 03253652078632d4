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
from .._model.kinds.scopes import read_team_scopes
from .._model.listing import Listing, ListKey
from .._model.options import TEAM_VARIABLE
from .._model.platform import OWN_SCOPE, Platform, Scope, find_one, list_key
from .._model.resource import Resource
from .._threads import InterruptiblePool
from .blueprint.options import DEFAULT_OPTIONS, BlueprintOptions, check_workers
from .blueprint.reading import Blueprint, read_blueprint
from .blueprint.selectors import Selectors, read_selectors
from .change import TEAM_KIND, LiveObject
from .passes.cascade import add_cascades
from .passes.match import match
from .passes.prune import declared_keys, is_matched_by, keys_of
from .passes.read import read_snapshot
from .passes.select import select

Lists = Mapping[ListKey, Listing]


def read_export(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the module ``blueprint_info``, with ``undeclared_in`` as a Blueprint. Sends no request.

    Raises InvalidOption, and BlueprintError for problems with ``undeclared_in``.
    """
    check_workers(given["workers"])
    # The team of an entry that names none, as the module blueprint has it.
    team = os.environ.get(TEAM_VARIABLE) or None
    return {**given, "undeclared_in": read_blueprint(given["undeclared_in"] or {}, {"team": team})}


def export_blueprint(platform: Platform, options: Mapping[str, Any]) -> dict[str, list[Values]]:
    """A blueprint with which ``blueprint`` would change nothing, alone or combined with that of ``undeclared_in``.

    ``options``: those of ``read_export``. Raises PlatformError for a name that would not find its object again.
    """
    platform = platform.with_task_cache(options["workers"])
    ignore = read_selectors("ignore", options["ignore"])
    declared = _DeclaredElsewhere(platform, options["undeclared_in"])
    kinds = [kind for kind in listed_kinds() if kind.plural in options["kinds"]]
    scopes = _scopes(platform, options["teams"])
    snapshot = _read_lists_to_export(platform, kinds, scopes)
    blueprint = {}
    for kind in kinds:
        entries = [
            entry for scope in scopes for entry in _export_entries(platform, snapshot, kind, scope, ignore, declared)
        ]
        # Exports of the same platform are identical, whatever the order of the service's lists.
        blueprint[kind.plural] = sorted(entries, key=lambda entry: (str(entry[kind.name_field]), entry.get("team", "")))
    return blueprint


class _DeclaredElsewhere:
    """What another blueprint declares, as planned for converging it."""

    def __init__(self, platform: Platform, blueprint: Blueprint) -> None:
        options, entries = BlueprintOptions(DEFAULT_OPTIONS), blueprint.entries
        changes, snapshot = match(entries, read_snapshot(entries, platform, options))
        changes = add_cascades(select(changes, snapshot, options), snapshot)
        self._losing_their_names = {
            change.live_key: change
            for change in changes
            if change.live and (change.step.is_deletion or change.kind.name_field in change.step.changes)
        }
        cascaded = [obj for change in changes if change.kind.documented_cascades for obj in change.cascade]
        self._declared_keys = {*declared_keys(changes, snapshot), *(obj.key for obj in cascaded)}
        leaving = [change.live_object for change in changes if change.is_pending and change.live]
        self._leaving_names = {(obj.kind.plural, obj.kind.normalize(obj.name)) for obj in (*leaving, *cascaded)}

    def has(self, obj: LiveObject) -> bool:
        """True if an entry declares an object, or removes it with another."""
        return not self._declared_keys.isdisjoint(keys_of(obj))

    def deletes_embedded(self, obj: LiveObject, option: str) -> bool:
        """True if an entry deletes or moves an object's field, which the export then does not declare."""
        plural = obj.kind.embeds.get(option)
        return plural is not None and (plural, KINDS[plural].normalize(obj.record[option])) in self._leaving_names

    def check_keeps_name(self, obj: LiveObject) -> None:
        """Raises PlatformError if an entry would refer to an object that the other blueprint renames or deletes."""
        change = self._losing_their_names.get(obj.key)
        if change is not None:
            verb = "deletes" if change.step.is_deletion else "renames"
            raise PlatformError(
                f"undeclared_in: {change.label} {verb} the {obj.kind.singular} {obj.name}, which"
                " entries of the export would refer to. Converge that blueprint first."
            )


def _read_lists_to_export(platform: Platform, kinds: Sequence[type[Resource]], scopes: Sequence[Scope]) -> Lists:
    """The lists of these kinds, and of those to which they refer. An object that an exported team's list shows is left
    out of the own scope's.
    """
    needed = dict.fromkeys(needed for kind in kinds for needed in (kind, *kind.references.values()))
    keys = {list_key(kind, scope): (kind, scope) for kind in needed for scope in _scopes_with(kind, scopes)}
    with InterruptiblePool(platform.workers) as pool:
        lists = dict(zip(keys, pool.map(lambda kind_and_scope: platform.listing(*kind_and_scope), keys.values())))
    in_teams = {(key.kind, str(record["id"])) for key, records in lists.items() if key.team_id for record in records}
    for key, records in lists.items():
        if key.team_id is None:
            lists[key] = Listing(record for record in records if (key.kind, str(record["id"])) not in in_teams)
    return lists


def _scopes_with(kind: type[Kind], scopes: Sequence[Scope]) -> Sequence[Scope]:
    return scopes if kind.is_in_team else [Scope()]


def _scopes(platform: Platform, teams: Sequence[str] | None) -> list[Scope]:
    """The requested teams, else the user's own scope and all of their teams."""
    if teams is None:
        return [*(Scope(team) for team in platform.listing(TEAM_KIND, Scope())), Scope()]
    return list({str(scope.team_id): scope for scope in read_team_scopes(platform, teams)}.values())


def _export_entries(
    platform: Platform,
    snapshot: Lists,
    kind: type[Resource],
    scope: Scope,
    ignore: Selectors,
    declared: _DeclaredElsewhere,
) -> Iterator[Values]:
    """The entries of one kind in a scope, without what is ignored, already declared, or implied by another entry: a
    project brings its own alias.
    """
    records = snapshot[list_key(kind, scope if kind.is_in_team else Scope())]
    its_team = [scope.team] if scope.team else []
    for record in records if kind.is_in_team else its_team:
        live = LiveObject(kind, record, scope if kind.is_in_team else OWN_SCOPE)
        loss = kind.describe_loss(record)
        is_brought = kind.is_generated(record, platform, scope) and not loss
        if is_brought or is_matched_by(ignore, live) or declared.has(live):
            continue
        _check_name(live, records, scope)
        if kind.is_in_team and scope.team:
            declared.check_keeps_name(LiveObject(TEAM_KIND, scope.team))
        entry = {
            option: record[option]
            for option in kind.fields.writable
            if option in kind.fields.returned
            and record[option] not in (None, "")
            and not declared.deletes_embedded(live, option)
        }
        for option in kind.references:
            entry[option] = _reference_name(snapshot, live, scope, option, declared)
        if kind.is_in_team:
            entry |= {"team": scope.slug} if scope.team else {"own_scope": True}
        if loss:
            platform.warnings.append(f"The {kind.singular} {record[kind.name_field]} {loss}")
        yield entry


def _reference_name(snapshot: Lists, live: LiveObject, scope: Scope, option: str, declared: _DeclaredElsewhere) -> Any:
    """The name of the object that another one refers to."""
    other, other_id = live.kind.references[option], live.record[f"{option}_id"]
    others = snapshot[list_key(other, scope)]
    records = others.where("id", other_id)
    if not records:
        raise PlatformError(
            f"The {live.kind.singular} {live.name} of {scope} refers to the {other.singular} {other_id}, which is"
            f" not in this scope's list of {other.plural}, so it cannot be exported."
        )
    reference = LiveObject(other, records[0], live.scope)
    _check_name(reference, others, scope)
    declared.check_keeps_name(reference)
    return records[0][other.name_field]


def _check_name(live: LiveObject, records: Listing, scope: Scope) -> None:
    """Check that the name is unique and not empty: an entry finds its object only by it."""
    kind, record = live.kind, live.record
    field, name = kind.name_field, record[kind.name_field]
    if not name:
        raise PlatformError(f"{scope}: the {kind.singular} {record['id']} has no {field}, so it cannot be exported.")
    find_one(field, name, records, {"id": str, field: kind.normalize}, f"In {scope}, rename one of them")
