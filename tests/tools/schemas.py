# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make schemas: the JSON schemas of blueprints, for editors; runs with the development
environment's Python.

What an editor accepts, a run accepts: the schemas are derived from the argument specifications with
which a run reads entries, and from whether it accepts an empty string. The descriptions come from
the modules' documentation.
"""

import importlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import yaml
from ansible.module_utils.parsing.convert_bool import BOOLEANS, BOOLEANS_TRUE
from environments import ROOT

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.entries import (
    BlueprintError,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.nested import (
    Nesting,
    nestings,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.result import (
    ACTIONS,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kind import Kind
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.module_utils._model.name_forms import (
    EMAIL,
    HOST,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.options import (
    NEVER_EMPTY,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._defaults import (
    DEFAULTS,
    options_with_defaults,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_texts import (
    schema_address,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._inherited import SCOPE
from ansible_collections.hosting.platform.plugins.plugin_utils.files._template_texts import (
    naming_options,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._plan_file import FORMAT
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._result_view import REASONS

FOLDER = ROOT / "docs" / "schemas"
MODULES = "ansible_collections.hosting.platform.plugins.modules"
NO_TEMPLATE = {"not": {"$ref": "#/$defs/template"}}
TEMPLATE_DEFINITION = {
    "description": "What looks like a template of Ansible: files are data.",
    "type": "string",
    "pattern": r"\{[{%#]|^#jinja2:",
}
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


def _boolean(values: Collection[Any]) -> Schema:
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


# What a file may say for its entries that say neither.
OF_A_FILE: Schema = {
    "team": {
        "description": "The id or the slug of the team of the entries that name none.",
        "type": ["string", "integer", "null"],
        **NO_TEMPLATE,
    },
    "own_scope": {
        "description": (
            "Whether the entries that name no team are in the own scope of the token's user."
        ),
        **_boolean(BOOLEANS),
    },
}


def schemas() -> dict[str, str]:
    """The text of each schema by file name."""
    entries = {kind: _Entry(resource).schema() for kind, resource in KINDS.items()}
    found = {kind: _schema_of_kind_file(kind, entry) for kind, entry in entries.items()}
    found |= {"blueprint": _schema_of_blueprint_file(entries), "plan": _plan()}
    found[DEFAULTS] = _schema_of_defaults_file()
    texts = {}
    for name, schema in found.items():
        head = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": schema_address(name),
        }
        texts[f"{name}.schema.json"] = (
            json.dumps(head | schema | head, indent=2, ensure_ascii=False) + "\n"
        )
    return texts


def is_accepted(kind: str, entry: Any) -> bool:
    """True if a run accepts the entry, as far as this can be told without a request."""
    try:
        return bool(read_blueprint({kind: [entry]}, {"team": "acme"}).entries)
    except BlueprintError:
        return False


def _plan() -> Schema:
    """A plan file. Its schema is written by hand, but for what follows from the code."""
    plan: Schema = json.loads((FOLDER / "plan.schema.json").read_text(encoding="utf-8"))
    plan["properties"]["format"]["const"] = FORMAT
    values = {"kind": list(KINDS), "action": list(ACTIONS), "reason": [*REASONS, None]}
    plan["$defs"] |= {name: {"enum": allowed} for name, allowed in values.items()}
    return plan


def _schema_of_kind_file(kind: str, entry: Schema) -> Schema:
    """A file of one kind: a list of entries, or a dictionary with the kind as a key."""
    title = f"{kind.replace('_', ' ').capitalize()} of a blueprint"
    items = {"$ref": "#/$defs/entry"}
    head = {"title": title, "type": ["array", "object"], "items": items}
    return head | _file(
        {kind: {"type": "array", "items": items}}, {"entry": entry}, {"required": [kind]}
    )


def _schema_of_blueprint_file(entries: Mapping[str, Schema]) -> Schema:
    description = "The teams, members, projects, aliases and domains of a platform."
    head = {"title": "A blueprint", "description": description, "type": "object"}
    kinds = {kind: {"type": "array", "items": {"$ref": f"#/$defs/{kind}"}} for kind in entries}
    return head | _file(kinds, entries, {"anyOf": [{"required": [kind]} for kind in kinds]})


def _file(lists: Schema, entries: Mapping[str, Schema], needed: Schema) -> Schema:
    schema = {
        "properties": {**lists, **OF_A_FILE},
        "additionalProperties": False,
        **needed,
        **_one_scope(),
    }
    return {**schema, "$defs": {**entries, "template": TEMPLATE_DEFINITION}}


def _schema_of_defaults_file() -> Schema:
    """The file ``defaults.yml`` of a folder."""
    description = "What the entries in a folder hold that do not say it themselves."
    defaults = _defaults()
    return {
        "title": "Defaults of a folder of a blueprint",
        "description": description,
        **defaults,
        "properties": {**OF_A_FILE, **defaults["properties"]},
        **_one_scope(),
        "$defs": {"template": TEMPLATE_DEFINITION},
    }


def _defaults() -> Schema:
    """The defaults of each kind."""
    properties = {}
    for plural, kind in KINDS.items():
        entry = _Entry(kind)
        options = {
            option: _without_default(entry.option(option, null=()))
            for option in options_with_defaults(kind)
        }
        properties[plural] = {
            "type": "object",
            "properties": options,
            "additionalProperties": False,
        }
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _without_default(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "default"}


class _Entry:
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
        rules += [_one_scope()] * ("own_scope" in self._spec)
        rules += [_rename()] * ("previously" in self._spec)
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
        names = {**_string(longest.get(self._resource.name_field)), **NO_TEMPLATE}
        others: dict[str, Schema] = {
            "bool": {"anyOf": [*_boolean(BOOLEANS)["anyOf"], *({"type": word} for word in null)]},
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
    entry = _Entry(nesting.kind, (nesting.option, *SCOPE))
    names = _without_default(entry.option(nesting.kind.name_field))
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


def _one_scope() -> Schema:
    """What a file or an entry may say: a team or the own scope, and an empty team only beside
    that.
    """
    some_team = {"not": {"enum": [None, ""]}}
    both = {"own_scope": _boolean(BOOLEANS_TRUE), "team": some_team}
    own_scope = {"required": ["own_scope"], "properties": {"own_scope": _boolean(BOOLEANS_TRUE)}}
    has_empty_team = {"required": ["team"], "properties": {"team": {"enum": [None, ""]}}}
    is_mapping = {"type": "object"}
    return {
        "not": {"type": "object", "required": list(both), "properties": both},
        "if": {**is_mapping, **has_empty_team},
        "then": own_scope,
    }


def _rename() -> Schema:
    """What ``NamedResource.check`` refuses."""
    both = {"state": {"enum": ["exists"]}, "previously": {"type": "array", "minItems": 1}}
    return {"not": {"type": "object", "required": list(both), "properties": both}}


def _string(longest: int | None, *, may_be_empty: bool = False, null: Sequence[str] = ()) -> Schema:
    bounds = {"minLength": None if may_be_empty else 1, "maxLength": longest}
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"type": ["string", "integer", *null], **given}


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


if __name__ == "__main__":
    for name, text in schemas().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote {(FOLDER / name).relative_to(ROOT)}")
