# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Masking the secrets of a run in what it returns: whole, as they are or escaped for a URL or JSON.

Parts of a secret are not looked for: what is masked in text of others would tell them what they
have guessed.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, quote_plus

from .._text import escape_line

# What core writes, up to 2.21, for a text that is a secret, and for one that contains one.
WHOLE = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
PART = "********"
# What can no longer be told from a mask: nothing but eight asterisks, with none beside them.
MASK = re.compile(rf"(?<!\*){re.escape(PART)}(?!\*)|{WHOLE}")
# A shorter secret is masked only where it is the whole value: it may be part of any word.
SHORTEST_PART = 8
PERCENT = re.compile("%..")


def mask(value: Any, secrets: Iterable[Any]) -> Any:
    """The value without the secrets, in keys as well."""
    whole: set[str] = set()
    parts: set[str] = set()
    for secret in secrets:
        encodings = _encodings(str(secret)) if secret else ()
        whole.update(encodings)
        if len(str(secret)) >= SHORTEST_PART:
            parts.update(encodings)
    longest_first = sorted(parts, key=len, reverse=True)

    def mask_part(part: Any) -> Any:
        if isinstance(part, dict):
            return {
                mask_text(key) if isinstance(key, str) else key: mask_part(item)
                for key, item in part.items()
            }
        if isinstance(part, (list, tuple)):
            return [mask_part(item) for item in part]
        if isinstance(part, bool) or not isinstance(part, (str, int, float)):
            return part
        if str(part) in whole:
            return WHOLE
        return mask_text(part) if isinstance(part, str) else part

    # The same keys and words stand in each of a thousand results.
    @functools.cache
    def mask_text(text: str) -> str:
        for encoding in longest_first:
            text = text.replace(encoding, PART)
        return text

    return mask_part(value) if whole else value


# The token is the same in each item of a loop.
@functools.lru_cache(maxsize=4)
def _encodings(secret: str) -> frozenset[str]:
    """A secret as it is, and as messages, a URL and JSON escape it."""
    encodings = {secret, escape_line(secret)}
    for escape, safe in itertools.product((quote, quote_plus), ("", "/")):
        escaped = escape(secret, safe, errors="surrogatepass")
        encodings |= {escaped, PERCENT.sub(lambda found: found[0].lower(), escaped)}
    for is_ascii in (True, False):
        escaped = json.dumps(secret, ensure_ascii=is_ascii)[1:-1]
        encodings |= {escaped, escaped.replace("/", "\\/")}
    return frozenset(encodings)
