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
from ansible_collections.hosting.platform.plugins.module_utils._model import name_forms
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import (
    TeamMember,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.name_forms import (
    is_same_host,
    look_alike,
    normalize_email,
    normalize_host,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bücher.example.com", "bucher.example.com"),
        ("straße.de", "strasse.de"),
        ("", ""),
        (None, ""),
        (1, 2),
    ],
)
def test_different_hosts_are_unequal(one, other):
    assert not is_same_host(one, other)


@pytest.mark.parametrize(
    ("given_form", "other"),
    [
        ("b\u00fccher.example.com", "xn--bcher-kva.example.com"),
        ("BU\u0308CHER.Example.com.", "XN--BCHER-KVA.example.com"),
        ("www.example.com", "www\u3002example\uff0ecom\uff61"),
        ("\uff37\uff37\uff37.example.com", "www.example.com"),
        ("fa\u00df.example", "xn--fa-hia.example"),
        ("\u2615.example", "xn--53h.example"),
        ("_dmarc.b\u00fccher.example", "_DMARC.xn--bcher-kva.example"),
        ("\u0391\u03a3.example", "\u03b1\u03c3.example"),
    ],
)
def test_one_host_in_two_spellings_is_equal(given_form, other):
    assert is_same_host(given_form, other)


@pytest.mark.parametrize("label", ["\ue000B", "\u00ad", "\u00fc" * 64, "\ud800"])
def test_a_label_without_an_ascii_form_compares_in_small_letters(label):
    assert normalize_host(f"{label}.Example") == f"{label.lower()}.example"


def test_hosts_compare_without_the_package_idna(monkeypatch):
    monkeypatch.setattr(name_forms, "HAS_IDNA", False)
    name_forms._ascii_host.cache_clear()
    try:
        assert is_same_host("BU\u0308CHER.example", "b\u00fccher.Example.")
        assert not is_same_host("b\u00fccher.example", "xn--bcher-kva.example")
    finally:
        name_forms._ascii_host.cache_clear()


def test_ten_thousand_names_are_compared_in_no_time():
    names = [f"b\u00fccher-{number}.example.com" for number in range(10_000)]
    assert len({normalize_host(name) for name in names * 10}) == 10_000
    assert name_forms._ascii_host.cache_info().hits >= 90_000


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Shop", "shop"),
        (" shop", "shop\u00a0"),
        ("cafe\u0301", "CAF\u00c9"),
        ("sh\u00adop", "shop"),
        ("\ufb01ne", "FINE"),
        ("stra\u00dfe", "STRASSE"),
        (1, "1"),
    ],
)
def test_look_alikes_differ_in_case_white_space_or_unicode_form_alone(name, other):
    assert look_alike(name) == look_alike(other)


@pytest.mark.parametrize(
    ("name", "other"), [("shop", "sh0p"), ("my shop", "myshop"), ("caf\u00e9", "cafe")]
)
def test_names_of_other_letters_are_no_look_alikes(name, other):
    assert look_alike(name) != look_alike(other)


@pytest.mark.parametrize("form", [look_alike, normalize_host, normalize_email, Project.normalize])
@pytest.mark.parametrize(
    "absurd", [{"a": 1}, ["a"], None, 1.5, True, "\ud800", "x" * 100_000, "\u00fc" * 100_000]
)
def test_whatever_a_service_gives_has_a_form(form, absurd):
    assert isinstance(form(absurd), str)


@given(st.text())
def test_a_look_alike_is_its_own(name):
    assert look_alike(look_alike(name)) == look_alike(name)


@given(st.text() | st.text("aA.") | st.text("\u0130\u03a3\u0301\u00df\u1e9e\u3002xn-.b\u00fc"))
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
        (Alias, "xn--bcher-kva.example.com", "b\u00fc*", True),
        (Alias, "b\u00fccher.example.com", "xn--bcher*", True),
        (Alias, "xn--bcher-kva.example.com", "*\u00fcCHER*", True),
        (Domain, "xn--bcher-kva.example", "[\u00e4\u00fcb]*", True),
        (Alias, "b\u00fccher.example.com", "buecher*", False),
        (TeamMember, "Ada@Example.com", "ada@*", True),
    ],
)
def test_a_pattern_matches_a_name_however_unicode_writes_either(kind, name, pattern, is_match):
    assert kind.matches(name, pattern) is is_match


def test_an_alias_is_found_in_any_case_and_with_a_trailing_dot(emulator):
    emulator.seed(teams=[ACME], projects=[WEB], aliases=[{**WWW, "alias": "WWW.Example.com"}])
    for result in check_then_run(Alias, emulator.base_url, **{**WWW, "alias": "www.example.com."}):
        assert (result["changed"], result["alias"]["alias"]) == (False, "WWW.Example.com")


IN_UNICODE = "b\u00fccher.example.com"
IN_ASCII = "xn--bcher-kva.example.com"


@pytest.mark.parametrize(("stored", "wanted"), [(IN_ASCII, IN_UNICODE), (IN_UNICODE, IN_ASCII)])
def test_an_alias_is_found_in_either_form(emulator, stored, wanted):
    emulator.seed(teams=[ACME], projects=[WEB], aliases=[{**WWW, "alias": stored}])
    for result in check_then_run(Alias, emulator.base_url, **{**WWW, "alias": wanted}):
        assert (result["changed"], result["alias"]["alias"]) == (False, stored)
    run_module(Alias, emulator.base_url, alias=wanted, team="acme", state="absent")
    assert stored not in [alias["alias"] for alias in emulator.state()["aliases"]]


def test_the_aliases_of_a_domain_are_found_in_either_form(emulator):
    emulator.seed(teams=[ACME], projects=[WEB], aliases=[{**WWW, "alias": f"www.{IN_UNICODE}"}])
    emulator.seed(domains=[{"name": IN_ASCII, "team": "acme"}])
    for result in check_then_run(
        Domain, emulator.base_url, name=IN_UNICODE, team="acme", state="absent"
    ):
        assert (result["changed"], result["removed_aliases"]) == (True, [f"www.{IN_UNICODE}"])


def test_alias_is_sent_as_given(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    run_module(Alias, emulator.base_url, **{**WWW, "alias": IN_UNICODE})
    assert IN_UNICODE in [alias["alias"] for alias in emulator.state()["aliases"]]


def test_a_projects_own_alias_is_the_same_in_any_case(emulator):
    emulator.seed(teams=[ACME], projects=[{**WEB, "alias": "shop.example.com"}])
    for result in check_then_run(Project, emulator.base_url, **WEB, alias="Shop.Example.com."):
        assert (result["changed"], result["project"]["alias"]) == (False, "shop.example.com")
    assert run_module(Project, emulator.base_url, **WEB, alias="web.example.com")["changed"] is True


@pytest.mark.parametrize("key", ["alias", "domain", "name", "Alias", " name "])
@pytest.mark.parametrize("value", ["www.prod.example.com", ["www.example.com"], None, {}, True])
def test_no_parameter_names_another_alias(key, value):
    options = {
        "alias": "www.example.com",
        "project": "web",
        "state": "present",
        "parameters": {key: value},
    }
    with pytest.raises(InvalidOption, match="parameters: must not set"):
        Alias.check(options)
