# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of objects, and the wanted state of one object: all that is known without a service."""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from .._client.api import Api
from .fields import Fields, Values
from .listing import Listing
from .options import ArgumentSpec
from .plan import Action, Done, Known, Step
from .platform import Platform, Scope

GoesWith = Callable[[Step, Values], bool]


@dataclasses.dataclass(frozen=True, eq=False)
class Wanted:
    """One object as the user wants it.

    ``values``: the writable fields that are set.
    """

    kind: type[Kind]
    options: Mapping[str, Any]
    values: Values

    @property
    def is_absent(self) -> bool:
        return bool(self.options.get("state") == "absent")

    @property
    def is_exists(self) -> bool:
        """Return whether an existing object is to be left as it is."""
        return bool(self.options.get("state") == "exists")

    @property
    def id(self) -> str | None:
        return self.options.get("id")

    @property
    def name(self) -> str | None:
        """The wanted name, slug, alias or email."""
        return self.values.get(self.kind.name_field)

    @property
    def is_in_own_scope(self) -> bool:
        """Return whether the caller's own scope was requested."""
        return bool(self.options.get("own_scope"))

    @property
    def previously(self) -> list[str]:
        """Earlier names, which are ignored for deletions, and if there is an id."""
        if self.is_absent or self.id:
            return []
        return [name for name in dict.fromkeys(self.options.get("previously") or []) if name != self.name]


class Kind:
    """A kind of object. A class declares the kind; an instance is one wanted object in its scope of the service.

    ``plural`` names it in blueprints and lists, ``singular`` in results; ``fields`` is its table; ``name_field`` the
    option that names an object, ``form`` the canonical form of such a name; ``argument_spec`` its module's options
    besides the connection's. ``references``: the options that name an object of another kind, whose changes come before
    its own. ``touches``: the kinds whose objects a write of this one may change too. ``goes_with``: the kinds besides
    teams whose steps may delete objects of this one too, each with the condition on the step and the object;
    ``removes``: the kinds that the specification says are deleted with this one. ``shared``: the fields that steps for
    objects of other kinds may change. ``unshown``: the options whose live values the API does not show. ``doubts``:
    what check mode cannot know.
    """

    plural: ClassVar[str]
    singular: ClassVar[str]
    fields: ClassVar[Fields]
    name_field: ClassVar[str]
    argument_spec: ClassVar[ArgumentSpec]
    references: ClassVar[Mapping[str, type[Kind]]] = {}
    touches: ClassVar[tuple[str, ...]] = ()
    goes_with: ClassVar[Mapping[str, GoesWith]] = {}
    removes: ClassVar[tuple[str, ...]] = ()
    shared: ClassVar[tuple[str, ...]] = ()
    unshown: ClassVar[tuple[str, ...]] = ()
    is_in_team: ClassVar[bool] = True
    doubts: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, wanted: Wanted, platform: Platform, scope: Scope, referred: Mapping[str, Known] | None = None
    ) -> None:
        self.wanted = wanted
        self.platform = platform
        self.api = platform.api
        self.scope = scope
        self.referred = dict(referred or {})

    @staticmethod
    def form(name: Any) -> str:
        """The canonical form of a name."""
        return str(name)

    @staticmethod
    def matches(name: Any, pattern: str) -> bool:
        """Return whether a name matches an fnmatch pattern."""
        return fnmatch.fnmatchcase(str(name), pattern)

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> Wanted:
        """Read the options. Raises InvalidOption for invalid ones; sends no request."""
        return Wanted(cls, options, cls.fields.given(options))

    def plan(self) -> Step:
        """Read the live state, and determine the required step."""
        return self.plan_for(None)

    def plan_for(self, live: Values | None) -> Step:
        """The required step, given the live object. Sends nothing."""
        raise NotImplementedError

    def with_shown(self, items: Listing) -> Listing:
        """The listed objects, and those that may be the wanted one and that the service shows only by themselves."""
        return items

    def match(self, _items: Listing) -> Values | None:
        """The matching object among all that exist; raises PlatformError if the match is not certain."""
        return None

    def settle(self, live: Values | None) -> Values | None:
        """The object, which may be in the list of the own scope although it belongs to a team."""
        return live

    def apply(self, step: Step, is_held_to_plan: bool = False) -> Done:
        """Carry out the step.

        ``is_held_to_plan``: an object created by someone else in the meantime is not changed, as that was not planned.
        """
        raise NotImplementedError

    def remarks(self, _step: Step) -> Values:
        """Additional results of the module, besides the object."""
        return {}

    def not_compared(self, step: Step) -> list[str]:
        """The given options that cannot be compared with the live values, and that the step does not send."""
        if self.wanted.is_absent:
            return []
        given = (option for option in self.unshown if self.wanted.options.get(option) not in (None, {}))
        return [option for option in given if option not in step.changes]

    def is_unscoped_creation(self, step: Step) -> bool:
        """Return whether the object is created in the own scope without this having been requested."""
        is_unscoped = self.is_in_team and self.scope.team is None and not self.wanted.is_in_own_scope
        return is_unscoped and step.action is Action.CREATE

    @staticmethod
    def walk(api: Api, team_id: Any, /, **query: Any) -> list[Values]:
        """The API's objects, whole; ``query`` holds the page options and the list's own filters."""
        raise NotImplementedError

    @staticmethod
    def is_generated(_live: Values, _platform: Platform, _scope: Scope) -> bool:
        """Return whether the service created the object itself, so that it is never declared or deleted on its own."""
        return False

    @staticmethod
    def held_by(_platform: Platform, _scope: Scope, items: list[Values]) -> list[Values]:
        """The items of the caller's own list that belong to the scope, out of those whose ``team_id`` allows it."""
        return items
