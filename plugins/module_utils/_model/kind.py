# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of objects, and the desired state of one object: all that is known without a service."""

from __future__ import annotations

import dataclasses
import fnmatch
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from .fields import Fields, Values
from .options import ArgumentSpec
from .step import Step

# The length below which the API accepts no id, slug or alias in a path.
PATH_MINIMUM = 3

CascadeCondition = Callable[[Step, Values], bool]


def matches_pattern(text: str, pattern: str) -> bool:
    """True if a text equals or matches a pattern of fnmatch, however Unicode writes its letters."""
    text, pattern = unicodedata.normalize("NFC", text), unicodedata.normalize("NFC", pattern)
    return text == pattern or fnmatch.fnmatchcase(text, pattern)


def on_deletion(step: Step, _record: Values) -> bool:
    """The condition of a cascade of every deletion: everything in a team is deleted with it."""
    return step.is_deletion


@dataclasses.dataclass(frozen=True, eq=False)
class Desired:
    """One object as the user wants it.

    ``values``: the writable fields that are set. ``name``: its name, slug, alias or email.
    """

    options: Mapping[str, Any]
    values: Values
    name: str | None

    @property
    def is_absent(self) -> bool:
        return bool(self.options.get("state") == "absent")

    @property
    def is_create_only(self) -> bool:
        """True if an existing object is to be left as it is."""
        return bool(self.options.get("state") == "exists")

    @property
    def id(self) -> str | None:
        return self.options.get("id")

    @property
    def is_in_own_scope(self) -> bool:
        """True if the caller's own scope was requested."""
        return bool(self.options.get("own_scope"))

    @property
    def previous_names(self) -> list[str]:
        """Earlier names, which are ignored for deletions, and if there is an id."""
        given = self.options.get("previously")
        if not given or self.is_absent or self.id:
            return []
        return [name for name in dict.fromkeys(given) if name != self.name]

    @property
    def previous_team(self) -> str | None:
        """The team from which the object is moved if it is not in its own."""
        return self.options.get("previous_team")


class Kind:
    """A kind of object, which a class declares.

    ``plural`` names it in blueprints and lists, ``singular`` in results; ``fields`` is its table; ``name_field`` the
    option that names an object, ``normalize`` the canonical form of such a name; ``argument_spec`` its module's options
    besides the connection's. ``list_operation``: the operation that lists its objects, unless ``is_listed`` is false;
    ``get_operation``: the one that shows an object by its id or name, which have at least ``path_minimum`` characters
    in a path.

    ``is_in_team``: it is in a scope, of ``scope_kind``; the one kind that is not is that of the scopes. ``is_movable``:
    it can be moved to another scope. ``is_prunable``: a blueprint may delete what it does not declare.

    ``references``: the options that name an object of another kind, whose changes come before its own; ``OPTION_id`` is
    that object's id in this one. ``embeds``: the fields whose value is an object of another kind. ``also_changes``: the
    kinds whose objects a write of this one may change too. ``cascades_from``: the kinds whose steps may delete objects
    of this one too, each with the condition on the step and the object; ``documented_cascades``: the kinds that the
    specification says are deleted with this one. ``write_only_options``: the options whose live values the API does not
    show. ``check_mode_caveats``: what check mode cannot know.
    """

    plural: ClassVar[str]
    singular: ClassVar[str]
    fields: ClassVar[Fields]
    name_field: ClassVar[str]
    argument_spec: ClassVar[ArgumentSpec]
    list_operation: ClassVar[Callable[..., list[Values]]]
    get_operation: ClassVar[Callable[..., Values] | None] = None
    is_in_team: ClassVar[bool] = True
    scope_kind: ClassVar[type[Kind] | None] = None
    is_movable: ClassVar[bool] = False
    is_listed: ClassVar[bool] = True
    is_prunable: ClassVar[bool] = True
    references: ClassVar[Mapping[str, type[Kind]]] = {}
    embeds: ClassVar[Mapping[str, str]] = {}
    also_changes: ClassVar[tuple[str, ...]] = ()
    cascades_from: ClassVar[Mapping[str, CascadeCondition]] = {}
    documented_cascades: ClassVar[tuple[str, ...]] = ()
    write_only_options: ClassVar[tuple[str, ...]] = ()
    path_minimum: ClassVar[int] = 1
    check_mode_caveats: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def normalize(name: Any) -> str:
        """The canonical form of a name."""
        return str(name)

    @classmethod
    def display_name(cls, count: int = 1) -> str:
        """What one object of the kind is called, or several."""
        return (cls.singular if count == 1 else cls.plural).replace("_", " ")

    @classmethod
    def label(cls, name: str, team: str | None) -> str:
        """An object in words: ``project shop of acme``."""
        return f"{cls.display_name()} {name}" + (f" of {team}" if team else "")

    @classmethod
    def forms(cls, name: Any) -> tuple[str, ...]:
        """The forms of a name that a pattern may match: the canonical one first."""
        return (cls.normalize(name),)

    @classmethod
    def matches(cls, name: Any, pattern: str) -> bool:
        """True if a name, in one of its forms, matches the pattern in that form, as ``matches_pattern``."""
        forms = zip(cls.forms(name), cls.forms(pattern))
        return any(matches_pattern(form, of_pattern) for form, of_pattern in forms)

    @staticmethod
    def is_creatable(desired: Desired) -> bool:
        """True if an object that does not exist can be created as it is desired: nobody chooses an ID."""
        return not desired.id

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> Desired:
        """Read the options. Raises InvalidOption for invalid ones; sends no request."""
        values = cls.fields.given(options)
        return Desired(options, values, values.get(cls.name_field))
