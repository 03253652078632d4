# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON schema of a plan file, for programs that read the output of the role ``converge``."""

from __future__ import annotations

from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._blueprint.results import ACTIONS
from ansible_collections.hosting.platform.plugins.module_utils._kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import REASONS
from ansible_collections.hosting.platform.plugins.plugin_utils._registered import PLAN_FORMAT

Schema = dict[str, Any]


def _object(properties: dict[str, Schema], optional: tuple[str, ...] = (), more: bool = False) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": more}


def _is(kind: str | list[str], description: str) -> Schema:
    return {"description": description, "type": kind}


COUNTS = {action: {"type": "integer", "minimum": 0} for action in (*ACTIONS, "along", "failed", "undeclared")}
RESULT = _object(
    {
        "kind": {"description": "The kind, as the blueprint calls it.", "enum": list(KINDS)},
        "name": _is("string", "The entry's name, slug, alias or email."),
        "team": _is(["string", "null"], "The slug of its team; empty in the own scope, null for teams."),
        "action": {"description": "What it comes to.", "enum": list(ACTIONS)},
        "changed": _is("boolean", "Whether it changes, or has changed, anything."),
        "diff": _object({"before": {"type": "object"}, "after": {"type": "object"}}),
        "step": _is(["string", "null"], "The id of the step, the same for the same change of the same object."),
        "source": _is(["string", "null"], "Where it is declared."),
        "reason": {"description": "Why it is skipped.", "enum": [*REASONS, None]},
        "along": {
            "description": "What is deleted along with it.",
            "type": "array",
            "items": _object({"kind": {"enum": list(KINDS)}, "name": {"type": "string"}, "team": {"type": "string"}}),
        },
        "not_compared": {
            "description": "The given fields whose live value the API does not show, and that the step does not send.",
            "type": "array",
            "items": {"type": "string"},
        },
        "failed": _is("boolean", "Whether it failed."),
        "msg": _is("string", "Why it failed."),
        "failure": _is("object", "The call that failed."),
    },
    optional=("failed", "msg", "failure"),
)
PLAN = {
    "title": "A plan file of the role hosting.platform.converge",
    "description": "What a converge would do, or what it did.",
    **_object(
        {
            "format": {"description": "The version of this format.", "const": PLAN_FORMAT},
            "base_url": _is(["string", "null"], "The address of the service; null where it came to no plan."),
            "check": _is("boolean", "Whether this was check mode."),
            "changed": _is("boolean", "Whether anything changes, or was changed."),
            "failed": _is("boolean", "Whether it failed or was refused."),
            "refused": _is("boolean", "Whether the plan was refused. Such a plan is no approval."),
            "msg": _is(["string", "null"], "Why it failed."),
            "summary": _object(
                {**COUNTS, "requests": _is(["integer", "null"], "How many were sent; null if that is not known.")},
                more=True,
            ),
            "results": {
                "description": "One for each entry, and for each object that is pruned.",
                "type": "array",
                "items": RESULT,
            },
            "undeclared": {
                "description": "What is there, and neither declared nor deleted.",
                "type": "array",
                "items": _object(
                    {
                        "kind": {"enum": list(KINDS)},
                        "name": {"type": "string"},
                        "team": {"type": ["string", "null"]},
                        "protected": {"type": "boolean"},
                    }
                ),
            },
            "steps": {
                "description": "Identifiers of the steps to take. After a run, those of the steps not completed.",
                "type": "array",
                "items": {"type": "string"},
            },
        },
        more=True,
    ),
}
