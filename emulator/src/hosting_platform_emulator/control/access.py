# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the control API, which requires no token: open to programs on this machine, not to
foreign web pages.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address

from starlette.datastructures import Headers

from ..errors import Refusal

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]/@]+)(:\d+)?")
_OF_THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
_EVERY_ADDRESS = ("0.0.0.0", "[::]")


class Access:
    """The host names that reach this emulator.

    A foreign page can attack it in two ways: its script sends requests, which carry its origin, or
    its own name is made to resolve here (DNS rebinding), which shows in the Host header. An IP
    address cannot be rebound.
    """

    def __init__(self, host: str, others: Iterable[str] = ()) -> None:
        listens_on = f"[{host}]" if ":" in host else host
        self._names = {_fold(name) for name in (*_OF_THIS_MACHINE, listens_on, *others)}
        self._by_any_address = listens_on in _EVERY_ADDRESS

    def require(self, headers: Headers) -> None:
        host = ", ".join(headers.getlist("host"))
        if not self._is_own(host):
            raise Refusal(
                f"The header Host is {host!r}, and control requests are taken for"
                f" {', '.join(sorted(self._names))}."
                " If the emulator is reached by another name, start it with --allow-host",
                403,
            )
        for origin in headers.getlist("origin"):
            if origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
                raise Refusal(
                    f"The header Origin is {origin!r}:"
                    " control requests are for no page of elsewhere",
                    403,
                )

    def _is_own(self, host: str) -> bool:
        parts = _HOST.fullmatch(host)
        if not parts:
            return False
        return _fold(parts[1]) in self._names or (self._by_any_address and _is_address(parts[1]))


def _fold(name: str) -> str:
    return name.lower().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
