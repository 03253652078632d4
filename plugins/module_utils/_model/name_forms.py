# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts, emails and all else: the form in which names are compared, what a service might
take for the same, and what is wrong with one.

``normalize_host`` and ``normalize_email`` return the form in which names of their kind are
compared. All other names compare exactly. ``look_alike`` ignores what a service might ignore: it
serves warnings and refusals only.

``host_problem``, ``host_pattern_problem`` and ``email_problem`` return what is wrong with a text,
``""`` if nothing is: one rule for options, entries, selectors, editors and what a service holds.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Any

from .._text import IGNORABLE
from .fields import is_same

try:
    import idna
except ImportError:
    HAS_IDNA = False
else:
    HAS_IDNA = True

# What separates labels: the dot, and those that UTS 46 takes for one.
DOTS = r".\u3002\uff0e\uff61"
# White space and control characters. Spelled out, because Python and editors differ in what \s is.
BLANKS = r"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# What separates a host from the rest of an address. In a pattern, ? is a wildcard.
PATTERN_SEPARATORS = ":/@#"
HOST_SEPARATORS = f"{PATTERN_SEPARATORS}?"
ASCII_PREFIX = "xn--"
# The length of a label in DNS.
LONGEST_LABEL = 63
# More names than a run of ten thousand entries compares.
CACHED_NAMES = 2**16


def normalize_host(name: Any) -> str:
    """The form in which hosts are compared: ASCII (IDNA), without case and trailing dot."""
    return _ascii_host(str(name or ""))


def is_same_host(this: Any, that: Any) -> bool:
    """True if two aliases or domain names are equal."""
    return is_same(normalize_host(this), normalize_host(that))


def host_forms(name: Any) -> tuple[str, ...]:
    """A host's name, or a pattern for one, in the form in which it is compared, and in Unicode."""
    ascii_host = normalize_host(name)
    return ascii_host, _unicode_host(ascii_host)


def normalize_email(name: Any) -> str:
    """The form in which emails are compared: without case."""
    return str(name or "").lower()


def look_alike(name: Any) -> str:
    """What a service might take a name for: without case, white space at the ends, Unicode's forms.

    Names with an equal result are look-alikes (Unicode's NFKC_Casefold).
    """
    return _look_alike(str(name))


@functools.lru_cache(maxsize=CACHED_NAMES)
def _look_alike(name: str) -> str:
    text = unicodedata.normalize("NFD", IGNORABLE.sub("", name))
    # The second round folds what the first one has decomposed (section 3.13 of the Unicode
    # Standard, D146).
    for _round in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return text.strip()


@functools.lru_cache(maxsize=CACHED_NAMES)
def _ascii_host(name: str) -> str:
    return ".".join(_ascii_label(label) for label in re.split(f"[{DOTS}]", name)).rstrip(".")


def _ascii_label(label: str) -> str:
    """A label in its ASCII form (UTS 46, non-transitional, without STD3 rules), if it has one."""
    small = unicodedata.normalize("NFC", label.lower())
    # A longer one has none, and costs time that grows with the square of its length.
    if label.isascii() or not HAS_IDNA or len(label) > LONGEST_LABEL:
        return small
    try:
        mapped = idna.uts46_remap(label, std3_rules=False)
    except UnicodeError:
        return small
    if mapped.isascii():
        return mapped or small
    encoded = ASCII_PREFIX + mapped.encode("punycode").decode("ascii")
    return encoded if len(encoded) <= LONGEST_LABEL else small


@functools.lru_cache(maxsize=CACHED_NAMES)
def _unicode_host(ascii_host: str) -> str:
    return ".".join(_unicode_label(label) for label in ascii_host.split("."))


def _unicode_label(label: str) -> str:
    """A label in Unicode, if that is what its ASCII form stands for."""
    if not label.startswith(ASCII_PREFIX) or len(label) > LONGEST_LABEL:
        return label
    try:
        decoded = label[len(ASCII_PREFIX) :].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
    return decoded if _ascii_label(decoded) == label else label


def _host_expression(separators: str) -> str:
    label = f"[^{BLANKS}{separators}{DOTS}]+"
    return f"{label}(?:[{DOTS}]{label})*[{DOTS}]?"


# Regular expressions, to be matched with the whole text, also by the schemas for editors.
HOST = _host_expression(HOST_SEPARATORS)
EMAIL = f"[^{BLANKS}@]+@[^{BLANKS}@]+"


def host_problem(name: str, separators: str = HOST_SEPARATORS) -> str:
    """Names the host that was meant, if exactly one part of the text is a host with a dot."""
    host = _host_expression(separators)
    if re.fullmatch(host, name):
        return ""
    parts = map(str.strip, re.split(f"[{separators}]", name))
    hosts = [part for part in parts if "." in part[:-1] and re.fullmatch(host, part)]
    advice = f" Write {hosts[0]}." if len(hosts) == 1 else ""
    return f"must be a host name.{advice}"


def host_pattern_problem(pattern: str) -> str:
    return host_problem(pattern, PATTERN_SEPARATORS)


def email_problem(email: str) -> str:
    is_email = re.fullmatch(EMAIL, email)
    return "" if is_email else "must be an email address, such as ada@example.com."
