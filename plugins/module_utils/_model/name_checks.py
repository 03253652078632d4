# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the name of a host and an email look like: one rule for options, entries, selectors, editors
and what a service holds.

``host_problem``, ``host_pattern_problem`` and ``email_problem`` return what is wrong with a text,
``""`` if nothing is.
"""

from __future__ import annotations

import re

from .name_forms import DOTS

# White space and control characters. Spelled out, because Python and editors differ in what \s is.
BLANKS = r"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# What separates a host from the rest of an address. In a pattern, ? is a wildcard.
PATTERN_SEPARATORS = ":/@#"
HOST_SEPARATORS = f"{PATTERN_SEPARATORS}?"


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
