# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result as one HTML page that loads nothing: every value is escaped, and no script runs but the page's own."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._version import VERSION
from ._outcome import STATES, UNDECLARED, Presentation, Report, Values

FOLDER = Path(__file__).parent
# Initially shown are about two lines of a message, the first three messages, and fifty entries of a state whole.
MESSAGE = 240
MESSAGES = 3
ENTRIES = 50


def page(result: Values, presentation: Presentation) -> str:
    report = Report(result, presentation)
    tiles = {state: report.count(state) for state in STATES}
    rows = [*report.entries, *report.undeclared]
    style, script = ((FOLDER / name).read_text(encoding="utf-8") for name in ("_page.css", "_page.js"))
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("_page.html.j2").render(
        report=report,
        presentation=presentation,
        tiles=tiles,
        counts={state: count for state, count in tiles.items() if state != UNDECLARED},
        kinds={kind: kind.replace("_", " ").capitalize() for kind in KINDS if kind in {row.kind for row in rows}},
        teams=report.by_team(),
        shown_messages=MESSAGES,
        shown_entries=ENTRIES,
        beginning_and_rest=_beginning_and_rest,
        version=VERSION,
        style=Markup(style),  # noqa: S704 (a file of ours)
        script=Markup(script),  # noqa: S704 (a file of ours)
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _beginning_and_rest(message: str) -> tuple[str, str]:
    """The beginning of a long message, and the rest of it."""
    if len(message) <= MESSAGE:
        return message, ""
    end = message.rfind(" ", MESSAGE // 2, MESSAGE)
    end = MESSAGE if end < 0 else end
    return message[:end], message[end:].lstrip()


def _hash(content: str) -> str:
    """The hash in the format of a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
