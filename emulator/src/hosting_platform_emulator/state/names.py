# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of projects, slugs, aliases and domain names, in the forms in which a service may store
them.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

import idna

_LONGEST_LABEL = 63
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_HOSTS = frozenset({"aliases", "domains"})


@lru_cache(maxsize=10_000)
def ascii_host(host: str) -> str:
    """The ASCII form (IDNA) of a host name, in small letters and without a dot at its end; two are
    equal if it is.
    """
    if host.isascii() and "xn--" not in host.lower():
        return host.lower().rstrip(".")
    return ".".join(_ascii_label(label) for label in _DOTS.split(host)).rstrip(".")


def _ascii_label(label: str) -> str:
    """A label that has no ASCII form stays what it is, in small letters and NFC."""
    if 0 < len(label) <= _LONGEST_LABEL:
        try:
            return idna.encode(label, uts46=True, std3_rules=False, transitional=False).decode()
        except UnicodeError:
            pass
    return unicodedata.normalize("NFC", label).lower()


def _unicode_host(host: str) -> str:
    return ".".join(_unicode_label(label) for label in ascii_host(host).split("."))


def _unicode_label(label: str) -> str:
    try:
        return idna.decode(label) if label.startswith("xn--") else label
    except UnicodeError:
        return label


NAME_FORMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "as_sent": str,
        "lowercase": str.lower,
        "trimmed": str.strip,
        "nfc": partial(unicodedata.normalize, "NFC"),
    }
)
HOST_FORMS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"as_sent": str, "lowercase": str.lower, "idna": ascii_host, "unicode": _unicode_host}
)


def stored_form(switches: Mapping[str, Any], table: str, name: str) -> str:
    """The form in which a name is stored in this table."""
    if table in _HOSTS:
        return HOST_FORMS[switches["host_form"]](name)
    return NAME_FORMS[switches["name_form"]](name)
