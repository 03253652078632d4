# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One switch: what it takes, and how that is read."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ..checks import whole_number

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Switch:
    """What it takes is told in words, and read; ``values`` are all that it takes, if few."""

    name: str
    default: Value
    meaning: str
    allowed: str
    read: Callable[[object], Value | None]
    values: tuple[Value, ...] = ()


def choice(name: str, values: tuple[Value, ...], meaning: str) -> Switch:
    """The first of the values is the default."""
    spelled = {_spelled(value): value for value in values}
    return Switch(
        name,
        values[0],
        meaning,
        ", ".join(spelled),
        lambda given: spelled.get(_spelled(given)),
        values,
    )


def number(name: str, default: int, minimum: int, meaning: str) -> Switch:
    allowed = f"a whole number of at least {minimum} ({default})"
    return Switch(name, default, meaning, allowed, partial(whole_number, minimum=minimum))


def text(
    name: str, default: str, meaning: str, allowed: str, is_one: Callable[[str], object]
) -> Switch:
    return Switch(
        name,
        default,
        meaning,
        allowed,
        lambda given: given if isinstance(given, str) and is_one(given) else None,
    )


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
