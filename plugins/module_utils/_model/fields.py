# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of a resource's fields, and everything derived from it.

The names of options and results are the API's in snake_case. The argument specification, the
request bodies, the results and the comparison of desired and live values are derived from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .._errors import InvalidOption
from .options import Definitions, Options, unsendable

Values = dict[str, Any]
Normalizer = Callable[[Any], str]

# The statuses with which a service rejects a value.
INVALID_VALUE = (400, 422)
WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Field(NamedTuple):
    """A field of the API's objects, of the bodies that it takes, or of both."""

    # The API's name.
    key: str
    # It is an option of the resource's module.
    writable: bool = False
    # It is part of the API's objects. A field that is writable and not returned is write-only.
    returned: bool = True
    # It may be set to the empty string.
    clearable: bool = True
    # ``unlisted_fields: clear`` sets it to the empty string if it is not given.
    resettable: bool = False
    # In characters.
    max_length: int | None = None
    # Returns the one form in which values are compared.
    normalize: Normalizer = str
    # Returns what is wrong with a value that is not empty, ``""`` if nothing is.
    find_problem: Callable[[str], str] | None = None
    # Our name, where it is not the API's in snake_case.
    name: str | None = None

    @property
    def option(self) -> str:
        return self.name or snake_case(self.key)


def read_only(*keys: str) -> Iterator[Field]:
    """Fields that the API shows, and that nobody sets."""
    return (Field(key) for key in keys)


class Fields:
    """The fields of one resource, in the order of the specification's section 2."""

    def __init__(self, *fields: Field) -> None:
        self.by_option = {field.option: field for field in fields}
        self._option_of_key = {field.key: field.option for field in fields if field.returned}
        self.writable = tuple(field.option for field in fields if field.writable)
        self.returned = tuple(self._option_of_key.values())
        self.write_only = tuple(option for option in self.writable if option not in self.returned)
        self.resettable = tuple(field.option for field in fields if field.resettable)

    def definitions(self) -> Definitions:
        """The options of the writable fields, with their definitions."""
        return {option: {"type": "str"} for option in self.writable}

    def read(self, options: Options) -> Values:
        """The writable fields that the user set."""
        return {
            option: options[option] for option in self.writable if options.get(option) is not None
        }

    def check(self, options: Options) -> None:
        """Raises InvalidOption for the first of ``validate``."""
        for problem in self.validate(options):
            raise problem

    def validate(self, options: Options) -> Iterator[InvalidOption]:
        """The values that the API cannot take."""
        for option, value in self.read(options).items():
            field = self.by_option[option]
            if not value and not field.clearable:
                yield InvalidOption(option, "must not be empty.")
            # Of an object that is to be absent, no more than its name is sent.
            is_sent = not field.clearable or options.get("state") != "absent"
            problem = self.problem_of(option, value) or (unsendable(value) if is_sent else "")
            if problem:
                yield InvalidOption(option, problem, separator=" ")
            if field.max_length is not None and len(value) > field.max_length:
                yield InvalidOption(
                    option,
                    f"has {len(value)} characters, but the API accepts at most"
                    f" {field.max_length}. Shorten it.",
                )

    def problem_of(self, option: str, value: str) -> str:
        """What is wrong with the form of a value; ``""`` if nothing is, or the value is empty."""
        find_problem = self.by_option[option].find_problem
        return find_problem(value) if value and find_problem else ""

    def visible(self, values: Values) -> Values:
        """Those of the values that the API's objects show."""
        return {option: value for option, value in values.items() if option in self.returned}

    def body(self, values: Values) -> Values:
        """A request body: the values under the API's keys."""
        return {self.by_option[option].key: value for option, value in values.items()}

    def to_result(self, api_object: Values) -> Values:
        """The API's object under our names: the specification's fields, then those it does not
        know.
        """
        return {**dict.fromkeys(self.returned), **self.from_api(api_object)}

    def from_api(self, api_object: Values) -> Values:
        """The fields of an object of the API, under our names.

        One that the specification does not know, such as ``ID`` or ``team_id``, never takes the
        place of one that it does, even where that one is missing.
        """
        record: Values = {}
        for key, value in api_object.items():
            known = self._option_of_key.get(key)
            option = known or snake_case(key)
            if known or option not in self.returned:
                record[option] = value
        return record

    def changed_values(self, desired: Values, live: Values) -> Values:
        """The desired values that differ from the live ones: ``null`` and ``""`` are equal."""
        return {
            option: value
            for option, value in desired.items()
            if option not in self.write_only
            and self.normalize(option, value) != self.normalize(option, live.get(option))
        }

    def normalize(self, option: str, value: Any) -> str:
        """The form in which a field's values are compared; ``""`` for none."""
        return self.by_option[option].normalize(value) if value else ""


def snake_case(key: str) -> str:
    """``commandForIgnoringBuildStep`` -> ``command_for_ignoring_build_step``."""
    return WORD_STARTS.sub("_", key).lower()


def is_same(this: Any, that: Any) -> bool:
    """True if two ids, names or slugs are equal: an API may write a numeric id as a number."""
    return this not in (None, "") and str(this) == str(that)
