# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_directory
short_description: A directory of files as one blueprint
version_added: 1.0.0
description:
  - Merges the files of a directory, on the controller, into what M(hosting.platform.blueprint) takes.
  - A kind's entries stand in C(projects.yml), in any number of files C(projects/*.yml), or in both, and likewise for
    C(teams), C(team_members), C(aliases) and C(domains). C(.yaml) will do as well.
  - A file holds a list of entries, or a dictionary with its kind as the only key.
  - Files are variable files of Ansible. They may be vaulted or hold vaulted values, and templates in them are resolved,
    except in text with the tag C(!unsafe).
  - Every entry is checked. Whatever is wrong with it is said with the name of its file, and a duplicate with both.
  - C(README) files and those whose names begin with a dot are left alone. Any other name is an error.
author:
  - hosting.platform contributors (@hosting-platform)
options:
  _terms:
    description:
      - The directories, each of which becomes one blueprint.
      - A relative path begins where C(ansible-playbook) was started.
    type: list
    elements: path
    required: true
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_yaml
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Converge the platform
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
"""

RETURN = r"""
_raw:
  description: One blueprint for each directory.
  type: list
  elements: dict
  sample:
    - teams:
        - {slug: acme, name: Acme}
      projects:
        - {name: web, team: acme, framework: nextjs}
"""

import typing as t
from pathlib import Path

import ansible.template
from ansible.errors import AnsibleError, AnsibleLookupError
from ansible.plugins.lookup import LookupBase
from ansible.utils.path import unfrackpath

from ansible_collections.hosting.platform.plugins.module_utils._blueprint._entries import (
    KINDS,
    BlueprintError,
    nearest,
    read_entries,
)
from ansible_collections.hosting.platform.plugins.module_utils._client.api import Api
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import Platform

SUFFIXES = (".yml", ".yaml")
# Afresh, and with templates. From ansible-core 2.19 on only trusted text is one; before, all that is not unsafe.
LOADING: dict[str, t.Any] = {"cache": False}
if hasattr(ansible.template, "trust_as_template"):
    LOADING["trusted_as_template"] = True
# Checking an entry asks nobody.
NOBODY = Platform(t.cast(Api, None))
DEFAULT_TEAM = "the team that the task names"


class LookupModule(LookupBase):
    _loader: t.Any
    _templar: t.Any

    def run(self, terms: list[str], variables: t.Any = None, **kwargs: t.Any) -> list[dict[str, list[t.Any]]]:
        self.set_options(var_options=variables, direct=kwargs)  # type: ignore[no-untyped-call]
        return [self._blueprint(Path(unfrackpath(term))) for term in terms]

    def _blueprint(self, directory: Path) -> dict[str, list[t.Any]]:
        """Raises AnsibleLookupError, which names the file of everything wrong."""
        blueprint: dict[str, list[t.Any]] = {}
        places: dict[str, list[str]] = {}
        for kind, file in _files(directory):
            entries = self._entries(kind, file)
            blueprint.setdefault(kind, []).extend(entries)
            name = file.relative_to(directory)
            places.setdefault(kind, []).extend(f"{name}[{index}]" for index in range(len(entries)))
        try:
            read_entries(NOBODY, blueprint, DEFAULT_TEAM, lambda kind, index: places[kind][index])
        except BlueprintError as error:
            raise AnsibleLookupError(f"{directory}: {error}") from None
        return blueprint

    def _entries(self, kind: str, file: Path) -> list[t.Any]:
        try:
            content = self._templar.template(self._loader.load_from_file(str(file), **LOADING))
        except AnsibleError as error:
            raise AnsibleLookupError(f"{file}: {error}") from None
        if isinstance(content, dict):
            for key in content:
                if key != kind:
                    raise AnsibleLookupError(f"{file}: it holds {key}, and by its name may hold {kind} only.")
            content = content[kind] if content else []
        if not isinstance(content or [], list):
            raise AnsibleLookupError(f"{file}: it must hold a list of entries.")
        return [_with_texts(entry) for entry in content or []]


def _files(directory: Path) -> list[tuple[str, Path]]:
    """The files with their kinds, those of a folder after the one beside it."""
    if not directory.is_dir():
        raise AnsibleLookupError(f"{directory} is not there, or is no directory.")
    found = []
    for path in sorted(_listed(directory), key=lambda path: (path.stem, path.is_dir(), path.name)):
        kind = path.name if path.is_dir() else path.stem
        if kind not in KINDS:
            raise AnsibleLookupError(f"{path}: {kind} is no kind of entry.{nearest(kind, KINDS)}")
        found += [(kind, file) for file in (sorted(_listed(path)) if path.is_dir() else [path])]
    for _kind, file in found:
        if file.is_dir() or file.suffix not in SUFFIXES:
            raise AnsibleLookupError(f"{file}: only files ending in {' or '.join(SUFFIXES)} are expected there.")
    if not found:
        raise AnsibleLookupError(f"{directory} holds no files of a blueprint, such as projects.yml.")
    return found


def _listed(directory: Path) -> list[Path]:
    return [path for path in directory.iterdir() if not path.name.startswith(".") and path.stem != "README"]


def _with_texts(value: t.Any) -> t.Any:
    """The value with its vaulted texts as texts, which before ansible-core 2.19 they are not by themselves."""
    if isinstance(value, dict):
        return {key: _with_texts(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_texts(part) for part in value]
    return str(value) if getattr(value, "__ENCRYPTED__", False) else value
