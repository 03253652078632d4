# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The site's front page and sidebar, from the index that antsibull-docs writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

# A list of pages below its heading; reference pages have another list above it, which is kept.
GUIDES = re.compile(
    r"^(?P<title>[^\n]+)\n-+\n\n\.\. toctree::\n    :maxdepth: 1\n\n(?P<pages>(?:    docsite/\w+\n)+)", re.MULTILINE
)
REFERENCE = re.compile(
    r"^\.\. toctree::\n    :maxdepth: 1\n    :hidden:\n\n(?P<pages>(?:    \w+_(?P<kind>[a-z]+)\n)+)", re.MULTILINE
)
# The table of contents and the one line that the front page begins with.
BEGINNING = re.compile(r"\.\. contents::\n   :local:\n   :depth: 1\n\nDescription\n-+\n\n[^\n]+\n")
PITCH = re.compile(
    r"^# hosting\.platform\n\n(?P<what>.+?)\n## Description\n\n(?P<why>.+?)\n### ", re.MULTILINE | re.DOTALL
)
CODE = re.compile(r"`([^`]+)`")
PICTURE = re.compile(r"^!\[(?P<alt>[^\]]+)\]\((?P<address>[^)]+)\)$", re.MULTILINE)
LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<address>[^)]+)\)")
AROUND = re.compile(
    r"^\.\. Communication\n.+?(?P<pages>^\.\. toctree::\n    :maxdepth: 1\n\n    changelog\n\n)",
    re.MULTILINE | re.DOTALL,
)
DESCRIPTION = re.compile(r"^\.\. meta::\n  :description: (.+)$", re.MULTILINE)
CAPTIONS = {
    "module": "Modules",
    "filter": "Filters",
    "inventory": "Inventory plugins",
    "lookup": "Lookups",
    "role": "Roles",
}


def front_page(index: str, guides: Mapping[str, str], readme: str) -> str:
    """The index with the pitch of the README, a sentence for each guide, and captions in the sidebar.

    ``guides`` holds texts by their pages.
    """
    # antsibull-docs writes the name in capitals.
    index = index.replace("Hosting.Platform", "hosting.platform")
    index = _replaced(BEGINNING, lambda _found: _pitch(readme), index)
    index = _replaced(GUIDES, lambda found: _section(found, guides), index)
    return _guides_first(_replaced(REFERENCE, _reference, index))


def _replaced(pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str], text: str) -> str:
    """Replace what the pattern finds. It must find something: a new antsibull-docs may write other pages."""
    text, count = pattern.subn(new, text)
    assert count, f"{pattern.pattern} finds nothing in {text}"
    return text


def _guides_first(index: str) -> str:
    """Move what antsibull-docs puts before the guides, on communication and releases, to the end."""
    found = AROUND.search(index)
    assert found, index
    releases = ":doc:`changelog`\n  See what each release brings.\n\n" + _toctree("Releases", ["changelog"])
    around = found[0].replace(found["pages"], releases).removeprefix(".. Communication\n\n")
    return f"{index.replace(found[0], '').rstrip()}\n\n{around}"


def _pitch(readme: str) -> str:
    """The beginning of the README, as reStructuredText."""
    found = PITCH.search(readme)
    assert found, readme
    text = _replaced(CODE, r"``\1``", f"{found['what']}\n{found['why']}")
    text = _replaced(PICTURE, r".. image:: \g<address>\n  :alt: \g<alt>", text)
    return _replaced(LINK, r"`\g<words> <\g<address>>`__", text)


def _section(found: re.Match[str], guides: Mapping[str, str]) -> str:
    title, pages = found["title"], found["pages"].split()
    heading = f"{title}\n{'-' * len(title)}\n\n"
    return (
        heading + "".join(f":doc:`{page}`\n  {_sentence(guides[page])}\n\n" for page in pages) + _toctree(title, pages)
    )


def _sentence(guide: str) -> str:
    description = DESCRIPTION.search(guide)
    assert description, guide
    return description[1]


def _reference(found: re.Match[str]) -> str:
    kind, pages = found["kind"], found["pages"].split()
    return _toctree(CAPTIONS[kind], [f"{page.removesuffix(f'_{kind}')} <{page}>" for page in pages])


def _toctree(caption: str, entries: list[str]) -> str:
    lines = "".join(f"  {entry}\n" for entry in entries)
    return f".. toctree::\n  :caption: {caption}\n  :hidden:\n\n{lines}"
