# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors, which describe a part of a platform: the values of ``only``, ``ignore`` and
``protect``.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..._api.masking import MASK
from ..._errors import InvalidOption, PlatformError
from ..._model.fields import is_same
from ..._model.kind import Kind, matches_pattern
from ..._model.kinds.registry import KINDS
from ..._model.options import Options, WrongType
from ..._model.scope import Scope
from ..._text import suggest_or_list, yaml_text

KEYS = ("kind", "team", "name")
# Only entries have a source; objects do not.
ENTRY_KEYS = (*KEYS, "source")
# The options whose values are selectors, and the keys that these may have.
SELECTOR_OPTIONS = {"only": ENTRY_KEYS, "ignore": KEYS, "protect": KEYS}
# The kinds of what is in a team.
KINDS_IN_TEAM = frozenset(kind.plural for kind in KINDS.values() if kind.is_in_team)
LINE = re.compile(r":[0-9]+$")
# What nobody means in a name; ? stands for it. Line breaks are among them.
CONTROL_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# A key of a selector as on a command line: as a text, it is a pattern for such a name.
ASSIGNMENT = re.compile(rf"({'|'.join(ENTRY_KEYS)})\s*=\s*(.*)", re.DOTALL)
# What may stand between a team and a name.
PATH_SLASH = re.compile("(?<=.)/(?=.)")
WILDCARD = re.compile(r"[*?]|\[.+]")
# What would match nothing, and what to do about it.
WRONG_PATTERNS = {
    CONTROL_CHARACTER: "contains a line break or another control character. List each name by"
    " itself, or write ? for it.",
    re.compile(r"^\s|\s$"): "begins or ends with white space. Remove it, or write ? for it.",
    # What ansible-playbook makes of -e protect=["prod-*"], from which a shell may have taken the
    # quotes. A set of letters that stands alone, such as [ab], may be meant.
    re.compile(r"""^(\[\s*["'{]|\{\s*(["']|\w+:)|\[[^]]*[*?,\s][^]]*]?$)"""): "looks like a list or"
    " dictionary, but is text. On the command line, pass JSON: -e '{\"OPTION\": [...]}'.",
    MASK: "holds a mask, which hides a secret and is a pattern for other names. Write the name.",
}


@dataclasses.dataclass(frozen=True)
class Pattern:
    """What a selector says of objects. Every field that is set must match; ``None``: any."""

    # Their plurals.
    kinds: frozenset[str] | None = None
    # An id, or a pattern of fnmatch for slugs.
    team: str | None = None
    # A pattern of fnmatch.
    name: str | None = None
    # True for the team and the name of a text: its team is a slug, never an id or the own scope.
    is_path: bool = False

    def may_match(self, kind: type[Kind], scope: Scope) -> bool:
        """True if it matches objects of a kind in a scope, if their names match."""
        return (self.kinds is None or kind.plural in self.kinds) and self.matches_team(scope)

    def matches_team(self, scope: Scope) -> bool:
        """True if it matches a team by one of its slugs, which is ``""`` for the own scope, or by
        its ID.
        """
        if self.team is None:
            return True
        slugs = scope.known_names | {scope.slug}
        if self.is_path:
            slugs -= {""}
        elif is_same(scope.team_id, self.team):
            return True
        return any(matches_pattern(slug, self.team) for slug in slugs)

    def matches(self, kind: type[Kind], names: Collection[Any], scope: Scope) -> bool:
        """True if it matches an object by any of its names and its team's, current or planned."""
        if not self.may_match(kind, scope):
            return False
        return self.name is None or any(kind.matches(name, self.name) for name in names)


@dataclasses.dataclass(frozen=True, eq=False)
class Selector:
    """A value of ``only``, ``ignore`` or ``protect``."""

    # Its place in the option, such as only[0], and how it was given. Both are for messages.
    place: str
    given: Any
    # It matches what one of them matches: a text with a slash is a name, and also team/name.
    patterns: Sequence[Pattern]
    # A pattern of fnmatch for the files of entries.
    source: str | None = None

    @property
    def text(self) -> str:
        """How it was given, in messages: a dictionary as JSON."""
        if isinstance(self.given, str):
            return self.given
        return json.dumps(self.given, default=str, ensure_ascii=False)

    def invalid(self, problem: str) -> InvalidOption:
        """A failure that says this of the selector as it was given."""
        return InvalidOption(self.place, f"{self.text} {problem}")

    def matches_source(self, source: str | None) -> bool:
        """True if it matches the file of an entry, whatever the line."""
        return self.source is None or matches_pattern(source_file(source), self.source)


Selectors = Sequence[Selector]


def patterns_of(selectors: Iterable[Selector]) -> Iterator[Pattern]:
    """All that several selectors match."""
    for selector in selectors:
        yield from selector.patterns


def is_matched(
    selectors: Iterable[Selector], kind: type[Kind], names: Collection[Any], scope: Scope
) -> bool:
    """True if a selector matches an object by any of these names, wherever it is declared."""
    return any(pattern.matches(kind, names, scope) for pattern in patterns_of(selectors))


def read_selectors(options: Options) -> Mapping[str, Selectors]:
    """The selectors of each option that is given. Raises PlatformError for all that are invalid;
    sends no request.
    """
    selectors: dict[str, list[Selector]] = {}
    problems: list[InvalidOption] = []
    for option, keys in SELECTOR_OPTIONS.items():
        if options.get(option) is None:
            continue
        selectors[option] = []
        for index, value in enumerate(options[option]):
            try:
                selectors[option].append(_selector(f"{option}[{index}]", value, keys))
            except InvalidOption as problem:
                problems.append(problem)
    if problems:
        raise PlatformError(*problems)
    return selectors


def source_file(source: Any) -> str:
    """The file of a source, without the line."""
    return LINE.sub("", str(source or ""))


def _selector(place: str, value: Any, keys: Sequence[str]) -> Selector:
    """The selector that a text or a dictionary states. Raises InvalidOption."""
    if isinstance(value, Mapping):
        pattern = _pattern_of_keys(place, value, keys)
        return Selector(place, value, [pattern], value.get("source"))
    _check_text(place, value)
    assignment = ASSIGNMENT.fullmatch(value)
    if assignment:
        key, given = assignment.groups()
        raise InvalidOption(
            place,
            f"{value} is text, and so a pattern for a name. Write {{{key}: {yaml_text(given)}}}.",
        )
    patterns = [Pattern(name=value)]
    for slash in PATH_SLASH.finditer(value):
        team = value[: slash.start()]
        name = value[slash.end() :]
        patterns.append(Pattern(KINDS_IN_TEAM, team, name, is_path=True))
    return Selector(place, value, patterns)


def _pattern_of_keys(place: str, value: Options, keys: Sequence[str]) -> Pattern:
    """What a dictionary says of objects. Raises InvalidOption."""
    if not value:
        raise InvalidOption(
            place, f"is empty and would match everything. Set at least one of {', '.join(keys)}."
        )
    for key in value:
        if key not in keys:
            raise InvalidOption(place, f"unknown key {key}.{suggest_or_list(key, keys)}")
    for key, text in value.items():
        if key != "kind":
            _check_text(f"{place}.{key}", text, may_be_empty=key == "team")
    kinds = _kinds(f"{place}.kind", value["kind"]) if "kind" in value else None
    name = value.get("name")
    if kinds and name:
        problems = [KINDS[kind].pattern_problem(name) for kind in sorted(kinds)]
        if all(problems):  # it fits no name of any of the kinds
            raise InvalidOption(f"{place}.name", problems[0], separator=" ")
    return Pattern(kinds, value.get("team"), name)


def _check_text(place: str, value: Any, *, may_be_empty: bool = False) -> None:
    """Raises InvalidOption for a selector, or the value of one of its keys, that is not text, or
    would match nothing or everything. YAML reads 010 as 8: a number that stands for a text would
    protect nothing.
    """
    if not isinstance(value, str):
        raise WrongType(place, "text", value)
    if not value and not may_be_empty:
        raise InvalidOption(place, "must not be empty.")
    for wrong, problem in WRONG_PATTERNS.items():
        if wrong.search(value):
            raise InvalidOption(place, problem)


def _kinds(place: str, value: Any) -> frozenset[str]:
    kinds = value if isinstance(value, list) else [value]
    if not kinds or not all(kinds):
        raise InvalidOption(place, "must not be empty.")
    for kind in kinds:
        if kind not in list(KINDS):
            raise InvalidOption(place, f"unknown kind {kind}.{suggest_or_list(kind, KINDS)}")
    return frozenset(kinds)
