# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of one kind in one scope, matched with the objects there: what each of them is to do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..._errors import ApiError, InvalidOption, PlatformError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.listing import Listing
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
        # The record of each entry, or None. An entry with a problem has none of both.
        self._live_records: dict[Entry, Values | None] = {}

    def changes(self, entries: Sequence[Entry], readable: Iterable[Entry]) -> list[Change]:
        """The changes of the entries, in their order; those that are not ``readable`` stay
        unplanned.
        """
        for entry in readable:
            with collect_problem(entry, self._problems):
                self._prepare(entry)
        self._find_live_records()
        return [self._change(entry) for entry in entries]

    def _prepare(self, entry: Entry) -> None:
        references = dict(self._resolve_references(entry))
        records = {option: reference.record for option, reference in references.items()}
        self._resources[entry] = self._kind(entry.desired, self._platform, self._scope, records)
        self._references[entry] = references

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
            reference = resolve_reference(option, name, kind, index, where, is_lenient=is_absent)
            if reference is not None:
                yield option, reference

    def _change(self, entry: Entry) -> Change:
        with collect_problem(entry, self._problems):
            if entry in self._live_records:
                return self._plan(entry)
        return unplanned(entry, self._scope, self._problems.get(entry))

    def _plan(self, entry: Entry) -> Change:
        step = self._resources[entry].plan_for(self._live_records[entry])
        live_object = self._find_object(self._kind, step.live) if step.live else None
        references = self._references[entry]
        return Change(
            self._kind, entry.key, entry.desired, step, self._scope, entry, live_object, references
        )

    def _find_live_records(self) -> None:
        """Find the record of each entry.

        Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b``
        becomes ``c``, the second entry means the object ``b``.
        """
        own: dict[Entry, Values | None] = {}
        previous: dict[Entry, list[Values]] = {}
        for entry, resource in self._resources.items():
            with collect_problem(entry, self._problems):
                own[entry] = resource.find_by_name(self._records)
                previous[entry] = resource.find_by_previous_names(self._records)
        self._live_records = {entry: own[entry] for entry in previous}
        with_previous = {entry: found for entry, found in previous.items() if found}
        self._assign_previous_names(with_previous)
        self._refuse_ambiguous_renames(own, with_previous)

    def _assign_previous_names(self, with_previous: Mapping[Entry, list[Values]]) -> None:
        """For entries whose current name does not exist, use the object with a previous name.
        Another entry may lose that object, and is matched again.
        """
        entry_of_name = {
            entry.desired.name: entry for entry in self._live_records if not entry.desired.id
        }
        waiting = [entry for entry in with_previous if self._live_records[entry] is None]
        while waiting:
            entry = waiting.pop(0)
            del self._live_records[entry]
            with collect_problem(entry, self._problems):
                live = self._only_previous(entry, with_previous[entry])
                other = entry_of_name.get(live[self._kind.name_field])
                if other is not None and other not in with_previous:
                    raise InvalidOption("previously", _describe_claimed_name(entry, other))
                if other is not None and self._live_records.get(other) is live:
                    self._live_records[other] = None
                    waiting.append(other)
                self._live_records[entry] = self._resources[entry].check_addressable(
                    live, self._records
                )

    def _only_previous(self, entry: Entry, found: Sequence[Values]) -> Values:
        if len(found) > 1:
            raise PlatformError(self._resources[entry].describe_ambiguous_rename(found))
        return found[0]

    def _refuse_ambiguous_renames(
        self, own: Mapping[Entry, Values | None], with_previous: Mapping[Entry, list[Values]]
    ) -> None:
        """Two objects that match one entry, by its name and by a previous one, unless another entry
        declares one.
        """
        used = (live for live in (*own.values(), *self._live_records.values()) if live is not None)
        declared = {str(live["id"]) for live in used}
        for entry, found in with_previous.items():
            current = own[entry]
            others = [record for record in found if str(record["id"]) not in declared]
            if others and current is not None and self._live_records.get(entry) is current:
                del self._live_records[entry]
                message = self._resources[entry].describe_ambiguous_rename([current, *others])
                self._problems[entry] = PlatformError(message)


def _describe_claimed_name(entry: Entry, other: Entry) -> str:
    return (
        f"{other.name} exists and {entry.desired.name} does not, and {other.label} declares"
        f" {other.name} too. Remove it from previously, or give {other.label} another name."
    )
