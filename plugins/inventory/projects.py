# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: projects
short_description: Projects of the platform as hosts of an inventory
version_added: 1.0.0
description:
  - Every project is a host. Its fields are variables of the host, such as C(hosting_id),
    C(hosting_name), C(hosting_team_id), C(hosting_framework) and C(hosting_created_at). They
    include all fields that M(hosting.platform.project_info) returns. A field that is not set is
    V(null), or an empty string if the service returns that.
  - The variable C(hosting_team) is the slug of the project's team. It is empty in the own scope of
    the token's user.
  - A host has the name of its project. If projects of different teams have the same name, or if the
    name stands for the control node or for all hosts, such as C(localhost), C(127.0.0.1) or C(all),
    the slug of the team is appended (C(web.acme)), or its id if the slug is not known. If two
    projects of one team have the same name, the source fails and names both.
  - Host names are safe as command arguments and host patterns. They contain ASCII letters, digits,
    hyphens, underscores and dots, and visible characters beyond ASCII. They begin with neither a
    hyphen nor a dot. Any other character of the project's name is replaced by its bytes in
    hexadecimal, so that C(my shop) becomes the host C(my=20shop), and C(-v) becomes C(=2Dv).
  - If a group, of this or an earlier source, has the name of a project, the id of the project is
    appended (C(web.prj_17)), with a warning.
  - If an earlier source has a host of the same name for another project, the slug of the team is
    appended (C(web.acme)), with a warning. A host that stands for no project, such as one of a file
    with variables, gets the variables of the project as well.
  - Text from the service is never evaluated as a template.
  - If a source has no hosts, a warning says which scopes were read.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.env
  - ansible.builtin.constructed
  - ansible.builtin.inventory_cache
options:
  plugin:
    description:
      - Identifies the file as one for this plugin. The name of the file must end in
        C(hosting_platform.yml) or C(hosting_platform.yaml).
    type: str
    required: true
    choices:
      - hosting.platform.projects
  teams:
    description:
      - The ids or slugs of the teams whose projects to read.
      - The environment variable sets a single team. It is used if the file does not set any.
      - Null and an empty text, such as of a template that came out empty, are refused.
      - By default, the own scope of the token's user and every team that they belong to.
    type: list
    elements: str
    default: []
    env:
      - name: HOSTING_PLATFORM_TEAM
  include_domains:
    description:
      - Whether to read the domains of each project as well. The variable C(hosting_domains) is a
        list of them, with the fields that M(hosting.platform.project_domain_info) returns.
      - This takes one request for each project.
    type: bool
    default: false
notes:
  - The hosts are not machines. Run their tasks with C(connection) set to C(local).
  - The connection options and O(teams) in the file may be templates, with lookups such as
    C(ansible.builtin.env). There are no variables. What a template gives, and the environment
    variables of the options, are never evaluated as templates. Vaulted values are decrypted.
  - The cache of O(cache) contains no token. It is not used for another token, service or choice of
    projects.
  - C(ansible-inventory) marks text of the service in JSON, with the key C(__ansible_unsafe), so
    that it stays data in a list that you keep. YAML and TOML have no such mark, so do not use a
    list in one of these formats as an inventory.
  - C(ansible-inventory) with C(--graph --vars) prints text of the service unchanged.
seealso:
  - module: hosting.platform.project_info
  - module: hosting.platform.project_domain_info
"""

EXAMPLES = r"""
# teams.hosting_platform.yml, with the token in the environment. Only the first line is required.
plugin: hosting.platform.projects

base_url: https://api.example.com

# By default, the projects of the token's user and of all their teams.
teams:
  - acme
  - web-team

# More variables and groups, constructed from the fields.
compose:
  is_old: hosting_updated_at < 1735689600000
  public_names: hosting_domains | map(attribute='alias') | list
groups:
  without_framework: not hosting_framework
keyed_groups:
  - key: hosting_framework
    prefix: framework

# Takes one request for each project, so the result is cached for an hour.
include_domains: true
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: .cache/inventory
cache_timeout: 3600
"""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.inventory.group import to_safe_group_name
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ..module_utils._api.connection import Connection, connection_options
from ..module_utils._errors import PlatformError
from ..module_utils._model.fields import Values
from ..module_utils._text import escape_line
from ..module_utils._version import VERSION
from ..plugin_utils.files._templates import as_data
from ..plugin_utils.inventory._host_names import HostNames
from ..plugin_utils.inventory._options import connection_of, teams_of
from ..plugin_utils.inventory._project_hosts import InventoryData, read_inventory

ENDINGS = ("hosting_platform.yml", "hosting_platform.yaml")


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    """The projects of the platform as hosts."""

    NAME = "hosting.platform.projects"

    # Core sets these only when parsing, and mypy would complain at each use.
    inventory: Any
    templar: Any

    def verify_file(self, path: str) -> bool:
        return bool(super().verify_file(path)) and path.endswith(ENDINGS)

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            connection = connection_of(self._config, self.option_definitions)
            teams = teams_of(self._config, self.get_option("teams"))
            reading = self._read_or_load(connection, teams, path, cache)
            for warning in reading.warnings:
                self.display.warning(escape_line(warning))
            self._add_hosts(reading)
        except PlatformError as error:
            raise AnsibleParserError(str(error)) from None

    def set_options(
        self, task_keys: Any = None, var_options: Any = None, direct: Any = None
    ) -> None:
        """Evaluate templates: core passes the file's content, and would take one for a value of the
        option's type.
        """
        self._config = {
            option: self._evaluated(option, value) for option, value in (direct or {}).items()
        }
        super().set_options(task_keys, var_options, self._config)

    def _evaluated(self, option: str, value: Any) -> Any:
        if option not in (*connection_options(), "teams"):
            return value
        try:
            return self.templar.template(value)
        except AnsibleError as error:
            problem = escape_line(" ".join(str(error).split()))
            raise AnsibleParserError(f"{option}: {problem}") from None

    def _add_hosts(self, data: InventoryData) -> None:
        # Groups by the names that core gives them.
        composed = {
            to_safe_group_name(group, force=True, silent=True)
            for group in self.get_option("groups")
        }
        names = HostNames(self.inventory, self.display, composed, data.hosts)
        added: list[str] = []
        for planned_name, variables in data.hosts.items():
            name = names.choose(planned_name, variables)
            self._add(name, as_data(variables))
            added.append(name)
        self._construct(added)
        for name in added:
            self._avoid_groups(name, names)

    def _read_or_load(
        self, connection: Connection, teams: list[str] | None, path: str, may_use_cache: bool
    ) -> InventoryData:
        """The projects, from the cache if it is enabled and holds them."""
        include_domains = self.get_option("include_domains")
        service = [connection.base_url, connection.access_token]
        choice = json.dumps([*service, teams, include_domains, VERSION])
        # Digests do not reveal the token.
        key = f"{self.get_cache_key(path)}_{hashlib.sha256(choice.encode()).hexdigest()[:16]}"
        is_cached = self.get_option("cache")
        if is_cached and may_use_cache:
            # Whatever is wrong with the cache, the service can be read instead.
            with contextlib.suppress(Exception):
                hosts, warnings = json.loads(self._cache[key])
                return InventoryData(dict(hosts), list(warnings))
        data = read_inventory(connection, self.display, teams, include_domains=include_domains)
        if is_cached:
            # As one string, which any cache treats as text and nothing else.
            self._cache[key] = json.dumps(data)
            # Immediately: later, core would compare it with the previous content, which it may be
            # unable to decrypt.
            self.set_cache_plugin()
        return data

    def _add(self, name: str, variables: Values) -> None:
        """Add a host with its variables: by name, core could set them on a group."""
        self.inventory.add_host(name)
        self.inventory.get_host(name).vars.update(variables)

    def _avoid_groups(self, name: str, names: HostNames) -> None:
        """Rename a host whose name a keyed group has got, keeping its groups."""
        host = self.inventory.get_host(name)
        unique = names.avoid_groups(name, host.vars)
        if unique == name:
            return
        groups = [
            group for group, members in self.inventory.groups.items() if name in members.host_names
        ]
        self.inventory.remove_host(host)
        self._add(unique, host.vars)
        for group in groups:
            self.inventory.add_host(unique, group)

    def _construct(self, names: Sequence[str]) -> None:
        """Add the user's variables and groups. Keyed groups come last: one may get the name of a
        host.
        """
        strict = self.get_option("strict")
        for name in names:
            variables = self.inventory.get_host(name).get_vars()
            self._set_composite_vars(self.get_option("compose"), variables, name, strict)
            self._add_host_to_composed_groups(self.get_option("groups"), {}, name, strict)
        for name in names:
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), {}, name, strict)
