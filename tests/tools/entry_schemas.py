# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The schemas of entries, derived from the argument specifications with which a run reads them,
and from what it accepts.
"""

import importlib
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import yaml
from ansible.module_utils.parsing.convert_bool import BOOLEANS, BOOLEANS_TRUE

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.entries import (
    Nesting,
    nestings,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kind import Kind
from ansible_collections.hosting.platform.plugins.module_utils._model.name_forms import (
    EMAIL,
    HOST,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.options import (
    NEVER_EMPTY,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._inherited import SCOPE
from ansible_collections.hosting.platform.plugins.plugin_utils.files._template_texts import (
    naming_options,
)

MODULES = "ansible_collections.hosting.platform.plugins.modules"
NO_MASK = {"not": {"$ref": "#/$defs/mask"}}
NO_TEMPLATE = {"not": {"anyOf": [{"$ref": "#/$defs/template"}, {"$ref": "#/$defs/mask"}]}}
# The texts that some options take alone: an expression, and a text that fits it and no other one.
FORMS = {EMAIL: "a@b", HOST: "a"}
# What an option means in an entry, and not in a task.
ENTRY_WORDS = {
    "team": (
        "The id or the slug of the team. By default, the team of the file, or that of the task."
    ),
    "own_scope": (
        "Whether the entry is in the own scope of the token's user. By default, if no team is set"
        " at all."
    ),
}

Schema = dict[str, Any]


def boolean(values: Collection[Any]) -> Schema:
    """What core accepts as one of these booleans: some texts, ignoring case, and the numbers 0 and
    1.
    """
    texts = sorted(value for value in values if isinstance(value, str))
    numbers = sorted(int(value) for value in values if not isinstance(value, str))
    regex = "|".join(
        re.sub("[a-z]", lambda letter: f"[{letter[0]}{letter[0].upper()}]", text) for text in texts
    )
    return {
        "anyOf": [
            {"enum": [*map(bool, numbers), *numbers]},
            {"type": "string", "pattern": rf"^\s*({regex})\s*$"},
        ]
    }


def is_accepted(kind: str, entry: Any) -> bool:
    """True if a run accepts the entry, as far as this can be told without a request."""
    try:
        return bool(read_blueprint({kind: [entry]}, {"team": "acme"}).entries)
    except PlatformError:
        return False


def without_default(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "default"}


class EntrySchema:
    """The schema of one kind's entries. ``given``: options that an entry around them gives."""

    def __init__(self, resource: type[Kind], given: Collection[str] = ()) -> None:
        self._resource = resource
        self._given = given
        self._spec = resource.entry_options()
        self._words = {**_documented(resource.singular), **ENTRY_WORDS}
        # All but the team, which the task may give.
        self._required = [
            name for name, spec in self._spec.items() if spec.get("required") and name != "team"
        ]

    def schema(self) -> Schema:
        given = self._resource.argument_spec.rules
        assert given.keys() <= RULES.keys(), f"{self._resource.plural}: {', '.join(given)}"
        rules = []
        for name, rule in RULES.items():
            rules += [rule(*case) for case in given.get(name, [])]
        rules += [scope_rule()] * ("own_scope" in self._spec)
        rules += [rename_rule()] * ("previously" in self._spec)
        names = [name for name in self._spec if name not in self._given]
        properties = {option: self.option(option) for option in names}
        for plural, nesting in nestings(self._resource).items():
            properties[plural] = _nested(self._resource, nesting)
        # They are rules of options that the entry around it gives.
        rules = [] if self._given else rules
        return {
            "description": self._words[""],
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "required": self._required,
            **({"allOf": rules} if rules else {}),
        }

    def option(self, option: str, null: Sequence[str] = ("null",)) -> Schema:
        """The schema of one option's value. ``null``: the type of null, if it counts as missing."""
        is_needed = option in (*self._required, *NEVER_EMPTY) and not self._has_scope_rule(option)
        schema = self._option(option, () if is_needed else null)
        return {**schema, **NO_TEMPLATE} if option in naming_options(self._resource) else schema

    def _option(self, option: str, null: Sequence[str]) -> Schema:
        spec = self._spec[option]
        fields = self._resource.fields.by_option
        longest = {name: field.max_length for name, field in fields.items()}
        words = {"description": self._words[option]}
        words |= {"default": spec["default"]} if "default" in spec else {}
        if "choices" in spec:
            return {**words, "enum": [*spec["choices"], *(None for _one in null)]}
        if spec["type"] == "str":
            may_be_empty = self._has_scope_rule(option) or self._accepts({option: ""})
            string = _string(longest.get(option), may_be_empty=may_be_empty, null=null)
            form = self._form(option)
            if not form:
                return {**words, **string}
            if self._resource.fields.problem_of(option, "7"):
                string["type"].remove("integer")
            # To Python, $ also is before a last line break.
            pattern = f"^({form}){'?' * may_be_empty}$(?!\\n)"
            return {**words, **string, "pattern": pattern}
        longest_name = longest.get(self._resource.name_field)
        names = {**_string(longest_name, may_be_empty=True), **NO_TEMPLATE}
        others: dict[str, Schema] = {
            "bool": {"anyOf": [*boolean(BOOLEANS)["anyOf"], *({"type": word} for word in null)]},
            "dict": {"type": ["object", *null]},
            "list": {"type": ["array", *null], "items": names},
        }
        return {**words, **others[spec["type"]]}

    def _has_scope_rule(self, option: str) -> bool:
        """True for a team of which a rule says when it may be empty."""
        return option == "team" and "own_scope" in self._spec

    def _accepts(self, given: Schema) -> bool:
        """Whether a run accepts an entry with the given options and all that is required
        besides.
        """
        rules = self._resource.argument_spec.rules
        needed = self._required + [
            n[0] for n in rules.get("required_one_of", []) if not {*n} & {*given}
        ]
        for _option, _value, names in rules.get("required_if", []):
            needed += names
        entry = {option: self._example(option) for option in needed}
        return is_accepted(self._resource.plural, entry | given)

    def _example(self, option: str) -> Any:
        return self._spec[option].get("choices", [FORMS.get(self._form(option), "a")])[0]

    def _form(self, option: str) -> str:
        """The expression that the option's texts have to fit; ``""`` if it takes any."""
        fields = self._resource.fields
        if option not in fields.writable or not fields.problem_of(option, "a b"):
            return ""
        return next(form for form, text in FORMS.items() if not fields.problem_of(option, text))


def _nested(outer: type[Kind], nesting: Nesting) -> Schema:
    """The entries of another kind in those of this one: names, or entries without what this one
    says.
    """
    entry = EntrySchema(nesting.kind, (nesting.option, *SCOPE))
    names = without_default(entry.option(nesting.kind.name_field))
    items = {"anyOf": [{**names, "description": "A name."}, entry.schema()]}
    what = nesting.kind.plural.replace("_", " ")
    return {
        "description": f"The {what} of the {outer.display_name()}: names, or entries without"
        f" {nesting.option} and team.",
        "type": ["array", "null"],
        "items": items,
    }


# What core demands of options, as a schema says it. The value of a condition always is the option's
# default.
RULES: dict[str, Callable[..., Schema]] = {
    "required_one_of": lambda *names: {"anyOf": [*map(_given, names)]},
    "mutually_exclusive": lambda *names: {"not": {"allOf": [*map(_given, names)]}},
    "required_if": lambda option, value, names: {
        "if": {"properties": {option: {"enum": [value, None]}}},
        "then": {"allOf": [*map(_given, names)]},
    },
}


def scope_rule() -> Schema:
    """What a file or an entry may say: a team or the own scope, and an empty team only beside
    that.
    """
    some_team = {"not": {"enum": [None, ""]}}
    both = {"own_scope": boolean(BOOLEANS_TRUE), "team": some_team}
    own_scope = {"required": ["own_scope"], "properties": {"own_scope": boolean(BOOLEANS_TRUE)}}
    has_empty_team = {"required": ["team"], "properties": {"team": {"enum": [None, ""]}}}
    is_mapping = {"type": "object"}
    return {
        "not": {"type": "object", "required": list(both), "properties": both},
        "if": {**is_mapping, **has_empty_team},
        "then": own_scope,
    }


def rename_rule() -> Schema:
    """What ``NamedResource.check`` refuses."""
    both = {"state": {"enum": ["exists"]}, "previously": {"type": "array", "minItems": 1}}
    return {"not": {"type": "object", "required": list(both), "properties": both}}


def _string(longest: int | None, *, may_be_empty: bool = False, null: Sequence[str] = ()) -> Schema:
    bounds = {"minLength": None if may_be_empty else 1, "maxLength": longest}
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"type": ["string", "integer", *null], **given, **NO_MASK}


def _given(option: str) -> Schema:
    """A condition that the option is given; null counts as missing."""
    return {"required": [option], "properties": {option: {"not": {"type": "null"}}}}


def _documented(module: str) -> dict[str, str]:
    """The documentation of the module's options, and under ``""`` of the module itself."""
    documentation = yaml.safe_load(importlib.import_module(f"{MODULES}.{module}").DOCUMENTATION)
    words = {
        option: _plain(details["description"])
        for option, details in documentation["options"].items()
    }
    return {**words, "": f"{documentation['short_description']}."}


def _plain(description: str | list[str]) -> str:
    """The description without its markup: ``V(x)`` is x, ``O(a.b.c#module:x)`` and ``M(a.b.x)`` are
    x.
    """
    text = " ".join([description] if isinstance(description, str) else description)
    for markup in (
        r"\b[OP]\((?:[\w.]+#\w+:)?([^)#]*)(?:#\w+)?\)",
        r"\bM\((?:\w+\.)*(\w+)\)",
        r"\b[VCRIBE]\(([^)]*)\)",
    ):
        text = re.sub(markup, r"\1", text)
    return " ".join(text.split())
