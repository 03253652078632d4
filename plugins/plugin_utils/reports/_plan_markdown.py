# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result as Markdown for a comment on GitHub, GitLab and the like, of limited length.

Untrusted text has no effect in it: all of it is in one block of code, whose lines, which we begin,
cannot end it. The platform's address, which is the user's own, is in a code span.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ._guards_line import guards_line
from ._plan_text import (
    LONGEST_VALUE,
    Line,
    fitting,
    long_cascade,
    parts_of_change,
    undeclared_label,
)
from ._quoting import Row
from ._result_view import UNDECLARED, ResultView

# The most characters of all, of the line that says what is left out, and of a part of a line.
MARKDOWN_LIMIT = 65_000
TRUNCATION_LIMIT = 500
LONGEST_PART = 5_000
# A block of code does not break its lines.
BLOCK_OF_A_WARNING = textwrap.TextWrapper(
    width=104,
    initial_indent="! ",
    subsequent_indent="!   ",
    break_long_words=False,
    break_on_hyphens=False,
)


def markdown(view: ResultView) -> str:
    """The result as Markdown; creations are left out first."""
    begin = "\n\n".join([*_head(view), "```diff\n"])
    about = "".join(f"# {line}\n" for line in _facts(view) if line)
    reasons, left_out = fitting(_reasons(view), MARKDOWN_LIMIT // 4, len)
    block = "".join([begin, *reasons, about])
    title = f"{_title(view)}\n"
    room = MARKDOWN_LIMIT - TRUNCATION_LIMIT - len(title) - len(block)
    changes, more = fitting(_what(view), room, len)
    left_out.update({view.word(change).lower(): count for change, count in more.items()})
    words = ", ".join(f"{count:,} {word}" for word, count in left_out.items())
    cut = f"**Truncated to {MARKDOWN_LIMIT:,} characters. Omitted: {words}.**\n" if words else ""
    return f"{title}{cut}\n{block}{''.join(changes)}```\n"


def _title(view: ResultView) -> str:
    """The first line, which names the platform."""
    if not view.base_url:
        return f"## {view.title}"
    address = view.base_url.replace("`", "%60")
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
    yield from view.notes


def _reasons(view: ResultView) -> Iterator[Line]:
    for cause in view.failure_lines:
        yield "reasons", f"! {_cut(cause)}\n"
    for warning in view.warnings:
        text = _cut(f"Warning: {warning}")
        yield "warnings", f"{BLOCK_OF_A_WARNING.fill(text)}\n"


def _what(view: ResultView) -> Iterator[Line]:
    for row in view.pending:
        yield row["action"], _change_lines(row)
    for undeclared in view.undeclared:
        yield UNDECLARED, f"# undeclared: {undeclared_label(undeclared)}\n"


def _change_lines(row: Row) -> str:
    parts = [*parts_of_change(row, LONGEST_VALUE), *long_cascade(row)]
    return "\n    · ".join(_cut(part) for part in parts) + "\n"


def _cut(part: str) -> str:
    if len(part) <= LONGEST_PART:
        return part
    return f"{part[:LONGEST_PART]} … (truncated, {len(part):,} characters)"
