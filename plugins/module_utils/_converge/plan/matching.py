# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of one kind in one scope, matched with the objects there: what each of them is to do."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..._errors import ApiError, InvalidOption, PlatformError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.listing import Listing
from ..._model.own_scope import check_reference
from ..._model.platform import Platform
from ..._model.resource import Resource
from ..._model.scope import Scope
from ..._model.step import plan_nothing
from ..blueprint.entries import Entry
from .change import Change
from .objects import LiveObject, Reference
from .references import ReferenceIndex, resolve_reference

Problems = dict[Entry, PlatformError]


@contextlib.contextmanager
def collect_problem(entry: Entry, problems: Problems) -> Iterator[None]:
    """A block that ends at a problem of an entry, which is kept; the first of an entry counts."""
    try:
        yield
    except ApiError:
        raise
    except PlatformError as error:
        problems.setdefault(entry, error)


def unplanned(entry: Entry, scope: Scope, problem: PlatformError | None = None) -> Change:
    """The change of an entry that cannot be planned, or for which nothing was read."""
    return Change(
        entry.kind,
        entry.key,
        entry.desired,
        plan_nothing(None),
        scope,
        entry,
        planning_error=problem,
    )


class ScopeMatcher:
    """Matches the entries of one kind with the objects of one scope.

    ``records``: all that its list shows. ``indexes``: by option, what the entries may refer to.
    ``find_object`` gives the object of a record.
    """

    def __init__(
        self,
        kind: type[Resource],
        scope: Scope,
        records: Listing,
        platform: Platform,
        indexes: Mapping[str, ReferenceIndex],
        find_object: Callable[[type[Kind], Values], LiveObject | None],
    ) -> None:
        self._kind = kind
        self._scope = scope
        self._records = records
        self._platform = platform
        self._indexes = indexes
        self._find_object = find_object
        self._problems: Problems = {}
        self._references: dict[Entry, dict[str, Reference]] = {}
        self._resources: dict[Entry, Resource] = {}
        # The record that each entry means by its name, or None. An entry with a problem is missing.
        self._named: dict[Entry, Values | None] = {}

    def changes(self, entries: Sequence[Entry], readable: Iterable[Entry]) -> list[Change]:
        """The changes of the entries, in their order; those that are not ``readable`` stay
        unplanned.
        """
        for entry in readable:
            with collect_problem(entry, self._problems):
                self._prepare(entry)
        return [self._change(entry) for entry in entries]

    def _prepare(self, entry: Entry) -> None:
        references = dict(self._resolve_references(entry))
        records = {option: reference.record for option, reference in references.items()}
        resource = self._kind(entry.desired, self._platform, self._scope, records)
        self._resources[entry] = resource
        self._references[entry] = references
        self._named[entry] = resource.find_by_name(self._records)

    def _resolve_references(self, entry: Entry) -> Iterator[tuple[str, Reference]]:
        """What the options name. With ``state: absent``, they may name what does not exist, or is
        deleted, too.
        """
        where = f"is not declared and does not exist in {self._scope}."
        for option, index in self._indexes.items():
            name = entry.desired.options.get(option)
            if name is None:
                continue
            kind = self._kind.references[option]
            is_absent = entry.desired.is_absent
            try:
                reference = resolve_reference(
                    option, name, kind, index, where, is_lenient=is_absent
                )
            except InvalidOption:
                check_reference(self._platform, kind, self._scope, name)
                raise
            if reference is not None:
                yield option, reference

    def _change(self, entry: Entry) -> Change:
        with collect_problem(entry, self._problems):
            if entry in self._named:
                return self._plan(entry)
        return unplanned(entry, self._scope, self._problems.get(entry))

    def _plan(self, entry: Entry) -> Change:
        step = self._resources[entry].plan_for(self._find_live(entry))
        live_object = self._find_object(self._kind, step.live) if step.live else None
        references = self._references[entry]
        return Change(
            self._kind, entry.key, entry.desired, step, self._scope, entry, live_object, references
        )

    def _find_live(self, entry: Entry) -> Values | None:
        """The record that an entry means, by its name or by an earlier one. What another entry
        means by its name is never renamed.
        """
        resource = self._resources[entry]
        named = self._named[entry]
        previous = resource.find_by_previous_names(self._records)
        if named is not None:
            rivals = [record for record in previous if str(record["id"]) not in self._entries_by_id]
            previous = [named, *rivals]
        if len(previous) > 1:
            raise PlatformError(resource.describe_ambiguous_rename(previous))
        if named is not None or not previous:
            return named
        live = previous[0]
        other = self._entries_by_id.get(str(live["id"]))
        if other is not None:
            problem = _describe_claimed_name(entry, live[self._kind.name_field], other)
            raise InvalidOption("previously", problem)
        return resource.check_addressable(live, self._records)

    @functools.cached_property
    def _entries_by_id(self) -> Mapping[str, Entry]:
        """What entries mean by their names, by its ID."""
        return {str(record["id"]): entry for entry, record in self._named.items() if record}


def _describe_claimed_name(entry: Entry, name: str, other: Entry) -> str:
    return (
        f"{name} exists and {entry.desired.name} does not, and {other.label} declares {name} too."
        f" Remove it from previously, or give {other.label} another name."
    )
