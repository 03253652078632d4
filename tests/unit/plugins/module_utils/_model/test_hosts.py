# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts, and names that patterns match."""

import pytest
from acme import ACME, WEB, WWW
from client import check_then_run, run_module
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption
from ansible_collections.hosting.platform.plugins.module_utils._model.fields import is_same_host, normalize_host
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team


@pytest.mark.parametrize(
    ("one", "other"),
    [("bücher.example.com", "bucher.example.com"), ("straße.de", "strasse.de"), ("", ""), (None, ""), (1, 2)],
)
def test_different_hosts_are_unequal(one, other):
    assert not is_same_host(one, other)


@given(st.text() | st.text("aA."))
def test_normalize_host_is_idempotent(name):
    assert normalize_host(normalize_host(name)) == normalize_host(name)


@pytest.mark.parametrize(
    ("kind", "name", "pattern", "is_match"),
    [
        (Project, "cafe\u0301-shop", "caf\u00e9-*", True),
        (Project, "caf\u00e9-shop", "cafe\u0301-*", True),
        (Project, "cafe-shop", "caf\u00e9-*", False),
        (Project, "Web", "web", False),
        (Team, "acme-ops", "acme-*", True),
        (Alias, "Bu\u0308cher.example.com.", "b\u00fcche?.EXAMPLE.com", True),
        (Domain, "example.org", "*.com.", False),
    ],
)
def test_a_pattern_matches_a_name_however_unicode_writes_either(kind, name, pattern, is_match):
    assert kind.matches(name, pattern) is is_match


def test_an_alias_is_found_in_any_case_and_with_a_trailing_dot(emulator):
    emulator.seed(teams=[ACME], projects=[WEB], aliases=[{**WWW, "alias": "WWW.Example.com"}])
    for result in check_then_run(Alias, emulator.base_url, **{**WWW, "alias": "www.example.com."}):
        assert (result["changed"], result["alias"]["alias"]) == (False, "WWW.Example.com")


def test_a_projects_own_alias_is_the_same_in_any_case(emulator):
    emulator.seed(teams=[ACME], projects=[{**WEB, "alias": "shop.example.com"}])
    for result in check_then_run(Project, emulator.base_url, **WEB, alias="Shop.Example.com."):
        assert (result["changed"], result["project"]["alias"]) == (False, "shop.example.com")
    assert run_module(Project, emulator.base_url, **WEB, alias="web.example.com")["changed"] is True


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    ("alias", "advice"),
    [
        ("https://www.example.com/shop", " Set it to www.example.com."),
        ("HTTP://www.example.com:8080?b#c", " Set it to www.example.com."),
        ("http://", ""),
    ],
)
def test_an_alias_that_is_a_url_is_refused_with_the_host_that_it_means(alias, advice, state):
    with pytest.raises(InvalidOption) as failure:
        Alias.check({"alias": alias, "project": "web", "state": state, "parameters": {}})
    assert str(failure.value) == f"alias: must be a host name, and is a URL.{advice}"


@pytest.mark.parametrize("key", ["alias", "domain", "name", "Alias", " name "])
@pytest.mark.parametrize("value", ["www.prod.example.com", ["www.example.com"], None, {}, True])
def test_no_parameter_names_another_alias(key, value):
    options = {"alias": "www.example.com", "project": "web", "state": "present", "parameters": {key: value}}
    with pytest.raises(InvalidOption, match="parameters: must not set"):
        Alias.check(options)
