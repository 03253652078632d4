# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text as YAML's nodes, which know their lines, and nodes as values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from ._file_problem import FileProblem

# Deeper values overflow the stack of the parser, or of what reads them later.
DEEPEST = 100
YAML = "tag:yaml.org,2002:"
INT, TEXT, MERGE, DATE = (f"{YAML}{name}" for name in ("int", "str", "merge", "timestamp"))
STANDARD_TAGS = [YAML + name for name in ("null", "bool", "int", "float", "str", "seq", "map")]

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(PARSER):  # type: ignore[misc]
    """A safe loader that refuses what is nested too deeply, and reads dates as text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def descend_resolver(self, current_node: Any, _index: Any) -> None:
        """Called at each level; the resolvers by path that this is for are not used here."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise FileProblem(f"it is nested deeper than {DEEPEST} levels.", line_of(current_node))

    def ascend_resolver(self) -> None:
        self._depth -= 1


_Loader.yaml_constructors = {
    **{tag: yaml.SafeLoader.yaml_constructors[tag] for tag in STANDARD_TAGS},
    # A date is the text that is written.
    DATE: yaml.SafeLoader.yaml_constructors[TEXT],
    None: yaml.SafeLoader.yaml_constructors[None],
}
# For single values.
_READER = _Loader("")


def compose(text: str) -> Any:
    """The node of a text, ``None`` if it is empty. Raises FileProblem, and what a parser raises."""
    return _Loader(text).get_single_node()


def construct(node: Any) -> Any:
    """The value of a node. Raises what a parser raises."""
    return None if node is None else _Loader("").construct_object(node, deep=True)


def scalar_value(node: Any) -> Any:
    """The value of a scalar. Raises KeyError or ValueError for one that has none: ``0b_``."""
    return _Loader.yaml_constructors[node.tag](_READER, node)


def line_of(node: Any) -> int:
    """The line where a node begins, 0 if there is none."""
    return line_at(node.start_mark) if node else 0


def line_at(mark: Any) -> int:
    """The line of a mark, 0 if there is none."""
    return int(mark.line) + 1 if mark else 0


def key_nodes(node: Any) -> dict[str, Any]:
    """The nodes of the values of a mapping. Constructing it adds those that it merges."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): value for key, value in node.value}


def key_lines(node: Any) -> dict[str, int]:
    """The lines of the keys of a mapping."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): line_of(key) for key, _value in node.value}


def scalars_of(node: Any) -> Sequence[Any]:
    """A scalar, or the scalars of a list."""
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return [each for each in nodes if isinstance(each, yaml.ScalarNode)]


def misread_number(scalar: Any) -> int | None:
    """What a whole number reads as, if that is not what is written: ``010`` is 8."""
    if scalar.tag != INT:
        return None
    number: int = scalar_value(scalar)
    return None if str(number) == scalar.value else number


def misreadings(option: str, node: Any) -> Iterator[str]:
    """The problems of whole numbers, in a scalar or a list of scalars, that YAML reads otherwise
    than they are written.
    """
    for scalar in scalars_of(node):
        number = misread_number(scalar)
        if number is not None:
            yield (
                f"{option} must be text, but YAML reads {scalar.value} as the number {number}."
                " Quote it."
            )
