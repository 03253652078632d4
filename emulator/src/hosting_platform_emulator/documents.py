# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON and YAML documents, from requests and from files."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from .checks import DEEPEST, parse_json
from .errors import Refusal

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_YAML_TYPES = frozenset({"application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"})


@cache
def openapi_document() -> dict[str, Any]:
    """The OpenAPI description next to this file."""
    text = files(__package__).joinpath("openapi.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, _LOADER))


def document(content: bytes, media_type: str) -> Mapping[str, Any]:
    """The object in a request's body; an empty one if there is no body."""
    if media_type.partition(";")[0].strip().lower() in _YAML_TYPES:
        return _object(_parse_yaml(content))
    return _object(parse_json(content) if content else {})


def document_of(file: Path) -> Mapping[str, Any]:
    """The object in a file: JSON by its suffix, else YAML."""
    content = file.read_bytes()
    try:
        return _object(parse_json(content) if file.suffix == ".json" else _parse_yaml(content))
    except Refusal as refusal:
        raise Refusal(f"{file}: {refusal.message}") from refusal


def require_known(whole: str, given: Iterable[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise Refusal(f"{whole} has no `{name}`; it has: {', '.join(known)}")


def objects(part: str, given: object) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise Refusal(f"{part} must be a list of objects")
    return given


def _parse_yaml(content: bytes) -> object:
    try:
        text = content.decode()
        _require_tree(text)
        parsed = yaml.load(text, _LOADER)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Refusal(f"The YAML is invalid: {error}") from error
    return {} if parsed is None else parsed


def _require_tree(text: str) -> None:
    """Refuse aliases, which repeat a whole branch in a few characters, and deep nesting, which
    takes quadratic time.
    """
    depth = 0
    for event in yaml.parse(text, _LOADER):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError(f"aliases (*{event.anchor}) are not taken here")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        if depth > DEEPEST:
            raise ValueError(f"it is nested deeper than {DEEPEST} levels")


def _object(parsed: object) -> Mapping[str, Any]:
    if not isinstance(parsed, dict):
        raise Refusal("The document is invalid: it must be an object")
    return parsed
