# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as people read it, in a terminal and as Markdown: a line per change, with all that it sends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from ..module_utils._model.kinds.registry import KINDS, format_counts
from ..module_utils._text import escape_line, join_some
from ._result_view import STATES, UNDECLARED, ResultView, Row, change_of, value_as_text

LINES_OF_A_RUN = 100
LONGEST_VALUE = 2_000
LONGEST_VALUE_OF_A_RUN = 80
LONGEST_NAME = 300
# The most objects along that stand in the line of their deletion.
MOST_IN_LINE = 3
PLAIN_NAME = re.compile("[A-Za-z0-9._@:-]+")
PLAIN_VALUE = re.compile("[A-Za-z0-9._@:/-]+")
INDENT, ARROW = "    ", " -> "
SIGNS = {"create": "+", "update": "~", "move": "~", "invite": "+", "delete": "-"}
# What cannot be taken back stands last in a terminal, where people look, and first in Markdown, whose end may be cut.
IRREVERSIBLE = ("move", "invite", "delete")
MARKDOWN_ORDER = ("delete", "move", "invite", "update", UNDECLARED, "create")

# The most characters of Markdown, of its first line, and of a part of a line in it.
MARKDOWN_LIMIT = 65_000
FIRST_LINE_LIMIT = 500
LONGEST_PART = 5_000

# Pieces of text, each with its role: a sign, ``BOLD``, or ``""``.
Part = list[tuple[str, str]]
BOLD = "bold"


class Style(NamedTuple):
    """How a terminal shows lines: ``paint`` colors a text by its role, and lines longer than ``width`` are continued,
    indented; 0 is any width.
    """

    paint: Callable[[str, str], str] = lambda text, _role: text
    width: int = 0

    def line(self, parts: Iterable[Part], separator: str = "  ", indent: str = INDENT) -> str:
        line, length = "", 0
        for part in parts:
            size = sum(len(text) for text, _role in part)
            if line and self.width and length + size + len(separator.rstrip()) + len(separator) > self.width:
                line, length = f"{line}{separator.rstrip()}\n{indent}", len(indent)
            elif line:
                line, length = f"{line}{separator}", length + len(separator)
            for text, role in part:
                if text == ARROW and self.width and size > self.width - len(indent):
                    line, length, text = f"{line}\n{indent * 2}", len(indent) * 2, text.lstrip()
                line += self.paint(text, role) if role else text
                length += len(text)
        return line

    def sentence(self, text: str, role: str = "") -> str:
        lines = wrap(text, self.width, subsequent_indent=INDENT, break_long_words=False) if self.width else [text]
        return "\n".join(self.paint(line, role) if role else line for line in lines)

    def names(self, title: str, names: Sequence[str], end: str = "", role: str = "", indent: str = "") -> str:
        """A line that lists all names."""
        texts = [*names[:-1], f"{names[-1]}{end}"]
        first: Part = [(f"{indent}{title} ", ""), (texts[0], role)]
        return self.line([first, *([(text, role)] for text in texts[1:])], ", ", indent + INDENT)


UNSTYLED = Style()


def plan_text(report: ResultView, style: Style = UNSTYLED, *, is_whole: bool = False) -> str:
    """The plan for a terminal. A run shows the first of many lines, unless ``is_whole``."""
    lines = [*_lines(report, style, is_whole or report.is_check), style.sentence(report.counts, BOLD), report.own_scope]
    return "\n".join(filter(None, [*lines, *_how_to_apply(report, style)]))


def end_text(report: ResultView, messages: Sequence[str], style: Style = UNSTYLED, *, is_plan_shown: bool) -> str:
    """The end of a task for a terminal: the plan, if it was not shown yet, the messages and the outcome."""
    outcome = style.sentence(report.outcome, BOLD)
    lines = [] if is_plan_shown or not report.has_plan else list(_lines(report, style, report.is_check))
    if report.is_check and not report.is_failed:
        how_to_apply = _how_to_apply(report, style)
        lines += [*messages, *([outcome, report.own_scope] if how_to_apply else [report.own_scope, outcome])]
        lines += how_to_apply
    elif lines and report.pending:
        lines += [style.sentence(report.counts, BOLD), report.own_scope, *messages, outcome]
    else:
        lines += ["" if is_plan_shown else report.own_scope, *messages, outcome]
    return "\n".join(filter(None, lines))


def _how_to_apply(report: ResultView, style: Style) -> list[str]:
    return [style.sentence(report.how_to_apply)] if report.is_applicable else []


def markdown(report: ResultView) -> str:
    """The result for a comment on GitHub, GitLab and the like, of limited length.

    Untrusted text has no effect in it: all of it is in one block of code, whose lines, which we begin, cannot end it.
    """
    begin = "\n\n".join([*_head(report), "```diff\n"])
    why = [("reasons", f"! {_cut(cause)}\n") for cause in report.failure_lines]
    why += [("warnings", f"! Warning: {_cut(warning)}\n") for warning in report.warnings]
    what = []
    for row in _in_order(report.pending):
        parts = ["".join(text for text, _role in part) for part in _parts(row, LONGEST_VALUE)]
        parts += [f"and {title} {', '.join(names)}" for title, names in _long_cascades(row)]
        what.append((change_of(row), "\n    · ".join(map(_cut, parts)) + "\n"))
    what += [(UNDECLARED, f"# undeclared: {object_label(undeclared)}\n") for undeclared in report.undeclared]
    what.sort(key=lambda line: MARKDOWN_ORDER.index(line[0]))
    about = "".join(f"# {line}\n" for line in _facts(report))
    reasons, left_out = _fitting(why, MARKDOWN_LIMIT // 4)
    changes, more = _fitting(what, MARKDOWN_LIMIT - FIRST_LINE_LIMIT - len(begin) - len(about) - len(reasons))
    left_out.update({report.word(change).lower(): count for change, count in more.items()})
    words = ", ".join(f"{count:,} {word}" for word, count in left_out.items())
    cut = f"**Truncated to {MARKDOWN_LIMIT:,} characters. Omitted: {words}.**\n\n" if words else ""
    return f"{cut}{begin}{about}{reasons}{changes}```\n"


def _head(report: ResultView) -> Iterator[str]:
    """What has no text of others in it."""
    yield f"## {report.title}"
    yield f"**{report.outcome}**"
    if report.is_refused:
        yield report.counts
    if report.is_applicable:
        yield report.how_to_apply


def _facts(report: ResultView) -> Iterator[str]:
    if report.base_url:
        yield report.base_url
    yield f"{report.time}, {'check mode: nothing was changed' if report.is_check else 'run'}"
    yield from report.notes


def _fitting(lines: Iterable[tuple[str, str]], room: int) -> tuple[str, Counter[str]]:
    """The lines that fit, and how many of which do not."""
    fitting, left_out = [], Counter[str]()
    for word, line in lines:
        if len(line) <= room and not left_out:
            fitting.append(line)
            room -= len(line)
        else:
            left_out[word] += 1
    return "".join(fitting), left_out


def quote(value: Any, longest: int = LONGEST_VALUE, start: int = 0) -> str:
    """A value on one line: in quotes unless it is plain, with what does not print escaped, and cut if long. ``start``:
    the first character that is shown.
    """
    text = value_as_text(value)
    part = text[start : start + longest]
    where = f"characters {start + 1:,} to {start + len(part):,} of " if start else ""
    more = f" (truncated, {where}{len(text):,} characters)" if part != text else ""
    return part if PLAIN_VALUE.fullmatch(part) and not more else f"{_enclose(part)}{more}"


def quote_name(*names: Any) -> str:
    """A name, or that of a team and an object as ``team/name``: in quotes if either needs them."""
    parts = list(map(value_as_text, names))
    text = "/".join(parts)
    is_plain = all(map(PLAIN_NAME.fullmatch, parts)) and len(text) <= LONGEST_NAME
    more = f" (truncated, {len(text):,} characters)" if len(text) > LONGEST_NAME else ""
    return text if is_plain else f"{_enclose(text[:LONGEST_NAME])}{more}"


def _enclose(text: str) -> str:
    return '"' + escape_line(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _cut(part: str) -> str:
    return part if len(part) <= LONGEST_PART else f"{part[:LONGEST_PART]} … (truncated, {len(part):,} characters)"


def _in_order(rows: Iterable[Row]) -> list[Row]:
    """The pending rows by team and kind, the grave ones last."""
    kinds = list(KINDS)

    def sort_key(row: Row) -> tuple[int, str, int]:
        change = change_of(row)
        group = IRREVERSIBLE.index(change) + 1 if change in IRREVERSIBLE else 0
        return group, _team_of(row), kinds.index(row["kind"])

    return sorted(rows, key=sort_key)


def _lines(report: ResultView, style: Style, is_whole: bool) -> Iterator[str]:
    """What stands above the totals."""
    names = list(map(object_label, report.undeclared))
    if names:
        yield style.names("Undeclared:", names if is_whole else [join_some(names)], ".")
    if report.skipped:
        yield style.sentence(report.skipped)
    longest = LONGEST_VALUE if is_whole else LONGEST_VALUE_OF_A_RUN
    changes = [(change_of(row), _change(row, style, longest)) for row in _in_order(report.pending)]
    yield from (text for _change, text in changes) if is_whole else _first(changes)


def _team_of(row: Row) -> str:
    """The team of a row; a team's own slug."""
    return str(row["name"] if row["team"] is None else row["team"])


def _change(row: Row, style: Style, longest: int) -> str:
    """The line of a change, and below it what goes along, where it is much."""
    along = (style.names(f"and {title}", names, role="-", indent=INDENT) for title, names in _long_cascades(row))
    return "\n".join([style.line(_parts(row, longest)), *along])


def _parts(row: Row, longest: int) -> Iterator[Part]:
    """What the line of a change consists of."""
    sign = SIGNS[change_of(row)]
    label = f" {object_label(row)}{' (failed)' if row.get('failed') else ''}"
    yield [(f"{sign}{label}", sign)] if row["action"] == "delete" else [(sign, sign), (label, "")]
    yield from _values_sent(row, longest)
    if 0 < len(row["along"]) <= MOST_IN_LINE:
        yield [("and ", ""), (", ".join(object_label(deleted, _team_of(row)) for deleted in row["along"]), "-")]
    if row["not_compared"]:
        yield [(f"(not compared: {', '.join(map(quote_name, row['not_compared']))})", "")]
    if row["source"]:
        yield [(quote(row["source"], LONGEST_NAME), "")]


def _long_cascades(row: Row) -> Iterator[tuple[str, list[str]]]:
    """What goes along, where it is more than fits into the line: of each kind the number and all names."""
    if len(row["along"]) > MOST_IN_LINE:
        for kind in KINDS:
            names = [_object_name(deleted, _team_of(row)) for deleted in row["along"] if deleted["kind"] == kind]
            if names:
                yield f"{format_counts({kind: len(names)})}:", names


def object_label(row: Row, same_team: str | None = None) -> str:
    """``project acme/shop``; ``project shop`` in the own scope, and ``same_team`` others of its team."""
    return f"{KINDS[row['kind']].display_name()} {_object_name(row, same_team)}"


def _object_name(row: Row, among: str | None) -> str:
    return quote_name(*([row["team"]] if row["team"] and row["team"] != among else []), row["name"])


def _values_sent(row: Row, longest: int) -> Iterator[Part]:
    """What is sent: the values of a creation, and of a change the old ones, too. A deletion sends nothing."""
    before, after = row["diff"]["before"], row["diff"]["after"]
    is_update = row["action"] == "update"
    name_field = KINDS[row["kind"]].name_field
    for field, value in after.items():
        if is_update and field in (name_field, "team"):
            verb = "moved" if field == "team" else "renamed"
            old = quote_name(before.get(field))
            yield [(f"{verb} from {old}", "")]
        elif field != name_field:
            start = _first_difference(before.get(field), value, longest) if is_update else 0
            old_value: Part = [(quote(before.get(field), longest, start), "-"), (ARROW, "")] if is_update else []
            yield [(f"{quote_name(field)}: ", ""), *old_value, (quote(value, longest, start), "+")]


def _first_difference(before: Any, after: Any, longest: int) -> int:
    """The first character to show of two values that are cut: a little before they differ, if that is late."""
    texts = [value_as_text(before), value_as_text(after)]
    same = next((index for index, (old, new) in enumerate(zip(*texts)) if old != new), min(map(len, texts)))
    context = longest // 4
    return same - context if max(map(len, texts)) > longest and same > longest - context else 0


def _first(lines: Sequence[tuple[str, str]]) -> list[str]:
    """As many as a run shows, the grave ones before others, and how many more of what."""
    irreversible = [line for line in lines if line[0] in IRREVERSIBLE]
    others = [line for line in lines if line[0] not in IRREVERSIBLE]
    most = max(LINES_OF_A_RUN - len(irreversible), 0)
    cut = Counter(STATES[change][0].lower() for change, _text in (*others[most:], *irreversible[LINES_OF_A_RUN:]))
    more = ", ".join(f"{count:,} more {words}" for words, count in cut.items())
    shown = [*others[:most], *([("", f"... and {more}")] if cut else []), *irreversible[:LINES_OF_A_RUN]]
    return [text for _change, text in shown]
