# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains (§4)."""

from __future__ import annotations

from ...description import DOMAINS_WITHOUT_LIMIT
from ...state.resources import remove_domain
from ..call import Answer, Call
from ..operation import operation


@operation("GET /domains")
def list_domains(call: Call) -> Answer:
    return call.listed("domains", call.reach(), newest=DOMAINS_WITHOUT_LIMIT)


@operation("DELETE /domains/{domain}")
def delete_domain(call: Call) -> Answer:
    domain = call.find_to_change("domains", ("name",), call.path["domain"])
    remove_domain(call.platform, domain)
    return Answer(204)
