# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of a blueprint's files that looks like a template, and is none, because files are data.

It is refused in what names an object: nobody means such a name. Elsewhere it is text, such as that
of a command with braces, and a warning says so before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...module_utils._converge.blueprint.nested import nestings
from ...module_utils._model.kind import Kind
from ._file_problem import INSTEAD, FileProblem
from ._templates import is_template
from ._yaml_files import Part

# The actions of a row that sends its ``after``.
SENDING = ("create", "update")
# Of a text in a message.
LONGEST = 80


def naming_options(kind: type[Kind]) -> tuple[str, ...]:
    """The options of an entry, and what it nests, that name objects."""
    own = (kind.name_field, *kind.other_identifiers, "previously", "team")
    return (*own, *kind.references, *kind.embeds, *nestings(kind))


def name_problems(option: str, part: Part) -> Iterator[FileProblem]:
    """The templates in a name or a list of names."""
    for scalar in part.scalars():
        problem = template_problem(scalar.value)
        if problem:
            yield FileProblem(f"{option} {problem}", scalar.line)


def template_problem(value: Any) -> str:
    """The problem of a value that looks like a template; ``""`` if it does not."""
    if not isinstance(value, str) or not is_template(value):
        return ""
    return f"{value} looks like a template, and files are data. To have it evaluated, {INSTEAD}"


def warning_of_sent(rows: Iterable[Mapping[str, Any]]) -> str:
    """The warning about the first text of files that looks like a template and is sent; ``""`` if
    there is none. ``rows``: the results of a plan.
    """
    for row in rows:
        if row["action"] not in SENDING:
            continue
        for option, value in row["diff"]["after"].items():
            text = _template_in(value)
            if text:
                shown = f"{text[:LONGEST]}..." if len(text) > LONGEST else text
                return (
                    f"{row['source']}: {option} {shown} looks like a template, and is sent as text,"
                    f" because files are data. To have it evaluated, {INSTEAD}"
                )
    return ""


def _template_in(value: Any) -> str:
    """The first text that looks like a template in a value, ``""`` if there is none."""
    if isinstance(value, str):
        return value if is_template(value) else ""
    parts: Iterable[Any] = ()
    if isinstance(value, Mapping):
        parts = (*value, *value.values())
    elif isinstance(value, list):
        parts = value
    return next(filter(None, map(_template_in, parts)), "")
