# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result as Markdown for a comment on GitHub, GitLab and the like, of limited length.

Untrusted text has no effect in it: all of it is in one block of code, whose lines, which we begin,
cannot end it. The platform's address, which is the user's own, is in a code span.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

from ._guards_line import guards_line
from ._plan_text import LONGEST_VALUE, long_cascade, parts_of_change, undeclared_label
from ._quoting import Row
from ._result_view import UNDECLARED, ResultView, in_order

# The last of these are left out first where not all fits.
ORDER = ("reasons", "warnings", "delete", "invite", "update", UNDECLARED, "create")
# The most characters of all, of the line that says what is left out, and of a part of a line.
MARKDOWN_LIMIT = 65_000
TRUNCATION_LIMIT = 500
LONGEST_PART = 5_000
# A block of code does not break its lines.
WIDTH = 100

# A line, and a word for what it is about.
Line = tuple[str, str]


def markdown(view: ResultView) -> str:
    """The result as Markdown; creations are left out first."""
    begin = "\n\n".join([*_head(view), "```diff\n"])
    about = "".join(f"# {line}\n" for line in _facts(view) if line)
    reasons, left_out = _fitting(_reasons(view), MARKDOWN_LIMIT // 4)
    title = f"{_title(view)}\n"
    taken = sum(map(len, [title, begin, about, reasons])) + TRUNCATION_LIMIT
    changes, more = _fitting(_what(view), MARKDOWN_LIMIT - taken)
    left_out.update({view.word(change).lower(): count for change, count in more.items()})
    words = ", ".join(f"{count:,} {word}" for word, count in left_out.items())
    cut = f"**Truncated to {MARKDOWN_LIMIT:,} characters. Omitted: {words}.**\n" if words else ""
    return f"{title}{cut}\n{begin}{reasons}{about}{changes}```\n"


def _title(view: ResultView) -> str:
    """The first line, which names the platform."""
    if not view.base_url:
        return f"## {view.title}"
    address = _cut(view.base_url.replace("`", "%60"))
    title = f"{view.title} for" if view.is_check else "Run on"
    return f"## {title} `{address}`"


def _head(view: ResultView) -> Iterator[str]:
    yield f"**{view.outcome}**"
    if view.is_refused:
        yield view.counts
    if view.how_to_apply and not view.is_drift_check:
        yield view.how_to_apply


def _facts(view: ResultView) -> Iterator[str]:
    yield guards_line(view)
    yield f"{view.time}, {'check mode: nothing was changed' if view.is_check else 'run'}"
    yield view.skipped
    yield from view.notes


def _reasons(view: ResultView) -> Iterator[Line]:
    for cause in view.failure_lines:
        yield "reasons", f"! {_cut(cause)}\n"
    for warning in view.warnings:
        yield "warnings", _broken_warning(_cut(warning))


def _what(view: ResultView) -> Iterator[Line]:
    for row in in_order(view.pending):
        yield row["action"], _change_lines(row)
    for undeclared in view.undeclared:
        yield UNDECLARED, f"# undeclared: {undeclared_label(undeclared)}\n"


def _change_lines(row: Row) -> str:
    parts = [*parts_of_change(row, LONGEST_VALUE), *long_cascade(row)]
    return "\n    · ".join(_cut(part) for part in parts) + "\n"


def _fitting(lines: Iterable[Line], room: int) -> tuple[str, Counter[str]]:
    """The lines that fit, in their order, and how many of which do not. Once a line is left out, so
    are those of all later words of ``ORDER``.
    """
    numbered = list(enumerate(lines))
    fitting: dict[int, str] = {}
    left_out = Counter[str]()
    for number, (word, line) in sorted(numbered, key=lambda item: ORDER.index(item[1][0])):
        if len(line) <= room and left_out.keys() <= {word}:
            fitting[number] = line
            room -= len(line)
        else:
            left_out[word] += 1
    return "".join(fitting[number] for number in sorted(fitting)), left_out


def _broken_warning(warning: str) -> str:
    """A warning in lines that need not be scrolled."""
    text = f"Warning: {warning}"
    first, *others = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "".join([f"! {first}\n", *[f"!   {line}\n" for line in others]])


def _cut(part: str) -> str:
    if len(part) <= LONGEST_PART:
        return part
    return f"{part[:LONGEST_PART]} … (truncated, {len(part):,} characters)"
