# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exporting the live platform as a blueprint: only the reading half of converging."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any

from .._api.masking import MASK, mask
from .._errors import PlatformError
from .._model.fields import Values
from .._model.finding import matching, only_one
from .._model.kind import Kind
from .._model.kinds.registry import listed_kinds
from .._model.kinds.scopes import chosen_scopes
from .._model.options import TEAM_VARIABLE, Options
from .._model.platform import Platform
from .._model.resource import Resource
from .._model.scope import OWN_SCOPE, Scope
from .blueprint.entry_reader import EntryReader
from .blueprint.options import DEFAULT_OPTIONS, BlueprintOptions
from .blueprint.reading import read_blueprint
from .converge import make_plan
from .items.item import Item, item_of
from .items.lists import read_listings
from .unexportable import NotExportable, selector_of


def read_export(given: Options) -> Options:
    """The options of the module ``blueprint_info``, with ``undeclared_in`` as a Blueprint and, as
    ``run``, those with which it is planned. Sends no request.

    Raises PlatformError for invalid options, and for problems with ``undeclared_in``.
    """
    run = BlueprintOptions({**DEFAULT_OPTIONS, **given})
    # The team of an entry that names none, as the module blueprint has it.
    team = os.environ.get(TEAM_VARIABLE) or None
    (declared,) = given["undeclared_in"] or [{}]
    return {**given, "run": run, "undeclared_in": read_blueprint(declared, {"team": team})}


def export_blueprint(platform: Platform, options: Options) -> dict[str, list[Values]]:
    """A blueprint that changes nothing, alone or combined with that of ``undeclared_in``.

    ``options``: those of ``read_export``. Raises NotExportable.
    """
    run: BlueprintOptions = options["run"]
    # What is exported is what a run finds.
    platform = platform.with_task_cache(workers=run.workers, shows_teams=False)
    kinds = [kind for kind in listed_kinds() if kind.plural in options["kinds"]]
    scopes = chosen_scopes(platform, options["teams"])
    # As planned for converging it.
    plan = make_plan(options["undeclared_in"], platform, run)
    read_listings(platform, itertools.product(kinds, scopes))  # several at a time
    blueprint: dict[str, list[Values]] = {}
    # Why objects cannot be exported, by their selectors.
    unexportable: dict[str, str] = {}
    for kind in kinds:
        reader = EntryReader(kind, {})
        entries: list[Values] = []
        for obj in _objects(platform, kind, scopes):
            is_left_out = obj.is_matched_by(run.ignore) or plan.declarations.has(obj)
            if is_left_out or not _is_valid(platform, obj, kind.name_field):
                continue
            try:
                entry = _entry(platform, obj)
                reader.read(entry)
                entries.append(entry)
            except PlatformError as error:
                name, team = _masked(platform, (obj.name, obj.owner.slug))
                unexportable[selector_of(kind, name, team)] = _describe(obj, error)
        # Exports of the same platform are identical, whatever the order of the service's lists.
        blueprint[kind.plural] = sorted(
            entries, key=lambda entry: (str(entry[kind.name_field]), entry.get("team", ""))
        )
    if unexportable:
        raise NotExportable(unexportable)
    return blueprint


def _objects(platform: Platform, kind: type[Resource], scopes: Sequence[Scope]) -> Iterator[Item]:
    """What the scopes hold of a kind, without what another entry implies: a project brings its own
    alias. Of teams, the scopes themselves.
    """
    for scope in scopes:
        if not kind.is_in_team:
            if scope.team:
                yield item_of(kind, scope.team, scope)
            continue
        for record in platform.listing(kind, scope):
            is_brought = kind.is_generated(record, platform, scope)
            if not is_brought or kind.describe_loss(record):
                yield item_of(kind, record, scope)


def _describe(obj: Item, error: PlatformError) -> str:
    """Why an object cannot be exported."""
    label = obj.kind.label(obj.name or obj.live["id"], obj.team_slug)
    return f"The {label} cannot be exported: {' '.join(str(error).splitlines())}"


def _entry(platform: Platform, obj: Item) -> Values:
    """Raises PlatformError for what an entry cannot say."""
    kind = obj.kind
    scope = obj.owner
    _name(platform, kind, obj.live, scope)
    shown = kind.fields.visible(kind.fields.read(obj.live))
    entry = {
        option: value
        for option, value in shown.items()
        if value != "" and _is_valid(platform, obj, option)
    }
    for option, other in kind.references.items():
        entry[option] = _referenced_name(platform, other, obj.live[f"{option}_id"], scope)
    if kind.is_in_team:
        entry |= {"team": scope.slug} if scope.team else {"own_scope": True}
    for option, value in _masked(platform, entry).items():
        if MASK.search(str(value)):
            raise PlatformError(
                f"its {option} would be written as asterisks, because it holds them or a secret."
            )
    loss = kind.describe_loss(obj.live)
    if loss:
        platform.warnings.append(f"The {kind.singular} {obj.name} {loss}")
    return entry


def _name(platform: Platform, kind: type[Kind], record: Values, scope: Scope) -> Any:
    """The name by which alone an entry finds an object. Raises PlatformError if it is empty, or
    not unique.
    """
    field = kind.name_field
    name = record[field]
    if not name:
        raise PlatformError(f"it has no {field}.")
    records = platform.listing(kind, scope if kind.is_in_team else OWN_SCOPE)
    only_one(field, name, matching(name, records, field), f"In {scope}, rename one of them")
    return name


def _referenced_name(platform: Platform, kind: type[Kind], record_id: Any, scope: Scope) -> Any:
    """The name of what an object refers to. Raises PlatformError as ``_name`` does."""
    for record in platform.listing(kind, scope).where("id", record_id):
        return _name(platform, kind, record, scope)
    if not record_id:
        raise PlatformError(f"the service shows no {kind.singular} of it.")
    raise PlatformError(
        f"its {kind.singular} {record_id} is not in this scope's list of {kind.plural}."
    )


def _is_valid(platform: Platform, obj: Item, option: str) -> bool:
    """True if an entry can hold what the object has there; else with a warning."""
    if obj.has_valid(option):
        return True
    platform.warnings.append(
        f"No entry can have the {option} {obj.live[option]}, so it is left out ({obj.description})."
    )
    return False


def _masked(platform: Platform, value: Any) -> Any:
    """The value as the module returns it."""
    return mask(value, [platform.api.client.connection.access_token])
