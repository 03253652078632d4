# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One emulator: the platform with its log, faults and mails, as the control API sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .checks import Checks, Flag, read_fields
from .faults import Faults
from .platform import Platform
from .request_log import DEFAULT_LIMIT, RequestLog
from .seeding import seed
from .store import KINDS, Row, Store
from .switches import Switches

_RESET: Checks = {"seed": Flag(), "keep_switches": Flag()}
_FLAGS = ("isOwner", "production", "verified")


class Emulator:
    def __init__(
        self,
        store: Store,
        switches: Switches,
        owner_email: str,
        owner_token: str,
        log_limit: int = DEFAULT_LIMIT,
    ) -> None:
        self.store = store
        self.switches = switches
        self.platform = Platform(store, switches)
        self.faults = Faults()
        self.log = RequestLog(log_limit)
        self.base_url = ""
        self.initial_seed: Mapping[str, Any] = {}
        with store.transaction():
            self.platform.set_owner(owner_email, owner_token)

    def start_with(self, document: Mapping[str, Any]) -> None:
        """Seed a database that holds nothing yet, and remember the seed for resets that ask for it."""
        self.initial_seed = document
        if not any(self.store.one(f"SELECT 1 FROM {kind}") for kind in ("teams", "projects", "domains")):
            self.seed(document)

    def seed(self, document: Mapping[str, Any]) -> dict[str, list[Row]]:
        return {kind: [_shown(row) for row in rows] for kind, rows in seed(self.platform, document).items()}

    def reset(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Forget all but the owner user; `seed` and `keep_switches` say what else is to be."""
        chosen = read_fields(options, _RESET, "reset")
        self.store.forget()
        self.log.clear()
        self.faults.clear()
        if not chosen.get("keep_switches"):
            self.switches.restore()
        if chosen.get("seed"):
            self.seed(self.initial_seed)
        return self.state()

    def change_switches(self, given: Mapping[str, Any]) -> Switches:
        self.switches.change(given)
        return self.switches

    def restore_switches(self) -> Switches:
        self.switches.restore()
        return self.switches

    def state(self) -> dict[str, list[Row]]:
        """Everything that is stored, but for tokens."""
        return {kind: self._rows(kind, "") for kind in KINDS}

    def overview(self) -> dict[str, Any]:
        """What the page shows: of each kind the newest, and how many there are."""
        counts = {kind: (self.store.one(f"SELECT count(*) AS n FROM {kind}") or {})["n"] for kind in KINDS}
        return {
            "counts": counts,
            "newest": {kind: self._rows(kind, "DESC LIMIT 25") for kind in KINDS},
            "requests": [entry.shortened() for entry in self.log.last(100)],
            "switches": self.switches.described(),
            "faults": self.faults.listed(),
            "outbox": self.outbox(),
        }

    def _rows(self, kind: str, ending: str) -> list[Row]:
        return [_shown(row) for row in self.store.all(f"SELECT * FROM {kind} ORDER BY rowid {ending}")]

    def outbox(self) -> list[dict[str, Any]]:
        """The confirmation mails, one per login request."""
        return [self._mail(login) for login in self.store.all("SELECT * FROM logins ORDER BY number")]

    def _mail(self, login: Row) -> dict[str, Any]:
        link = f"{self.base_url}/_emulator/confirm/{login['confirmationKey']}"
        return {
            "number": login["number"],
            "to": login["email"],
            "subject": f"Confirm your login ({login['tokenName']})",
            "text": f"A login was requested for {login['tokenName']}. Its security code is {login['securityCode']}."
            f" If the code is the one that you were shown, confirm: {link}",
            "link": link,
            "clicked": bool(login["clicked"]),
        }

    def confirm(self, key: str) -> bool:
        """The link of a mail was opened."""
        known = self.store.one("SELECT 1 FROM logins WHERE confirmationKey = ?", (key,)) is not None
        if known:
            self.store.run("UPDATE logins SET clicked = 1 WHERE confirmationKey = ?", (key,))
        return known


def _shown(row: Row) -> Row:
    return {column: bool(value) if column in _FLAGS else value for column, value in row.items()}
