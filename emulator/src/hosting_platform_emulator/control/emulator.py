# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One emulator: the platform with its log, faults and mails, as the control API sees it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from ..checks import Checks, Flag, read_fields
from ..documents import objects, openapi_document, require_known
from ..errors import Refusal
from ..serving.fault_plans import read_fault, read_saved_fault
from ..serving.faults import Faults
from ..serving.request_log import DEFAULT_LIMIT, RequestLog
from ..serving.throttling import Throttle
from ..state.platform import Platform
from ..state.store import KINDS, Row, Store, digest
from ..state.switches import Switches
from .seeding import seed
from .snapshots import FORMAT, contents, replace_contents, require_snapshot

_RESET: Checks = {"seed": Flag(), "keep_switches": Flag()}
Document = Mapping[str, Any]
_SEEDED = ("teams", "projects", "domains")
_FLAGS = ("isOwner", "production", "verified")


@dataclass(frozen=True, slots=True)
class Scenario:
    """The initial objects, how the API behaves, and what goes wrong."""

    seeds: tuple[Document, ...] = ()
    switches: Document = field(default_factory=dict)
    faults: tuple[Document, ...] = ()

    @classmethod
    def read(cls, given: Document) -> Self:
        require_known("A scenario", given, ("seed", "switches", "faults"))
        faults = objects("The scenario's `faults`", given.get("faults", []))
        return cls((_part(given, "seed"),), _part(given, "switches"), tuple(faults))


def _part(given: Document, name: str) -> Document:
    part = given.get(name, {})
    if not isinstance(part, dict):
        raise Refusal(f"The scenario's `{name}` must be an object")
    return part


class Emulator:
    def __init__(
        self,
        store: Store,
        switches: Switches,
        owner_email: str,
        owner_token: str,
        *,
        scenario: Scenario | None = None,
        log_limit: int = DEFAULT_LIMIT,
    ) -> None:
        self.store = store
        self.switches = switches
        self.platform = Platform(store, switches)
        self.faults = Faults()
        self.log = RequestLog(log_limit)
        self.throttle = Throttle(switches, self.platform.clock)
        self.base_url = ""
        self._owner_token = owner_token
        self._scenario = scenario or Scenario()
        with store.transaction():
            self.platform.set_owner(owner_email, owner_token)
            if not any(store.one(f"SELECT 1 FROM {kind}") for kind in _SEEDED):
                for document in self._scenario.seeds:
                    seed(self.platform, document)
        self._plan(self._scenario)

    def _plan(self, scenario: Scenario) -> None:
        self.faults.plan(*map(read_fault, scenario.faults))

    def plan(self, given: Document) -> dict[str, Any]:
        fault = read_fault(given)
        self.faults.plan(fault)
        return asdict(fault)

    def seed(self, document: Document) -> dict[str, list[Row]]:
        with self.store.transaction():
            return self._seed(document)

    def _seed(self, document: Document) -> dict[str, list[Row]]:
        seeded = seed(self.platform, document)
        return {kind: [_record(row) for row in rows] for kind, rows in seeded.items()}

    def play(self, document: Document) -> dict[str, Any]:
        """Apply the seed, switches and faults of a scenario; all or nothing."""
        scenario = Scenario.read(document)
        with self._all_or_nothing():
            self.switches.change(scenario.switches)
            (seeded,) = map(self._seed, scenario.seeds)
            self._plan(scenario)
        return {"seed": seeded, "switches": self.switches, "faults": self.faults.list_all()}

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Change switches and stored objects, or neither after a refusal."""
        before = dict(self.switches)
        try:
            with self.store.transaction():
                yield
        except Refusal:
            self.switches.update(before)
            raise

    def reset(self, options: Document) -> dict[str, Any]:
        """Delete everything but the owner user; `seed` and `keep_switches` restore or keep more."""
        chosen = read_fields(options, _RESET, "reset")
        self.store.forget()
        self.log.clear()
        self.faults.clear()
        self.throttle.forget()
        self.platform.clock.reset()
        if not chosen.get("keep_switches"):
            self.switches.restore()
        if chosen.get("seed"):
            for document in self._scenario.seeds:
                self.seed(document)
            self._plan(self._scenario)
        return self.state()

    def snapshot(self) -> dict[str, Any]:
        """The whole state. The token that this emulator was started with is not part of it."""
        return {
            "format": FORMAT,
            "stored": contents(self.store, without_token=digest(self._owner_token)),
            "switches": self.switches,
            "faults": self.faults.list_all(),
            "clock": self.platform.clock.save(),
        }

    def restore(self, given: Document) -> dict[str, Any]:
        """Restore a snapshot; all or nothing."""
        require_snapshot(given)
        with self._all_or_nothing():
            self.switches.restore()
            self.switches.change(given["switches"])
            faults = [read_saved_fault(fault) for fault in given["faults"]]
            replace_contents(self.store, given["stored"])
            self.platform.grant(self.platform.owner(), self._owner_token)
            self.platform.clock.restore(given["clock"])
        self.faults.replace(faults)
        self.throttle.forget()
        return self.state()

    def openapi(self) -> dict[str, Any]:
        """The description of the API, with this emulator's address."""
        return {**openapi_document(), "servers": [{"url": self.base_url}]}

    def state(self) -> dict[str, list[Row]]:
        """Everything stored, except tokens."""
        rows = {kind: self.store.all(f"SELECT * FROM {kind} ORDER BY rowid") for kind in KINDS}
        return {kind: list(map(_record, of_kind)) for kind, of_kind in rows.items()}

    def outbox(self) -> list[dict[str, Any]]:
        """The confirmation mails, one per login request."""
        logins = self.store.all("SELECT * FROM logins ORDER BY number")
        return [self._mail(login) for login in logins]

    def _mail(self, login: Row) -> dict[str, Any]:
        link = f"{self.base_url}/_emulator/confirm/{login['confirmationKey']}"
        return {
            "number": login["number"],
            "to": login["email"],
            "subject": f"Confirm your login ({login['tokenName']})",
            "text": f"A login was requested for {login['tokenName']}."
            f" Its security code is {login['securityCode']}."
            f" If the code is the one that you were shown, confirm: {link}",
            "link": link,
            "clicked": bool(login["clicked"]),
        }

    def confirm(self, key: str) -> bool:
        """Confirm a login by its link; return whether the link is known."""
        confirmed = self.store.all(
            "UPDATE logins SET clicked = 1 WHERE confirmationKey = ? RETURNING number", (key,)
        )
        return bool(confirmed)


def _record(row: Row) -> Row:
    return {column: bool(value) if column in _FLAGS else value for column, value in row.items()}
