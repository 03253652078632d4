# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of objects, and the desired state of one object: all that is known without a service."""

from __future__ import annotations

import dataclasses
import fnmatch
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from .._api.operations import Answer
from .._errors import InvalidOption
from .._text import visible_name
from .fields import Fields, Values
from .options import ArgumentSpec, Definitions, Options, check_unmasked
from .step import Step

# The length below which the API accepts no id, slug or alias in a path.
PATH_MINIMUM = 3

CascadeCondition = Callable[[Step, Values], bool]


def matches_pattern(text: str, pattern: str) -> bool:
    """True if a text equals or matches a pattern of fnmatch, however Unicode writes its letters."""
    text = unicodedata.normalize("NFC", text)
    pattern = unicodedata.normalize("NFC", pattern)
    return text == pattern or fnmatch.fnmatchcase(text, pattern)


def on_deletion(step: Step, _record: Values) -> bool:
    """The condition of a cascade of every deletion: everything in a team is deleted with it."""
    return step.is_deletion


@dataclasses.dataclass(frozen=True, eq=False)
class Desired:
    """One object as the user wants it."""

    options: Options
    # The writable fields that are set.
    values: Values
    # Its name, slug, alias or email.
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
        """None if it is not given, or if only an earlier task will make what has it."""
        return self.options.get("id") or None

    @property
    def previous_names(self) -> list[str]:
        """Earlier names, which are ignored for deletions, and if there is an id."""
        given = self.options.get("previously")
        if not given or self.is_absent or self.id:
            return []
        return [name for name in dict.fromkeys(given) if name != self.name]


class Name(NamedTuple):
    """What two objects of a kind cannot share, in the one form in which names are compared."""

    kind: str
    # Where it is unique: a scope, or ``""`` for the whole platform.
    place: object
    text: str


class Kind:
    """A kind of object, which a class declares.

    What a blueprint does with its objects follows from these declarations.

    To add a kind, derive a class from Resource, set what has no default here, and list it in the
    registry. A test compares the declarations of all kinds with each other.
    """

    # What it is called in blueprints and lists, and in results.
    plural: ClassVar[str]
    singular: ClassVar[str]
    # Its table of fields.
    fields: ClassVar[Fields]
    # The option, and field, that names an object.
    name_field: ClassVar[str]
    # The options that say which object is meant where its name is not given.
    other_identifiers: ClassVar[tuple[str, ...]] = ()
    # The options of its module, besides the connection's.
    argument_spec: ClassVar[ArgumentSpec]
    # Lists its objects, unless it is not listed.
    is_listed: ClassVar[bool] = True
    list_operation: ClassVar[Callable[..., list[Values]]]
    # Shows an object by its ID or name, which have at least so many characters in a path.
    get_operation: ClassVar[Callable[..., Answer] | None] = None
    path_minimum: ClassVar[int] = 1
    # It is in a scope, which is of this kind. The one kind that is not is that of the scopes.
    is_in_team: ClassVar[bool] = True
    scope_kind: ClassVar[type[Kind] | None] = None
    # Two objects of one name cannot exist, in whatever scopes.
    is_unique_on_platform: ClassVar[bool] = False
    # It can be moved to another scope, by its module.
    is_movable: ClassVar[bool] = False
    # Its name can be changed: it has the option ``previously``.
    is_renamable: ClassVar[bool] = False
    # The options that name an object of another kind, whose changes come before its own.
    # ``OPTION_id`` is the field that holds the ID of that object.
    references: ClassVar[Mapping[str, type[Kind]]] = {}
    # The fields whose value is the name of an object of another kind, by its plural. It is unique
    # on the platform.
    embeds: ClassVar[Mapping[str, str]] = {}
    # The kinds whose objects a write of this one may change, too; a deletion takes them along.
    also_changes: ClassVar[tuple[str, ...]] = ()
    # The kinds whose steps may delete objects of this one, too: each with the condition on the step
    # and the object.
    cascades_from: ClassVar[Mapping[str, CascadeCondition]] = {}
    # The kinds that the specification says are deleted with this one.
    documented_cascades: ClassVar[tuple[str, ...]] = ()
    # The options whose live values the API does not show; and whether the module's result lists
    # those of them that were not compared.
    write_only_options: ClassVar[tuple[str, ...]] = ()
    lists_not_compared: ClassVar[bool] = False
    # The options of its module that an entry of a blueprint does not have, each with why.
    module_only_options: ClassVar[Mapping[str, str]] = {}
    # What check mode cannot know of it: warnings.
    check_mode_caveats: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def normalize(cls, name: Any) -> str:
        """The one form of a name: names are equal if and only if these forms are.

        Takes whatever a service or a user may give, and raises nothing.
        """
        return cls.fields.normalize(cls.name_field, name)

    @classmethod
    def name_at(cls, place: object, name: Any) -> Name:
        """A name of an object that is in a place."""
        return Name(cls.plural, place, cls.normalize(name))

    @classmethod
    def entry_options(cls) -> Definitions:
        """The options of an entry in a blueprint, with their definitions: no variable sets one."""
        return {
            option: {key: part for key, part in definition.items() if key != "fallback"}
            for option, definition in cls.argument_spec.options.items()
            if option not in cls.module_only_options
        }

    @classmethod
    def display_name(cls, count: int = 1) -> str:
        """What one object of the kind is called, or several."""
        return (cls.singular if count == 1 else cls.plural).replace("_", " ")

    @classmethod
    def label(cls, name: str, team: str | None = None) -> str:
        """An object in words: ``project shop of acme``. One that an earlier task will make may
        have no name yet.
        """
        words = cls.display_name()
        if name:
            words += f" {visible_name(name)}"
        return f"{words} of {team}" if team else words

    @classmethod
    def address(cls, record: Values) -> Any:
        """What stands for an object in a path: its ID, or its name if that is too short."""
        record_id = record["id"]
        return record_id if len(str(record_id)) >= cls.path_minimum else record[cls.name_field]

    @classmethod
    def forms(cls, name: Any) -> tuple[str, ...]:
        """The forms of a name that a pattern may match, the canonical one first; as many for each
        name, or pattern.
        """
        return (cls.normalize(name),)

    @staticmethod
    def pattern_problem(_pattern: str, /) -> str:
        """What is wrong with a pattern for names; ``""`` if nothing is."""
        return ""

    @staticmethod
    def describe_loss(_record: Values) -> str:
        """What an entry cannot say of an object, as a sentence without a subject; ``""`` if an
        entry says it all.
        """
        return ""

    @classmethod
    def matches(cls, name: Any, pattern: str) -> bool:
        """True if a name, in one of its forms, matches the pattern in that form."""
        forms = zip(cls.forms(name), cls.forms(pattern))
        return any(matches_pattern(form, of_pattern) for form, of_pattern in forms)

    @staticmethod
    def is_creatable(desired: Desired) -> bool:
        """True if an object that does not exist can be created: nobody chooses an ID."""
        return not desired.id

    @classmethod
    def check(cls, options: Options) -> Desired:
        """What the options of a task say. Raises InvalidOption for invalid ones; sends no
        request.
        """
        cls.fields.check(options)
        return cls.read(options)

    @classmethod
    def read(cls, options: Options) -> Desired:
        """Hook. The same of options whose fields are valid."""
        values = cls.fields.read(options)
        check_unmasked(options, "id", "team", "previous_team", "previously")
        identifiers = (cls.name_field, *cls.other_identifiers)
        if all(options.get(option) is None for option in identifiers):
            raise InvalidOption(cls.name_field, f"has no value. Set {' or '.join(identifiers)}.")
        desired = Desired(options, values, values.get(cls.name_field))
        if desired.is_create_only and options.get("previously"):
            raise InvalidOption(
                "previously", "cannot be used with state=exists, which renames nothing. Omit it."
            )
        return desired
