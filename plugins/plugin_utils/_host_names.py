# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Safe host names.

A name must not be taken for an option by a command, for more than one host by a pattern, for a path by a file system,
for a template by ansible-core, or for anything but text by a terminal.
"""

from __future__ import annotations

import hashlib
import ipaddress

from ..module_utils._text import printable

MARKS = "-_."
# Host names become file names, which may have up to 255 bytes.
LONGEST = 200
# Core defines these groups in every inventory.
CORE_GROUPS = ("all", "ungrouped")


def host_name(text: str) -> str:
    """The text itself if it is a valid name; else with invalid characters escaped by their bytes (``=2D``).

    No two texts share a name, as the equals sign itself is always escaped.
    """
    name = "".join(character if _may_stand(character) else _by_bytes(character) for character in text)
    if name[:1] in ("-", "."):
        name = _by_bytes(name[0]) + name[1:]
    if len(name.encode()) > LONGEST:
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        name = name.encode()[: LONGEST - 65].decode(errors="ignore") + "=" + digest
    return name


def is_host_name(name: str) -> bool:
    """Return whether this collection could have assigned the name."""
    stands = all(character == "=" or _may_stand(character) for character in name)
    return stands and name[:1] not in ("", "-", ".") and not means_another(name)


def means_another(name: str) -> bool:
    """Return whether the name is that of one of core's groups, or refers to the machine that Ansible runs on."""
    return name in CORE_GROUPS or _is_loopback(name.lower().rstrip("."))


def disguise(name: str) -> str:
    """The name with its last character escaped by its bytes, which no text results in otherwise."""
    return name[:-1] + _by_bytes(name[-1])


def _is_loopback(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _may_stand(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in MARKS
    return printable(character) == character


def _by_bytes(character: str) -> str:
    return "".join(f"={byte:02X}" for byte in character.encode(errors="surrogatepass"))
