# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Request bodies, read within a memory limit."""

from starlette.requests import Request

from ..errors import Refusal

MIB = 1024 * 1024
API_LIMIT = MIB
CONTROL_LIMIT = 64 * MIB
"""Enough for a seed of some hundred thousand objects."""


async def body_of(request: Request, limit: int) -> bytes | None:
    """The body; none if it is too large. Its rest is then read and discarded, so that the client
    sees the answer.
    """
    if int(request.headers.get("content-length") or 0) > limit:
        return None
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            return None
    return bytes(content)


def too_large(limit: int) -> Refusal:
    return Refusal(f"The request body is larger than {limit} bytes, which is the most", 413)
