# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The site's front page and sidebar, made of the index that antsibull-docs writes."""

from __future__ import annotations

import re
from collections.abc import Mapping

# A list of pages, below its heading; reference pages have another list above, which stays.
GUIDES = re.compile(
    r"^(?P<title>[^\n]+)\n-+\n\n\.\. toctree::\n    :maxdepth: 1\n\n(?P<pages>(?:    docsite/\w+\n)+)", re.MULTILINE
)
REFERENCE = re.compile(
    r"^\.\. toctree::\n    :maxdepth: 1\n    :hidden:\n\n(?P<pages>(?:    \w+_(?P<kind>[a-z]+)\n)+)", re.MULTILINE
)
NO_PAGES = re.compile(r"\.\. toctree::\n    :maxdepth: 1\n\n(?=\S)")
DESCRIPTION = re.compile(r"^\.\. meta::\n  :description: (.+)$", re.MULTILINE)
CAPTIONS = {
    "module": "Modules",
    "filter": "Filters",
    "inventory": "Inventory plugins",
    "lookup": "Lookups",
    "role": "Roles",
}


def front_page(index: str, guides: Mapping[str, str]) -> str:
    """The index with a sentence for each guide, and captions in the sidebar; ``guides`` holds texts by their pages."""
    # antsibull-docs writes the name in capitals.
    index = NO_PAGES.sub("", index.replace("Hosting.Platform", "hosting.platform"))
    return REFERENCE.sub(_reference, GUIDES.sub(lambda found: _section(found, guides), index))


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
