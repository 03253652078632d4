# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bodies of answers, read and decoded piece by piece, so that no step exceeds the total limit."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from http.client import HTTPException, IncompleteRead
from typing import TYPE_CHECKING, Any

from .exchange import MIB, OutOfBounds

if TYPE_CHECKING:
    import requests

BODY_LIMIT = 32 * MIB
ERROR_BODY_LIMIT = 64 * 1024
VALUES_LIMIT = 1_000_000
# The results, callbacks and caches of ansible-core 2.16 to 2.22 support 200 levels, and a result adds a dozen of its
# own.
DEPTH_LIMIT = 64
# The approximate memory use of a parsed body: per value, however small, and per character of non-ASCII text.
BYTES_OF_A_VALUE = 256
BYTES_OF_A_CHARACTER = 4
PIECE = 64 * 1024
CONTAINERS = (dict, list)
GZIP = ("gzip", "x-gzip")


class Undecodable(HTTPException):
    """A body that does not match its Content-Encoding, or has one that was not requested."""


def content_of(response: requests.Response, *, is_success: bool) -> bytes:
    """The decoded body. Raises OutOfBounds if it exceeds the limit, or has too many values to parse.

    Of a refusal, whose status is enough, the beginning as far as it can be decoded.
    """
    found = bytearray()
    try:
        for piece in _pieces(response, BODY_LIMIT if is_success else ERROR_BODY_LIMIT):
            found += piece
    except (OutOfBounds, Undecodable):
        if is_success:
            raise
    if found.count(b",") > VALUES_LIMIT:
        raise OutOfBounds(f"the answer contains more than {VALUES_LIMIT:,} values")
    return bytes(found)


def memory_of(body: bytes) -> int:
    """The approximate memory use of a body's values, in bytes."""
    is_plain = body.isascii() and rb"\u" not in body
    return len(body) * (1 if is_plain else BYTES_OF_A_CHARACTER) + body.count(b",") * BYTES_OF_A_VALUE


def check_depth(value: Any) -> None:
    """Raises OutOfBounds if a parsed body is nested more deeply than a result of Ansible may be."""
    level = [value] if isinstance(value, CONTAINERS) else []
    for _depth in range(DEPTH_LIMIT):
        if not level:
            return
        parts = (outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [inner for inner in itertools.chain.from_iterable(parts) if isinstance(inner, CONTAINERS)]
    raise too_deep()


def too_deep() -> OutOfBounds:
    return OutOfBounds(f"the answer is nested deeper than {DEPTH_LIMIT} levels")


def _pieces(response: requests.Response, limit: int) -> Iterator[bytes]:
    encoding, left = response.headers.get("Content-Encoding") or "", limit
    name = encoding.strip().lower()
    gzip = _Gzip() if name in GZIP else None
    while not response.raw.isclosed():
        piece = response.raw.read(PIECE, decode_content=False)
        if piece and name not in ("", "identity", *GZIP):
            raise Undecodable(f"the body has a Content-Encoding that was not asked for ({encoding[:60]})")
        decoded = gzip.decode(piece, left + 1) if gzip else piece
        yield decoded[:left]
        left -= len(decoded)
        if left < 0:
            raise OutOfBounds(f"the answer's body is longer than {limit // MIB} MiB")
    if gzip:
        gzip.decode(b"", 0)
    if response.raw.length_remaining:  # urllib3 2 detects this itself, 1.26 does not
        raise IncompleteRead(b"", response.raw.length_remaining)


class _Gzip:
    """One or more members of gzip, the only encoding requested: two nested encodings could unpack to any size."""

    def __init__(self) -> None:
        self._member: Any = None

    def decode(self, data: bytes, most: int) -> bytes:
        found = bytearray()
        try:
            if not data and self._member and not self._member.eof:
                raise Undecodable("the body is shorter than its Content-Encoding says")
            while data and len(found) < most:
                if self._member is None or self._member.eof:
                    self._member = zlib.decompressobj(16 + zlib.MAX_WBITS)
                found += self._member.decompress(data, most - len(found))
                data = self._member.unused_data or self._member.unconsumed_tail
        except zlib.error:
            raise Undecodable("the body does not fit its Content-Encoding") from None
        return bytes(found)
