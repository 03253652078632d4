# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a blueprint's files that are read otherwise than they look: numbers, and templates.

Files are data, so what looks like a template is none. It is refused in what names an object: nobody
means such a name. Elsewhere it is text, such as that of a command with braces, and a warning says
so before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...module_utils._converge.blueprint.entries import LocatedProblem, nestings
from ...module_utils._model.kind import Kind
from ...module_utils._model.options import parts_of
from ...module_utils._run.invocation import Result
from ._file_problem import INSTEAD
from ._templates import is_template
from ._yaml_files import Part

LONGEST = 80


def naming_options(kind: type[Kind]) -> tuple[str, ...]:
    """The options of an entry, and what it nests, that name objects."""
    own = (kind.name_field, *kind.other_identifiers, "previously", "team")
    return (*own, *kind.references, *kind.embeds, *nestings(kind))


def text_problems(
    option: str, part: Part, *, is_name: bool, entry: str = ""
) -> Iterator[LocatedProblem]:
    """The numbers, and in a name the templates, of an option or its list: each at its line, but the
    numbers of an entry at the entry.
    """
    for item in part.items():
        template = template_problem(item.value)
        if item.is_misread:
            read = f"YAML reads {item.node.value} as the number {item.value}"
            yield item.file, entry or item.place, f"{option} must be text, but {read}. Quote it."
        elif is_name and template:
            yield item.problem(f"{option} {template}")


def template_problem(value: Any) -> str:
    """The problem of a value that looks like a template; ``""`` if it does not."""
    if not isinstance(value, str) or not is_template(value):
        return ""
    return f"{value} looks like a template, and files are data. To have it evaluated, {INSTEAD}"


def warnings_of_sent(rows: Iterable[Result]) -> Iterator[str]:
    """A warning about the first value of files that looks like a template and is sent, if there is
    one. ``rows``: the results of a plan. What sends nothing has nothing after it.
    """
    for row in rows:
        for option, value in row["diff"]["after"].items():
            texts = [part for part in parts_of(value) if isinstance(part, str)]
            text = next(filter(is_template, texts), "")
            if text:
                shown = f"{text[:LONGEST]}..." if len(text) > LONGEST else text
                yield (
                    f"{row['source']}: {option} {shown} looks like a template, and is sent as text,"
                    f" because files are data. To have it evaluated, {INSTEAD}"
                )
                return
