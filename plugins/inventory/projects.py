# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: projects
short_description: The platform's projects as an inventory
version_added: 1.0.0
description:
  - Every project is a host, with its fields as variables, such as C(hosting_id), C(hosting_name), C(hosting_team_id),
    C(hosting_framework) and C(hosting_created_at). All fields that M(hosting.platform.project_info) returns are there;
    one that is not set is V(null), unless the service shows it as an empty string.
  - A host is named after its project. Where two projects of different teams share a name, or a project is called
    C(all), C(ungrouped), C(localhost), C(127.0.0.1) or C(::1), the team's slug follows (C(web.acme)), or its id if the
    slug is not known. Two projects of one name in one team are a failure that names both.
  - A project that bears the name of a group, of this source or of an earlier one, gets its id behind the name
    (C(web.prj_17)), with a warning.
  - Text of the service is never run as a template, whatever it looks like.
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
      - Says that the file is for this plugin. The file's name must end in C(hosting_platform.yml) or
        C(hosting_platform.yaml).
    type: str
    required: true
    choices:
      - hosting.platform.projects
  teams:
    description:
      - The ids or slugs of the teams whose projects to read. V("") is the scope of the token's user.
      - Without it, the scope of the token's user.
    type: list
    elements: str
    default: []
  include_domains:
    description:
      - Whether to read the domains of each project too, into C(hosting_domains), a list with the fields that
        M(hosting.platform.project_domain_info) returns.
      - This takes a request for each project.
    type: bool
    default: false
notes:
  - The hosts are no machines. Run their tasks with C(connection) set to C(local).
  - The options of the connection are taken as they stand, and are not templates. A vaulted value is decrypted.
  - What is kept with O(cache) holds no token, and serves no other token, service or choice of projects.
seealso:
  - module: hosting.platform.project_info
  - module: hosting.platform.project_domain_info
"""

EXAMPLES = r"""
# teams.hosting_platform.yml, with the token in the environment. Only the first line has to be there.
plugin: hosting.platform.projects

base_url: https://api.example.com

# Without it, the projects of the token's user.
teams:
  - acme
  - web-team

# Further variables and groups, made of the fields.
compose:
  is_old: hosting_updated_at < 1735689600000
  public_names: hosting_domains | map(attribute='alias') | list
groups:
  without_framework: not hosting_framework
keyed_groups:
  - key: hosting_framework
    prefix: framework

# Takes a request for each project, so what was read is kept for an hour.
include_domains: true
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: .cache/inventory
cache_timeout: 3600
"""

import hashlib
import json
import sys
import typing as t

from ansible import template
from ansible.errors import AnsibleParserError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.common.parameters import remove_values
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ansible_collections.hosting.platform.plugins.module_utils._blueprint._entries import nearest
from ansible_collections.hosting.platform.plugins.module_utils._client.api import Api
from ansible_collections.hosting.platform.plugins.module_utils._client.connection import Connection, connection_options
from ansible_collections.hosting.platform.plugins.module_utils._client.errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._client.http import REQUESTS_IMPORT_ERROR, Http
from ansible_collections.hosting.platform.plugins.module_utils._fields import Values
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import Platform
from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION
from ansible_collections.hosting.platform.plugins.plugin_utils._project_hosts import read_hosts

if hasattr(template, "trust_as_template"):

    def as_data(value: t.Any) -> t.Any:
        """The value, whose text core never takes for a template: from 2.19 on it does so only with what is trusted."""
        return value
else:
    from ansible.utils.unsafe_proxy import wrap_var as as_data

# Its name and its variables; in a list, because a cache may forget the order of a mapping.
Host = tuple[str, Values]

ENDINGS = ("hosting_platform.yml", "hosting_platform.yaml")


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    """The projects of the platform as hosts."""

    NAME = "hosting.platform.projects"

    # Core sets it only when it parses, and mypy would ask each time.
    inventory: t.Any

    def verify_file(self, path: str) -> bool:
        if not super().verify_file(path):
            return False
        if not path.endswith(ENDINGS):
            self.display.vvv(f"{self.NAME} declines {path}: its name does not end in {' or '.join(ENDINGS)}.")
            return False
        return True

    def parse(self, inventory: t.Any, loader: t.Any, path: str, cache: bool = True) -> None:
        super().parse(inventory, loader, path, cache)
        config = self._read_config_data(path)
        try:
            connection = self._connection(config)
            hosts = self._hosts(connection, path, cache)
        except PlatformError as error:
            raise AnsibleParserError(str(error)) from None
        groups = {*self.inventory.groups, *map(self._sanitize_group_name, self.get_option("groups"))}
        names = [self._add(name, variables, groups) for name, variables in hosts]
        self._construct(names)
        for name in names:
            if name in self.inventory.groups:
                self._rename(name)

    def _connection(self, config: t.Mapping[str, t.Any]) -> Connection:
        """The connection by the rules of the modules: core would take an empty environment variable for a value."""
        for option in config:
            if not self.has_option(option):
                raise PlatformError(f"{option}: no option of {self.NAME}.{nearest(option, self.option_definitions)}")
        options = connection_options()
        # As text, which decrypts a vaulted value. The types come with the check.
        given = {option: str(config[option]) for option in options if config.get(option) is not None}
        checked = ArgumentSpecValidator(options).validate(given)
        if checked.error_messages:
            raise PlatformError("; ".join(checked.error_messages))
        return Connection.from_options(checked.validated_parameters)

    def _hosts(self, connection: Connection, path: str, may_use_cache: bool) -> list[Host]:
        """Every host, from the cache where that is wanted and possible."""
        if not self.get_option("cache"):
            return self._read_hosts(connection)
        key = self._key(connection, path)
        if may_use_cache:
            try:
                return t.cast("list[Host]", self._cache[key])
            except KeyError:
                pass
        hosts = self._cache[key] = self._read_hosts(connection)
        return hosts

    def _key(self, connection: Connection, path: str) -> str:
        """What is kept serves only who read it, and what was asked for; the digest tells nothing of the token."""
        asked = [self.get_option("teams"), self.get_option("include_domains"), VERSION]
        text = json.dumps([connection.base_url, connection.access_token, *asked])
        return f"{self.get_cache_key(path)}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def _read_hosts(self, connection: Connection) -> list[Host]:
        if REQUESTS_IMPORT_ERROR is not None:
            raise PlatformError(f"The Python library requests is missing. Install it for {sys.executable}.")
        platform = Platform(Api(Http(connection)))
        platform.warnings += connection.warnings
        try:
            hosts = read_hosts(platform, self.get_option("teams"), self.get_option("include_domains"))
        finally:
            for warning in platform.warnings:
                self.display.warning(warning)
        # A service that repeats the token must not spread it. Core guards the results of modules in the same way.
        secrets = [connection.access_token]
        return [(remove_values(name, secrets), remove_values(variables, secrets)) for name, variables in hosts.items()]

    def _add(self, name: str, variables: Values, groups: t.Container[str]) -> str:
        """Add a host; the name that it got.

        Its variables are given to itself: by its name, core could take them for those of a group.
        """
        if name in groups:
            unique = f"{name}.{variables['hosting_id']}"
            self.display.warning(f"The project {name} bears the name of a group, so its host is called {unique}.")
            name = unique
        name = as_data(name)
        self.inventory.add_host(name)
        self.inventory.get_host(name).vars.update(as_data(variables))
        return name

    def _rename(self, name: str) -> None:
        """Have the host of a name that a keyed group came to bear under another one, in the same groups."""
        host = self.inventory.get_host(name)
        groups = [group for group, members in self.inventory.groups.items() if name in members.host_names]
        self.inventory.remove_host(host)
        name = self._add(name, host.vars, {name})
        for group in groups:
            self.inventory.add_host(name, group)

    def _construct(self, names: t.Sequence[str]) -> None:
        """What the user makes of the variables. All are composed first: a group may come to bear a host's name."""
        strict, compose = self.get_option("strict"), self.get_option("compose")
        for name in names if compose else ():
            self._set_composite_vars(compose, self.inventory.get_host(name).get_vars(), name, strict)
        for name in names:
            self._add_host_to_composed_groups(self.get_option("groups"), {}, name, strict)
        for name in names:
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), {}, name, strict)
