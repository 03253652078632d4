# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a role of this collection: a variable that looks like one and is none, and their names in messages."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from ..module_utils._text import nearest, printable

COLLECTION = "hosting.platform."
ROLES = Path(__file__).resolve().parents[2] / "roles"
# What a role hands on to later plays with set_stats.
HANDED_ON = ("converge_summary",)
FIRST_WORD = re.compile("[a-z_]+")


def role_of(task_vars: Mapping[str, Any]) -> str:
    """The role of this collection for which the task works; ``""`` if it is a task of somebody else."""
    name = str(task_vars.get("ansible_role_name") or "")
    return name.removeprefix(COLLECTION) if name.startswith(COLLECTION) else ""


def unknown_options(role: str, variables: Collection[str]) -> Iterator[str]:
    """Messages about variables with the role's prefix that are none of its options."""
    prefix = f"{role}_"
    for name in sorted(str(name) for name in variables if str(name).startswith(prefix)):
        if name not in _options(role) and name not in HANDED_ON:
            yield printable(f"{name} is not an option of the role {role}.{nearest(name, _options(role))}")


def as_the_reader_sets_it(message: str, options: Collection[str], prefix: str) -> str:
    """The message, with the prefix before an option that a line begins with."""
    lines = message.split("\n")
    words = [FIRST_WORD.match(line) for line in lines]
    return "\n".join(f"{prefix}{line}" if word and word[0] in options else line for line, word in zip(lines, words))


@functools.cache
def _options(role: str) -> tuple[str, ...]:
    text = (ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return tuple(yaml.load(text, Loader=loader)["argument_specs"]["main"]["options"])  # noqa: S506 (a safe one)
