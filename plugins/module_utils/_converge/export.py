# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exporting the live platform as a blueprint: only the reading half of converging."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._api.masking import MASK, mask
from .._errors import PlatformError
from .._model.fields import Values
from .._model.finding import find_in
from .._model.kind import Kind
from .._model.kinds.registry import listed_kinds
from .._model.kinds.scopes import read_team_scopes
from .._model.options import TEAM_VARIABLE
from .._model.platform import Platform
from .._model.resource import Resource
from .._model.scope import OWN_SCOPE, Scope
from .blueprint.entry_reader import EntryReader
from .blueprint.options import DEFAULT_OPTIONS, BlueprintOptions, check_workers
from .blueprint.reading import read_blueprint
from .blueprint.selectors import Selectors, read_selectors
from .converge import make_plan
from .items.item import TEAM_KIND, Item, item_of
from .items.lists import read_listings
from .unexportable import NotExportable, selector_of


def read_export(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the module ``blueprint_info``, with ``undeclared_in`` as a Blueprint and
    ``ignore`` as Selectors. Sends no request.

    Raises PlatformError for invalid options, and for problems with ``undeclared_in``.
    """
    check_workers(given["workers"])
    # The team of an entry that names none, as the module blueprint has it.
    team = os.environ.get(TEAM_VARIABLE) or None
    (declared,) = given["undeclared_in"] or [{}]
    ignore = read_selectors("ignore", given["ignore"])
    return {**given, "ignore": ignore, "undeclared_in": read_blueprint(declared, {"team": team})}


def export_blueprint(platform: Platform, options: Mapping[str, Any]) -> dict[str, list[Values]]:
    """A blueprint with which ``blueprint`` would change nothing, alone or combined with that of
    ``undeclared_in``.

    ``options``: those of ``read_export``. Raises NotExportable.
    """
    platform = platform.with_task_cache(options["workers"])
    platform.shows_teams = False  # what is exported is what a run finds
    kinds = [kind for kind in listed_kinds() if kind.plural in options["kinds"]]
    scopes = _scopes(platform, options["teams"])
    platform.team_option = "teams" if len(scopes) > 1 else ""
    export = _Export(platform, options, kinds, scopes)
    blueprint = {}
    for kind in kinds:
        entries: list[Values] = []
        for scope in scopes:
            entries += export.entries(kind, scope)
        # Exports of the same platform are identical, whatever the order of the service's lists.
        blueprint[kind.plural] = sorted(
            entries, key=lambda entry: (str(entry[kind.name_field]), entry.get("team", ""))
        )
    if export.unexportable:
        raise NotExportable(export.unexportable)
    return blueprint


class _Export:
    """One export: what it has read, and what it leaves out."""

    def __init__(
        self,
        platform: Platform,
        options: Mapping[str, Any],
        kinds: Sequence[type[Resource]],
        scopes: Sequence[Scope],
    ) -> None:
        # Why objects cannot be exported, by their selectors.
        self.unexportable: dict[str, str] = {}
        self._platform = platform
        self._ignore: Selectors = options["ignore"]
        # As planned for converging it.
        plan = make_plan(options["undeclared_in"], platform, BlueprintOptions(DEFAULT_OPTIONS))
        self._declared = plan.declarations
        read_listings(platform, itertools.product(kinds, scopes))  # several at a time

    def entries(self, kind: type[Resource], scope: Scope) -> Iterator[Values]:
        """The entries of one kind in a scope, without what is ignored, already declared, or implied
        by another entry: a project brings its own alias.
        """
        reader = EntryReader(kind, {})
        for obj in self._objects(kind, scope):
            is_generated = kind.is_generated(obj.live, self._platform, scope)
            is_brought = is_generated and not kind.describe_loss(obj.live)
            if is_brought or obj.is_matched_by(self._ignore) or self._declared.has(obj):
                continue
            if not self._is_valid(obj, kind.name_field):
                continue
            try:
                entry = self._entry(obj, scope)
                self._check_unmasked(entry)
                reader.read(entry)
            except PlatformError as error:
                name, team = self._masked((obj.name, scope.slug))
                label = kind.label(obj.name or obj.live["id"], obj.team_slug)
                reason = f"The {label} cannot be exported: {' '.join(str(error).splitlines())}"
                self.unexportable[selector_of(kind, name, team)] = reason
            else:
                yield entry

    def _objects(self, kind: type[Resource], scope: Scope) -> Iterator[Item]:
        """What a scope holds of a kind; of teams, the scope itself."""
        if kind.is_in_team:
            for record in self._platform.listing(kind, scope):
                yield item_of(kind, record, scope)
        elif scope.team:
            yield item_of(kind, scope.team, scope)

    def _entry(self, obj: Item, scope: Scope) -> Values:
        """Raises PlatformError for what an entry cannot say."""
        kind = obj.kind
        self._name(kind, obj.live, scope)
        entry = {
            option: obj.live[option]
            for option in kind.fields.writable
            if option in kind.fields.returned
            and obj.live[option] not in (None, "")
            and self._is_valid(obj, option)
        }
        for option, other in kind.references.items():
            other_id = obj.live[f"{option}_id"]
            entry[option] = self._referenced_name(other, other_id, scope)
        if kind.is_in_team:
            entry |= {"team": scope.slug} if scope.team else {"own_scope": True}
        loss = kind.describe_loss(obj.live)
        if loss:
            self._platform.warnings.append(f"The {kind.singular} {obj.name} {loss}")
        return entry

    def _name(self, kind: type[Kind], record: Values, scope: Scope) -> Any:
        """The name by which alone an entry finds an object. Raises PlatformError if it is empty, or
        not unique.
        """
        field = kind.name_field
        name = record[field]
        if not name:
            raise PlatformError(f"it has no {field}.")
        records = self._platform.listing(kind, scope if kind.is_in_team else OWN_SCOPE)
        find_in(records, field, name, ("id", field), f"In {scope}, rename one of them")
        return name

    def _referenced_name(self, kind: type[Kind], record_id: Any, scope: Scope) -> Any:
        """The name of what an object refers to. Raises PlatformError as ``_name`` does."""
        records = self._platform.listing(kind, scope).where("id", record_id)
        if records:
            return self._name(kind, records[0], scope)
        if not record_id:
            raise PlatformError(f"the service shows no {kind.singular} of it.")
        raise PlatformError(
            f"its {kind.singular} {record_id} is not in this scope's list of {kind.plural}."
        )

    def _is_valid(self, obj: Item, option: str) -> bool:
        """True if an entry can hold what the object has there; else with a warning."""
        if obj.has_valid(option):
            return True
        self._platform.warnings.append(
            f"No entry can have the {option} {obj.live[option]}, so it is left out"
            f" ({obj.description})."
        )
        return False

    def _check_unmasked(self, entry: Values) -> None:
        """Raises PlatformError for an entry that would be written with a mask."""
        for option, value in self._masked(entry).items():
            if MASK.search(str(value)):
                raise PlatformError(
                    f"its {option} would be written as asterisks, because it holds them or a"
                    " secret."
                )

    def _masked(self, value: Any) -> Any:
        """The value as the module returns it."""
        return mask(value, [self._platform.api.client.connection.access_token])


def _scopes(platform: Platform, teams: Sequence[str] | None) -> list[Scope]:
    """The requested teams, else the user's own scope and all of their teams."""
    if teams is None:
        listed = platform.listing(TEAM_KIND, OWN_SCOPE)
        return [*(Scope(team) for team in listed), OWN_SCOPE]
    return list(dict.fromkeys(read_team_scopes(platform, teams)))
