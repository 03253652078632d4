# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The web pages: the emulator's state, and the answer to a confirmation link."""

import json
import secrets
from importlib.resources import files

from starlette.responses import HTMLResponse

from ..state.switches import SWITCHES

_DEFAULTS = {
    name: {"default": switch.default, "meaning": switch.meaning}
    for name, switch in SWITCHES.items()
}
_TEMPLATE = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
_TEMPLATE = _TEMPLATE.replace("{{switches}}", json.dumps(_DEFAULTS))
_CONFIRMATION = """<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<main><h1>{title}</h1><p>{text}</p></main></html>"""


def overview_page() -> HTMLResponse:
    """A page without external resources; only scripts and styles with this answer's nonce are
    allowed.
    """
    nonce = secrets.token_urlsafe(16)
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src"
        " 'self';"
        " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return HTMLResponse(_TEMPLATE.replace("{{nonce}}", nonce), headers=headers)


def confirmation_page(confirmed: bool) -> HTMLResponse:
    if confirmed:
        return HTMLResponse(
            _CONFIRMATION.format(title="Login confirmed", text="You can close this page.")
        )
    return HTMLResponse(
        _CONFIRMATION.format(title="Unknown link", text="No login waits for this confirmation."),
        404,
    )
