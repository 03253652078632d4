# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make schemas: the JSON schemas of blueprints, for editors; runs with the development
environment's Python.

What an editor accepts, a run accepts: the schemas are derived from the argument specifications with
which a run reads entries, and from whether it accepts an empty string. The descriptions come from
the modules' documentation.
"""

import json
from collections.abc import Mapping

from ansible.module_utils.parsing.convert_bool import BOOLEANS
from entry_schemas import NO_TEMPLATE, EntrySchema, Schema, boolean, scope_rule, without_default
from environments import ROOT

from ansible_collections.hosting.platform.plugins.module_utils._converge.result import ACTIONS
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_texts import (
    schema_address,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._inherited import (
    DEFAULTS,
    options_with_defaults,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._result_view import (
    FORMAT,
    REASONS,
)

FOLDER = ROOT / "docs" / "schemas"
DEFINITIONS: Schema = {
    "template": {
        "description": "What looks like a template of Ansible: files are data.",
        "type": "string",
        "pattern": r"\{[{%#]|^#jinja2:",
    },
    "mask": {
        "description": "What hides a secret, and is not the value itself.",
        "type": "string",
        "pattern": r"(^|[^*])\*{8}($|[^*])|VALUE_SPECIFIED_IN_NO_LOG_PARAMETER",
    },
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
        **boolean(BOOLEANS),
    },
}


def schemas() -> dict[str, str]:
    """The text of each schema by file name."""
    entries = {kind: EntrySchema(resource).schema() for kind, resource in KINDS.items()}
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
        **scope_rule(),
    }
    return {**schema, "$defs": {**entries, **DEFINITIONS}}


def _schema_of_defaults_file() -> Schema:
    """The file ``defaults.yml`` of a folder."""
    description = "What the entries in a folder hold that do not say it themselves."
    defaults = _defaults()
    return {
        "title": "Defaults of a folder of a blueprint",
        "description": description,
        **defaults,
        "properties": {**OF_A_FILE, **defaults["properties"]},
        **scope_rule(),
        "$defs": DEFINITIONS,
    }


def _defaults() -> Schema:
    """The defaults of each kind."""
    properties = {}
    for plural, kind in KINDS.items():
        entry = EntrySchema(kind)
        options = {
            option: without_default(entry.option(option, null=()))
            for option in options_with_defaults(kind)
        }
        properties[plural] = {
            "type": "object",
            "properties": options,
            "additionalProperties": False,
        }
    return {"type": "object", "properties": properties, "additionalProperties": False}


if __name__ == "__main__":
    for name, text in schemas().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote {(FOLDER / name).relative_to(ROOT)}")
