# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Host names: aliases and domains, which may be written in several ways."""

from __future__ import annotations

import contextlib
import fnmatch
import functools
from typing import Any

from .fields import is_same

with contextlib.suppress(ImportError):  # a dependency of requests; without that, a run ends before it reads a name
    import idna

ENCODED = "xn--"
# The maximum length of a DNS label.
LONGEST_LABEL = 63
# The size of the cache of forms.
REMEMBERED = 1 << 15


def is_same_host(this: Any, that: Any) -> bool:
    """Return whether two aliases or domain names are equal, ignoring case, a trailing dot and the encoding."""
    return is_same(host_form(this), host_form(that))


def host_form(name: Any) -> str:
    """The canonical form of an alias or domain name: in ASCII, as in DNS.

    Never raises: an invalid host name has a form too.
    """
    return _form(str(name or ""))


@functools.lru_cache(maxsize=REMEMBERED)
def _form(name: str) -> str:
    """Cached, as a plan with many deletions needs the form of each alias once per deletion."""
    text = name.lower()
    if not text.isascii():
        text = ".".join(map(_label, _mapped(text).split(".")))
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def matches_host(name: Any, pattern: str) -> bool:
    """Return whether an alias or domain name matches a pattern of fnmatch, in ASCII or in Unicode.

    A label with a wildcard cannot be encoded, so ``b*cher.de`` is tried both ways.
    """
    return any(fnmatch.fnmatchcase(form(name), form(pattern)) for form in (host_form, _readable))


def _readable(name: Any) -> str:
    """The name in Unicode, as far as it can be decoded."""
    text = _mapped(str(name or "").lower())
    return ".".join(map(_decoded, text[:-1].split(".") if text.endswith(".") else text.split(".")))


def _decoded(label: str) -> str:
    if not label.startswith(ENCODED) or not label.isascii() or len(label) > LONGEST_LABEL:
        return label
    try:
        return label[len(ENCODED) :].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _mapped(name: str) -> str:
    """The name with characters that Unicode treats as equivalent unified, full stops included (UTS 46)."""
    try:
        mapped = idna.uts46_remap(name, std3_rules=False, transitional=False)
    except (idna.IDNAError, ValueError):
        return name
    return mapped if mapped.strip(".") else name  # an invisible name is not a host, and yet differs from an empty one


def _label(label: str) -> str:
    """A label as A-label, even with characters that registries refuse today, such as an emoji."""
    if label.isascii():
        return label
    try:
        return idna.alabel(label).decode("ascii")
    except (idna.IDNAError, ValueError):
        return ENCODED + label.encode("punycode", "surrogatepass").decode("ascii")
