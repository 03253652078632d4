# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts, which aliases and domains are."""

from __future__ import annotations

from typing import Any

from .fields import is_same


def host_form(name: Any) -> str:
    """The form in which aliases and domain names are compared: without case and trailing dot."""
    return str(name or "").lower().rstrip(".")


def is_same_host(this: Any, that: Any) -> bool:
    """Return whether two aliases or domain names are equal."""
    return is_same(host_form(this), host_form(that))
